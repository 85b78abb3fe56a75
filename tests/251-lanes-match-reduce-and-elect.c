/* 251: what the lanes of a warp find out together. */
#include <criterion/criterion.h>

#include <stdio.h>

#include "support/ptx.h"

#define FRAME                                                                                                                      \
	"ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 4;\n"                  \
	"add.s64 %rd1, %rd1, %rd3;\nadd.s64 %rd2, %rd2, %rd3;\nld.global.s32 %r2, [%rd1];\n"

static struct ptx_try run(const char *body, const void *in)
{
	struct ptx_try t;

	ptx_try_threads(&t, body, 32, in, 32);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	return t;
}

/* Values 0 1 2 0 1 2 ...: lane l's partners are those of its remainder by 3. */
Test(ptx_group, match_any_finds_the_lanes_of_the_same_value)
{
	static const uint32_t any[] = {0x49249249, 0x92492492, 0x24924924};
	uint32_t in[32];
	struct ptx_try t;

	for (unsigned l = 0; l < 32; l++)
		in[l] = l % 3;
	t = run(FRAME "match.any.sync.b32 %r3, %r2, 0xffffffff;\nst.global.u32 [%rd2], %r3;\n", in);
	for (unsigned l = 0; l < 32; l++)
		cr_assert_eq(ptx_try_out(&t)[l], any[l % 3]);
	ptx_try_free(&t);
	/* 64 bits that differ in the upper half only; only the lower 16 lanes are there */
	t = run(FRAME "setp.ge.u32 %p1, %r1, 16;\n@%p1 exit;\ncvt.u64.u32 %rd4, %r2;\nshl.b64 %rd4, %rd4, 40;\n"
		      "match.any.sync.b64 %r3, %rd4, 0xffff;\nst.global.u32 [%rd2], %r3;\n",
		in);
	for (unsigned l = 0; l < 32; l++)
		cr_assert_eq(ptx_try_out(&t)[l], l < 16 ? (any[l % 3] & 0xffff) : 0);
	ptx_try_free(&t);
}

/* All members agree, or nobody gets a mask. Members: lanes 0 to 7, or the others. */
Test(ptx_group, match_all_asks_whether_the_members_agree)
{
	static const char body[] = FRAME "setp.lt.u32 %p1, %r1, 8;\nselp.u32 %r4, 0xff, 0xffffff00, %p1;\n"
					 "match.all.sync.b32 %r3|%p2, %r2, %r4;\nselp.u32 %r5, 0x1000000, 0, %p2;\n"
					 "xor.b32 %r3, %r3, %r5;\nst.global.u32 [%rd2], %r3;\n";
	uint32_t in[32] = {0};
	struct ptx_try t;

	in[20] = 1;
	t = run(body, in);
	for (unsigned l = 0; l < 32; l++)
		cr_assert_eq(ptx_try_out(&t)[l], l < 8 ? 0x10000ff : 0);
	ptx_try_free(&t);
}

static void reduce(const char *op, uint32_t want)
{
	char body[1024];
	uint32_t in[32];
	struct ptx_try t;

	for (unsigned l = 0; l < 32; l++)
		in[l] = l - 5; /* -5 to 26 */
	snprintf(body, sizeof body, "%sredux.sync.%s %%r3, %%r2, 0xffffffff;\nst.global.u32 [%%rd2], %%r3;\n", FRAME, op);
	t = run(body, in);
	for (unsigned l = 0; l < 32; l++)
		cr_assert_eq(ptx_try_out(&t)[l], want, "%s: %#x", op, ptx_try_out(&t)[l]);
	ptx_try_free(&t);
}

Test(ptx_group, redux_reduces_over_the_members)
{
	reduce("add.s32", 336); /* 32 * (-5 + 26) / 2 */
	reduce("add.u32", 336);
	reduce("min.s32", 0xfffffffb);
	reduce("min.u32", 0);
	reduce("max.s32", 26);
	reduce("max.u32", 0xffffffff);
	reduce("or.b32", 0xffffffff);
	reduce("and.b32", 0);
	/* 0 to 26: bits 1, 3 and 4 odd times (27 numbers; by hand 0^..^26 = 26, as 26 % 4 = 2 gives 27);
	 * -5 to -1: ~4 ^ ~3 ^ ~2 ^ ~1 ^ ~0 = ~(4 ^ 3 ^ 2 ^ 1 ^ 0) = ~4 */
	reduce("xor.b32", 27 ^ ~4u);
}

/* PTX ISA 9.0, 9.7.13.8: without .NaN only numbers count, with it one NaN makes the canonical one; +0 is above -0. */
Test(ptx_group, redux_finds_the_least_and_the_largest_float)
{
	static const struct {
		const char *op;
		uint32_t first, second, others, want;
	} each[] = {
		{"min.f32", 0x40000000, 0xc0400000, 0x3f800000, 0xc0400000}, /* 2, -3, 1 */
		{"max.f32", 0x40000000, 0xc0400000, 0x3f800000, 0x40000000},
		{"max.abs.f32", 0x40000000, 0xc0400000, 0x3f800000, 0x40400000},
		{"min.abs.f32", 0x40000000, 0xc0400000, 0xbf800000, 0x3f800000},
		{"min.f32", 0x80000000, 0, 0, 0x80000000}, /* -0 */
		{"max.f32", 0x80000000, 0, 0x80000000, 0},
		{"min.f32", 0xff800000, 0x7fc00000, 0x3f800000, 0xff800000}, /* -infinity, NaN, 1 */
		{"max.f32", 0xff800000, 0xffc00001, 0x3f800000, 0x3f800000},
		{"max.NaN.f32", 0xff800000, 0xffc00001, 0x3f800000, 0x7fffffff},
		{"min.abs.NaN.f32", 0xc0000000, 0xbf800000, 0x40400000, 0x3f800000},
		{"min.f32", 0x7fc00000, 0xffc00000, 0x7f800001, 0x7fffffff}, /* no number */
	};

	for (unsigned i = 0; i < sizeof each / sizeof each[0]; i++) {
		char body[1024];
		uint32_t in[32];
		struct ptx_try t;

		for (unsigned l = 0; l < 32; l++)
			in[l] = l == 7 ? each[i].first : l == 29 ? each[i].second : each[i].others;
		snprintf(body, sizeof body, "%sredux.sync.%s %%r3, %%r2, 0xffffffff;\nst.global.u32 [%%rd2], %%r3;\n", FRAME,
			 each[i].op);
		t = run(body, in);
		for (unsigned l = 0; l < 32; l++)
			cr_assert_eq(ptx_try_out(&t)[l], each[i].want, "%s, %u: %#x", each[i].op, i, ptx_try_out(&t)[l]);
		ptx_try_free(&t);
	}
}

/* Lanes 0 to 3 are members of two groups. */
Test(ptx_group, redux_of_floats_is_of_the_members)
{
	struct ptx_try t = run(FRAME "setp.lt.u32 %p1, %r1, 4;\nselp.u32 %r4, 15, 0xfffffff0, %p1;\ncvt.rn.f32.u32 %f1, %r1;\n"
				     "mov.b32 %r5, %f1;\nredux.sync.max.f32 %r3, %r5, %r4;\nst.global.u32 [%rd2], %r3;\n",
			       (uint32_t[32]){0});

	for (unsigned l = 0; l < 32; l++)
		cr_assert_eq(ptx_try_out(&t)[l], l < 4 ? 0x40400000 /* 3 */ : 0x41f80000 /* 31 */, "%u: %#x", l,
			     ptx_try_out(&t)[l]);
	ptx_try_free(&t);
}

Test(ptx_group, elect_takes_the_lowest_member)
{
	struct ptx_try t = run(FRAME "setp.lt.u32 %p1, %r1, 9;\n@%p1 exit;\nelect.sync %r3|%p2, 0xfffffff0;\n"
				     "selp.u32 %r4, 100, 0, %p2;\nadd.u32 %r3, %r3, %r4;\nst.global.u32 [%rd2], %r3;\n",
			       (uint32_t[32]){0});

	for (unsigned l = 0; l < 32; l++)
		cr_assert_eq(ptx_try_out(&t)[l], l < 9 ? 0 : l == 9 ? 109 : 9);
	ptx_try_free(&t);
}
