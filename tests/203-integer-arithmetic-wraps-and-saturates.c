/* Integer arithmetic against answers worked out from the definitions in the PTX manual. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/ptx.h"
#include "support/ptx_op.h"
#include "support/random.h"

static const struct op_case sums[] = {
	{"add.s32 $d, $0, $1", "rrr", 3, {{{1, 2}, 3}, {{0x7fffffff, 1}, 0x80000000}, {{0xffffffff, 0xffffffff}, 0xfffffffe}}},
	{"add.u16 $d, $0, $1", "hhh", 2, {{{0xffff, 1}, 0}, {{0x1234, 0x1111}, 0x2345}}},
	{"add.s64 $d, $0, $1", "ddd", 2, {{{0xffffffff, 1}, 0x100000000}, {{UINT64_MAX, 2}, 1}}},
	{"add.sat.s32 $d, $0, $1", "rrr", 3, {{{0x7fffffff, 1}, 0x7fffffff}, {{0x80000000, 0xffffffff}, 0x80000000}, {{5, 6}, 11}}},
	{"sub.sat.s32 $d, $0, $1", "rrr", 2, {{{0x80000000, 1}, 0x80000000}, {{0x7fffffff, 0xffffffff}, 0x7fffffff}}},
	{"sub.s32 $d, $0, $1", "rrr", 2, {{{0, 1}, 0xffffffff}, {{0x80000000, 1}, 0x7fffffff}}},
	{"sub.s16 $d, $0, $1", "hhh", 1, {{{0, 1}, 0xffff}}},
	{"sub.u64 $d, $0, $1", "ddd", 1, {{{0, 1}, UINT64_MAX}}},
	{"add.s32 $d, $0, -5", "rr", 2, {{{3}, 0xfffffffe}, {{5}, 0}}},
	{"neg.s32 $d, $0", "rr", 3, {{{1}, 0xffffffff}, {{0x80000000}, 0x80000000}, {{0}, 0}}},
	{"neg.s64 $d, $0", "dd", 1, {{{1}, UINT64_MAX}}},
	{"neg.s16 $d, $0", "hh", 1, {{{0x8000}, 0x8000}}},
	{"abs.s32 $d, $0", "rr", 3, {{{0xffffffff}, 1}, {{0x80000000}, 0x80000000}, {{7}, 7}}},
	{"abs.s16 $d, $0", "hh", 1, {{{0xfffe}, 2}}},
	{"abs.s64 $d, $0", "dd", 1, {{{UINT64_MAX}, 1}}},
	{0},
};

static const struct op_case products[] = {
	{"mul.lo.s32 $d, $0, $1", "rrr", 3, {{{0x10000, 0x10000}, 0}, {{0xffffffff, 5}, 0xfffffffb}, {{3, 7}, 21}}},
	{"mul.lo.u16 $d, $0, $1", "hhh", 2, {{{0xffff, 0xffff}, 1}, {{0x100, 0x101}, 0x100}}},
	{"mul.lo.s64 $d, $0, $1", "ddd", 2, {{{UINT64_MAX, 3}, UINT64_MAX - 2}, {{0x100000000, 0x100000001}, 0x100000000}}},
	{"mul.hi.s32 $d, $0, $1",
	 "rrr",
	 3,
	 {{{0xffffffff, 1}, 0xffffffff}, {{0x80000000, 0x80000000}, 0x40000000}, {{0x10000, 0x10000}, 1}}},
	{"mul.hi.u32 $d, $0, $1", "rrr", 2, {{{0xffffffff, 0xffffffff}, 0xfffffffe}, {{0xffffffff, 1}, 0}}},
	{"mul.hi.s16 $d, $0, $1", "hhh", 2, {{{0x8000, 0x8000}, 0x4000}, {{0xffff, 2}, 0xffff}}},
	{"mul.hi.u16 $d, $0, $1", "hhh", 1, {{{0xffff, 0xffff}, 0xfffe}}},
	{"mul.hi.s64 $d, $0, $1",
	 "ddd",
	 2,
	 {{{UINT64_MAX, 1}, UINT64_MAX}, {{0x8000000000000000, 0x8000000000000000}, 0x4000000000000000}}},
	{"mul.hi.u64 $d, $0, $1", "ddd", 1, {{{UINT64_MAX, UINT64_MAX}, UINT64_MAX - 1}}},
	{"mul.wide.s32 $d, $0, $1",
	 "drr",
	 3,
	 {{{0xffffffff, 4}, 0xfffffffffffffffc}, {{0x80000000, 0x80000000}, 0x4000000000000000}, {{6, 4}, 24}}},
	{"mul.wide.u32 $d, $0, $1", "drr", 1, {{{0xffffffff, 0xffffffff}, 0xfffffffe00000001}}},
	{"mul.wide.s16 $d, $0, $1", "rhh", 2, {{{0xffff, 0xffff}, 1}, {{0x8000, 2}, 0xffff0000}}},
	{"mul.wide.u16 $d, $0, $1", "rhh", 1, {{{0xffff, 0xffff}, 0xfffe0001}}},
	{"mul.wide.s32 $d, $0, 4", "dr", 1, {{{0xfffffffe}, 0xfffffffffffffff8}}},
	{"mad.lo.s32 $d, $0, $1, $2", "rrrr", 2, {{{3, 4, 5}, 17}, {{0xffffffff, 2, 1}, 0xffffffff}}},
	{"mad.lo.s64 $d, $0, $1, $2", "dddd", 1, {{{0x100000000, 2, 3}, 0x200000003}}},
	{"mad.lo.u16 $d, $0, $1, $2", "hhhh", 1, {{{0xffff, 0xffff, 1}, 2}}},
	{"mad.hi.s32 $d, $0, $1, $2", "rrrr", 1, {{{0x80000000, 2, 5}, 4}}},
	{"mad.hi.u32 $d, $0, $1, $2", "rrrr", 1, {{{0x80000000, 2, 5}, 6}}},
	{"mad.wide.s32 $d, $0, $1, $2", "drrd", 1, {{{0xffffffff, 4, 10}, 6}}},
	{"mad.wide.u32 $d, $0, $1, $2", "drrd", 1, {{{0xffffffff, 4, 10}, 0x400000006}}},
	{"mad.wide.u16 $d, $0, $1, $2", "rhhr", 1, {{{0xffff, 2, 10}, 0x20008}}},
	{"mul24.lo.s32 $d, $0, $1", "rrr", 2, {{{0xffffff, 5}, 0xfffffffb}, {{0x7f000003, 4}, 12}}},
	{"mul24.lo.u32 $d, $0, $1", "rrr", 1, {{{0xffffff, 2}, 0x1fffffe}}},
	{"mul24.hi.u32 $d, $0, $1", "rrr", 1, {{{0xffffff, 0xffffff}, 0xfffffe00}}},
	{"mad24.lo.s32 $d, $0, $1, $2", "rrrr", 1, {{{0xffffff, 5, 7}, 2}}},
	{"sad.s32 $d, $0, $1, $2", "rrrr", 2, {{{0xffffffff, 4, 10}, 15}, {{4, 0xffffffff, 10}, 15}}},
	{"sad.u32 $d, $0, $1, $2", "rrrr", 1, {{{0xffffffff, 4, 10}, 5}}},
	{0},
};

/* The manual leaves a division by zero open; the project's choice is what NVIDIA's code does: all ones, and the
 * dividend. */
static const struct op_case quotients[] = {
	{"div.s32 $d, $0, $1",
	 "rrr",
	 5,
	 {{{7, 2}, 3},
	  {{0xfffffff9, 2}, 0xfffffffd},
	  {{7, 0xfffffffe}, 0xfffffffd},
	  {{0x80000000, 0xffffffff}, 0x80000000},
	  {{5, 0}, 0xffffffff}}},
	{"rem.s32 $d, $0, $1",
	 "rrr",
	 5,
	 {{{7, 2}, 1}, {{0xfffffff9, 2}, 0xffffffff}, {{7, 0xfffffffe}, 1}, {{0x80000000, 0xffffffff}, 0}, {{5, 0}, 5}}},
	{"div.u32 $d, $0, $1", "rrr", 3, {{{0xfffffff9, 2}, 0x7ffffffc}, {{1, 0xffffffff}, 0}, {{5, 0}, 0xffffffff}}},
	{"rem.u32 $d, $0, $1", "rrr", 2, {{{0xfffffff9, 10}, 9}, {{5, 0}, 5}}},
	{"div.s64 $d, $0, $1",
	 "ddd",
	 3,
	 {{{0x8000000000000000, UINT64_MAX}, 0x8000000000000000}, {{100, 7}, 14}, {{1, 0}, UINT64_MAX}}},
	{"rem.s64 $d, $0, $1", "ddd", 2, {{{0x8000000000000000, UINT64_MAX}, 0}, {{(uint64_t)-100, 7}, (uint64_t)-2}}},
	{"div.u64 $d, $0, $1", "ddd", 1, {{{UINT64_MAX, 10}, 1844674407370955161}}},
	{"rem.u64 $d, $0, $1", "ddd", 1, {{{UINT64_MAX, 10}, 5}}},
	{"div.s16 $d, $0, $1", "hhh", 3, {{{0xfff9, 2}, 0xfffd}, {{0x8000, 0xffff}, 0x8000}, {{3, 0}, 0xffff}}},
	{"rem.u16 $d, $0, $1", "hhh", 1, {{{0xffff, 10}, 5}}},
	{0},
};

static const struct op_case extremes[] = {
	{"min.s32 $d, $0, $1", "rrr", 2, {{{0xffffffff, 1}, 0xffffffff}, {{3, 2}, 2}}},
	{"max.s32 $d, $0, $1", "rrr", 1, {{{0xffffffff, 1}, 1}}},
	{"min.u32 $d, $0, $1", "rrr", 1, {{{0xffffffff, 1}, 1}}},
	{"max.u32 $d, $0, $1", "rrr", 1, {{{0xffffffff, 1}, 0xffffffff}}},
	{"min.s64 $d, $0, $1", "ddd", 1, {{{UINT64_MAX, 1}, UINT64_MAX}}},
	{"max.u64 $d, $0, $1", "ddd", 1, {{{UINT64_MAX, 1}, UINT64_MAX}}},
	{"min.s16 $d, $0, $1", "hhh", 1, {{{0x8000, 1}, 0x8000}}},
	{"max.u16 $d, $0, $1", "hhh", 1, {{{0x8000, 1}, 0x8000}}},
	{0},
};

Test(ptx_integer, sums_wrap_unless_they_saturate)
{
	ptx_op_check_all(sums);
}

Test(ptx_integer, products_give_the_half_that_is_asked_for)
{
	ptx_op_check_all(products);
}

Test(ptx_integer, division_truncates_and_never_traps)
{
	ptx_op_check_all(quotients);
}

Test(ptx_integer, minimum_and_maximum_follow_the_sign)
{
	ptx_op_check_all(extremes);
}

/* 0x1_ffffffff_ffffffff + 1 over three words, and the borrow back. */
Test(ptx_integer, a_carry_runs_through_a_chain)
{
	static const struct op_case chain[] = {
		{"add.cc.u32 $d, $0, $1;\naddc.u32 $d, $2, 0",
		 "rrrr",
		 3,
		 {{{0xffffffff, 1, 7}, 8}, {{0xfffffffe, 1, 7}, 7}, {{0, 0, 0xffffffff}, 0xffffffff}}},
		{"add.cc.u32 $d, $0, $1;\naddc.cc.u32 $d, $2, 0;\naddc.u32 $d, $3, $3",
		 "rrrrr",
		 2,
		 {{{0xffffffff, 1, 0xffffffff, 2}, 5}, {{0xffffffff, 1, 0, 2}, 4}}},
		{"sub.cc.u32 $d, $0, $1;\nsubc.u32 $d, $2, 0", "rrrr", 2, {{{0, 1, 7}, 6}, {{1, 1, 7}, 7}}},
		{"mad.lo.cc.u32 $d, $0, $1, $2;\nmadc.hi.u32 $d, $0, $1, $3",
		 "rrrrr",
		 2,
		 {{{0x80000000, 2, 5, 1}, 2}, {{0xffffffff, 0xffffffff, 0xffffffff, 0}, 0xffffffff}}},
		{"add.cc.u64 $d, $0, $1;\naddc.u64 $d, $2, $2", "dddd", 1, {{{UINT64_MAX, 1, 4}, 9}}},
		{0},
	};

	ptx_op_check_all(chain);
}

/* Products of 64-bit numbers by words, as compilers and libraries of long numbers chain them, less the factors as one
 * 128-bit number. */
Test(ptx_integer, chains_of_multiplications_and_differences_give_128_bits)
{
	static const char body[] =
		"ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 16;\n"
		"add.s64 %rd1, %rd1, %rd3; add.s64 %rd2, %rd2, %rd3; ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd1];\n"
		"mul.lo.u32 %r10, %r2, %r4; mul.hi.u32 %r11, %r2, %r4;\n"
		"mad.lo.cc.u32 %r11, %r3, %r4, %r11; madc.hi.u32 %r12, %r3, %r4, 0;\n"
		"mad.lo.cc.u32 %r11, %r2, %r5, %r11; madc.hi.cc.u32 %r12, %r2, %r5, %r12; addc.u32 %r13, 0, 0;\n"
		"mad.lo.cc.u32 %r12, %r3, %r5, %r12; madc.hi.u32 %r13, %r3, %r5, %r13;\n"
		"sub.cc.u32 %r10, %r10, %r2; subc.cc.u32 %r11, %r11, %r3; subc.cc.u32 %r12, %r12, %r4; subc.u32 %r13, %r13, %r5;\n"
		"st.global.v4.u32 [%rd2], {%r10, %r11, %r12, %r13};\n";
	static const uint64_t edges[] = {0, 1, UINT32_MAX, UINT64_C(1) << 32, UINT64_C(1) << 63, UINT64_MAX, UINT64_MAX - 1};
	__extension__ typedef unsigned __int128 wide;
	uint64_t in[512][2], state = 5;
	struct ptx_try t;

	for (unsigned i = 0; i < 512; i++) {
		for (unsigned k = 0; k < 2; k++)
			in[i][k] = random_u64(&state);
		if (i < 49) {
			in[i][0] = edges[i % 7];
			in[i][1] = edges[i / 7];
		}
	}
	ptx_try_threads(&t, body, 512, in, sizeof in / 4);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (unsigned i = 0; i < 512; i++) {
		wide want = (wide)in[i][0] * in[i][1] - ((wide)in[i][1] << 64 | in[i][0]), got;

		memcpy(&got, ptx_try_out(&t) + 4 * i, sizeof got);
		cr_assert(got == want, "%#llx, %#llx", (unsigned long long)in[i][0], (unsigned long long)in[i][1]);
	}
	ptx_try_free(&t);
}
