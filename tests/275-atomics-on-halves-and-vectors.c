/* atom and red on f16, bf16 and pairs of them, on vectors of f32, and cas of 16 bits. f16: 0x3c00 = 1, 0x6800 = 2048,
 * 0x7bff = 65504; bf16: 0x3f80 = 1, 0x4380 = 256. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/ptx.h"

#define OUT "ld.param.u64 %rd2, [out];\nmov.u32 %r1, %laneid;\n"

static void run(struct ptx_try *t, const char *body, uint32_t threads)
{
	ptx_try_threads(t, body, threads, NULL, 0);
	cr_assert_eq(t->result, 0, "%s", t->e.text);
}

/* 8 lanes add 1: to 2044 in f16 the fourth sum, 2048, is the last, as 2049 rounds to it; in bf16 likewise 256. */
Test(ptx_half_atomics, are_rounded_lane_by_lane)
{
	static const char body[] =
		OUT "mov.b16 %h1, 0x3c00;\nmov.b16 %h2, 0x3f80;\nmov.b32 %r2, 0x3c00bc00;\nmov.b32 %r3, 0x3f80bf80;\n"
		    "mov.b32 %r4, 0x67fc;\nmov.b32 %r5, 0x437e;\n"
		    "st.global.u16 [%rd2], %r4;\nst.global.u16 [%rd2+4], %r5;\nbar.sync 0;\n"
		    "atom.global.add.noftz.f16 %h3, [%rd2], %h1;\nred.global.add.noftz.bf16 [%rd2+4], %h2;\n"
		    "red.add.noftz.f16x2 [%rd2+8], %r2;\natom.global.add.noftz.bf16x2 %r6, [%rd2+12], %r3;\n"
		    "shl.b32 %r7, %r1, 2;\ncvt.u64.u32 %rd3, %r7;\nadd.u64 %rd3, %rd3, %rd2;\nst.global.u16 [%rd3+64], %h3;\n"
		    "st.global.u32 [%rd3+128], %r6;\n";
	static const uint16_t before[] = {0x67fc, 0x67fd, 0x67fe, 0x67ff, 0x6800, 0x6800, 0x6800, 0x6800};
	static const uint32_t pairs[] = {0, 0x3f80bf80, 0x4000c000, 0x4040c040, 0x4080c080, 0x40a0c0a0, 0x40c0c0c0, 0x40e0c0e0};
	struct ptx_try t;

	run(&t, body, 8);
	cr_assert_eq(ptx_try_out(&t)[0], 0x6800);
	cr_assert_eq(ptx_try_out(&t)[1], 0x4380);     /* 254 + 1 = 255, 256, and 257 is a tie: to even */
	cr_assert_eq(ptx_try_out(&t)[2], 0x4800c800); /* 8 and -8 */
	cr_assert_eq(ptx_try_out(&t)[3], 0x4100c100);
	for (uint32_t l = 0; l < 8; l++) {
		cr_assert_eq(ptx_try_out(&t)[16 + l], before[l]);
		cr_assert_eq(ptx_try_out(&t)[32 + l], pairs[l]);
	}
	ptx_try_free(&t);
}

/* An overflow is infinite, and a subnormal is not flushed: 2^-24 + 2^-24. */
Test(ptx_half_atomics, reach_infinity_and_keep_subnormals)
{
	static const char body[] = OUT "mov.b32 %r2, 0x7bff0001;\nst.global.u32 [%rd2], %r2;\n"
				       "red.global.add.noftz.f16x2 [%rd2], %r2;\n";
	struct ptx_try t;

	run(&t, body, 1);
	cr_assert_eq(ptx_try_out(&t)[0], 0x7c000002);
	ptx_try_free(&t);
}

Test(ptx_half_atomics, vectors_of_floats_are_added_element_by_element)
{
	static const char body[] = OUT "cvt.rn.f32.u32 %f1, %r1;\nmov.f32 %f2, 0f3f800000;\nmov.f32 %f3, 0f40000000;\n"
				       "red.global.v4.f32.add [%rd2], {%f1, %f2, %f3, %f3};\n"
				       "atom.global.add.v2.f32 {%f4, %f5}, [%rd2+16], {%f2, %f3};\nsetp.eq.u32 %p1, %r1, 31;\n"
				       "@%p1 st.global.v2.f32 [%rd2+24], {%f4, %f5};\n";
	static const float want[] = {496, 32, 64, 64, 32, 64, 31, 62};
	float got[8];
	struct ptx_try t;

	run(&t, body, 32);
	memcpy(got, ptx_try_out(&t), sizeof got);
	for (int i = 0; i < 8; i++)
		cr_assert_eq(got[i], want[i], "%d: %g", i, (double)got[i]);
	ptx_try_free(&t);
}

/* Of 16 bits, in the upper half of a word: the lower one stays. */
Test(ptx_half_atomics, cas_compares_sixteen_bits)
{
	static const char body[] = OUT "mov.b32 %r2, 0x00050007;\nst.global.u32 [%rd2], %r2;\nbar.sync 0;\ncvt.u16.u32 %h1, %r1;\n"
				       "add.u16 %h2, %h1, 1;\natom.global.cas.b16 %h3, [%rd2+2], %h1, %h2;\n"
				       "setp.eq.u32 %p1, %r1, 9;\n@%p1 st.global.u16 [%rd2+4], %h3;\n";
	struct ptx_try t;

	run(&t, body, 32);
	cr_assert_eq(ptx_try_out(&t)[0], 32u << 16 | 7); /* 5 to 32, one after another */
	cr_assert_eq(ptx_try_out(&t)[1], 9);
	ptx_try_free(&t);
}

/* createpolicy's result is a last operand, and changes nothing. */
Test(ptx_half_atomics, a_policy_for_the_l2_may_follow)
{
	static const char body[] = OUT "mov.u64 %rd4, 0;\nst.global.L2::cache_hint.v2.u32 [%rd2], {%r1, 7}, %rd4;\n"
				       "red.global.add.L2::cache_hint.u32 [%rd2+4], 3, %rd4;\n"
				       "ld.global.L2::cache_hint.u32 %r3, [%rd2+4], %rd4;\nst.global.u32 [%rd2], %r3;\n";
	struct ptx_try t;

	run(&t, body, 1);
	cr_assert_eq(ptx_try_out(&t)[0], 10);
	ptx_try_free(&t);
}

Test(ptx_half_atomics, what_there_is_not_is_refused)
{
	static const char *const bodies[] = {
		"atom.global.min.noftz.f16 %h1, [%rd1], %h2;\n", "atom.global.exch.b16 %h1, [%rd1], %h2;\n",
		"red.global.add.v2.u32 [%rd1], {%r1, %r2};\n", "red.global.add.v4.f32 [%rd1], {%f1, %f2};\n",
		"red.global.add.v2.f64 [%rd1], {%fd1, %fd2};\n"};

	for (unsigned i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
		struct ptx_try t;

		ptx_try_threads(&t, bodies[i], 1, NULL, 0);
		cr_assert_eq(t.result, -1, "%s", bodies[i]);
		cr_assert(strstr(t.e.text, "is not supported"), "%s", t.e.text);
		ptx_try_free(&t);
	}
}
