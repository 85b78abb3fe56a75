/* cvt to and from e4m3 and e5m2 (OCP 8-bit floating point, 2023: e4m3 has 448 = 0x7e as its largest number, 2^-9 as its
 * least; e5m2 57344 = 0x7b and 2^-16); add, min and max of pairs of 16 bits; cp.async.mbarrier. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/ptx.h"
#include "support/ptx_op.h"

static const struct op_case bytes[] = {
	/* the first source goes to the upper byte: 1 and -2; 448 and more; 2^-9 and half of it (a tie, to 0); NaN and
	 * -inf; ties to even */
	{"cvt.rn.satfinite.e4m3x2.f32 $d, $0, $1",
	 "hff",
	 5,
	 {{{F_ONE, 0xc0000000}, 0x38c0},
	  {{0x43e00000, 0x7149f2ca}, 0x7e7e},
	  {{0x3b000000, 0x3a800000}, 0x0100},
	  {{F_NAN, F_MINUS | F_INF}, 0x7ffe},
	  {{0x3f880000, 0x3f980000}, 0x383a}}}, /* 1 + 1/16, 1 + 3/16 */
	{"cvt.rn.satfinite.relu.e4m3x2.f32 $d, $0, $1", "hff", 1, {{{0xc0000000, F_ONE}, 0x0038}}},
	{"cvt.rn.satfinite.e5m2x2.f32 $d, $0, $1",
	 "hff",
	 3,
	 {{{F_ONE, 0xc0400000}, 0x3cc2}, {{F_INF, 0x47600000}, 0x7b7b}, {{0x37800000, F_NAN}, 0x017f}}},
	{"cvt.rn.satfinite.e4m3x2.f16x2 $d, $0", "hr", 2, {{{0x3c00c000}, 0x38c0}, {{0x7bff8000}, 0x7e80}}},
	{"cvt.rn.f16x2.e4m3x2 $d, $0", "rh", 3, {{{0x38c0}, 0x3c00c000}, {{0x7e01}, 0x5f001800}, {{0x7fff}, 0x7fff7fff}}},
	{"cvt.rn.f16x2.e5m2x2 $d, $0", "rh", 2, {{{0x3cc2}, 0x3c00c200}, {{0x7c01}, 0x7c000100}}},
	{0},
};

static const struct op_case pairs[] = {
	{"add.u16x2 $d, $0, $1", "rrr", 2, {{{0x0001ffff, 0x00020001}, 0x00030000}, {{0xffff0001, 0x00010001}, 0x00000002}}},
	{"add.s16x2 $d, $0, $1", "rrr", 1, {{{0x7fff0005, 0x0001fffe}, 0x80000003}}},
	{"min.u16x2 $d, $0, $1", "rrr", 1, {{{0xffff0003, 0x00010004}, 0x00010003}}},
	{"max.u16x2 $d, $0, $1", "rrr", 1, {{{0xffff0003, 0x00010004}, 0xffff0004}}},
	{"min.s16x2 $d, $0, $1", "rrr", 1, {{{0xffff0003, 0x00010004}, 0xffff0003}}},
	{"max.s16x2 $d, $0, $1", "rrr", 1, {{{0xffff0003, 0x0001fffc}, 0x00010003}}},
	/* .relu: below zero is zero; nvcc writes it behind the type, the manual ahead of it */
	{"min.s16x2.relu $d, $0, $1", "rrr", 2, {{{0xffff0003, 0x00010004}, 0x00000003}, {{0x00058000, 0x00070001}, 0x00050000}}},
	{"max.relu.s16x2 $d, $0, $1", "rrr", 2, {{{0xffff0003, 0xfffefffc}, 0x00000003}, {{0x0005fffe, 0x0007ffff}, 0x00070000}}},
	{"min.s32.relu $d, $0, $1", "rrr", 3, {{{5, 7}, 5}, {{0xfffffffb, 7}, 0}, {{0x80000000, 0xffffffff}, 0}}},
	{"max.relu.s32 $d, $0, $1", "rrr", 3, {{{5, 7}, 7}, {{0xfffffffb, 7}, 7}, {{0x80000000, 0xffffffff}, 0}}},
	{0},
};

Test(ptx_bytes, floats_of_eight_bits_are_rounded_and_clamped)
{
	ptx_op_check_all(bytes);
}

Test(ptx_bytes, pairs_of_integers_do_not_touch_each_other)
{
	ptx_op_check_all(pairs);
}

/* A barrier of 32: with .noinc each thread's copies are its arrival; without, they leave the count as it is, and the
 * threads still have to arrive. */
Test(ptx_bytes, copies_arrive_at_a_barrier)
{
	static const char body[] =
		".shared .align 8 .b64 b[2];\n.shared .align 4 .b32 s[32];\nld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\n"
		"mov.u32 %r1, %laneid;\nmad.wide.u32 %rd1, %r1, 4, %rd1;\nmad.wide.u32 %rd2, %r1, 4, %rd2;\nmov.u32 %r2, s;\n"
		"mad.lo.u32 %r2, %r1, 4, %r2;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 mbarrier.init.shared.b64 [b], 32;\n"
		"@%p1 mbarrier.init.shared.b64 [b+8], 32;\nbar.sync 0;\ncp.async.ca.shared.global [%r2], [%rd1], 4;\n"
		"cp.async.mbarrier.arrive.noinc.shared.b64 [b];\ncp.async.mbarrier.arrive.shared.b64 [b+8];\n"
		"mbarrier.test_wait.parity.shared.b64 %p2, [b], 0;\nmbarrier.test_wait.parity.shared.b64 %p3, [b+8], 0;\n"
		"selp.u32 %r3, 1, 0, %p2;\nselp.u32 %r4, 2, 0, %p3;\nld.shared.u32 %r5, [%r2];\nadd.u32 %r3, %r3, %r4;\n"
		"add.u32 %r5, %r5, %r3;\nst.global.u32 [%rd2], %r5;\n";
	uint32_t in[32];
	struct ptx_try t;

	for (uint32_t i = 0; i < 32; i++)
		in[i] = 10 * i;
	ptx_try_threads(&t, body, 32, in, 32);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (uint32_t i = 0; i < 32; i++)
		cr_assert_eq(ptx_try_out(&t)[i], 10 * i + 1, "%u", ptx_try_out(&t)[i]);
	ptx_try_free(&t);
}

/* Dynamic parallelism: the kernel that launches is refused by name, the one that would be launched runs. */
Test(ptx_bytes, a_kernel_that_launches_kernels_is_refused)
{
	static const char head[] = ".extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2(.param .b64 f);\n";
	struct ptx_try t;

	ptx_try_parse(&t, head, "{\n.param .b64 a;\n.param .b64 b;\ncall.uni (b), __cudaCDP2GetParameterBufferV2, (a);\n}\n");
	cr_assert_not_null(t.m, "%s", t.e.text);
	ptx_try_free(&t);
	ptx_try_threads(&t, "ret;\n", 1, NULL, 0);
	cr_assert_eq(t.result, 0);
	ptx_try_free(&t);
	ptx_try_run(&t, head, "{\n.param .b64 a;\n.param .b64 b;\ncall.uni (b), __cudaCDP2GetParameterBufferV2, (a);\n}\n",
		    (uint32_t[]){1, 1, 1}, (uint32_t[]){1, 1, 1}, NULL, 0, NULL);
	cr_assert_eq(t.result, -1);
	cr_assert(strstr(t.e.text, "call.uni is not supported: a kernel that launches kernels (dynamic parallelism)"), "%s",
		  t.e.text);
	ptx_try_free(&t);
}
