/* setp, set, testp. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "support/ptx_op.h"

/* less, equal, greater, unordered: the answers of each float comparison in that order */
static const struct {
	const char *op;
	unsigned want[4];
} relations[] = {
	{"eq", {0, 1, 0, 0}},  {"ne", {1, 0, 1, 0}},  {"lt", {1, 0, 0, 0}},  {"le", {1, 1, 0, 0}},  {"gt", {0, 0, 1, 0}},
	{"ge", {0, 1, 1, 0}},  {"equ", {0, 1, 0, 1}}, {"neu", {1, 0, 1, 1}}, {"ltu", {1, 0, 0, 1}}, {"leu", {1, 1, 0, 1}},
	{"gtu", {0, 0, 1, 1}}, {"geu", {0, 1, 1, 1}}, {"num", {1, 1, 1, 0}}, {"nan", {0, 0, 0, 1}},
};

Test(ptx_compare, float_comparisons_answer_for_every_order)
{
	for (unsigned i = 0; i < sizeof relations / sizeof relations[0]; i++) {
		const unsigned *w = relations[i].want;
		char text[64];
		struct op_case f = {text,
				    "pff",
				    6,
				    {{{F_ONE, 0x40000000}, w[0]},
				     {{F_ONE, F_ONE}, w[1]},
				     {{0, F_MINUS}, w[1]},
				     {{0x40000000, F_ONE}, w[2]},
				     {{F_NAN, F_ONE}, w[3]},
				     {{F_ONE, F_QNAN}, w[3]}}};
		struct op_case d = {
			text,
			"pgg",
			4,
			{{{D_ONE, D_INF}, w[0]}, {{D_ONE, D_ONE}, w[1]}, {{D_INF, D_ONE}, w[2]}, {{D_NAN, D_NAN}, w[3]}}};

		snprintf(text, sizeof text, "setp.%s.f32 $d, $0, $1", relations[i].op);
		ptx_op_check(&f);
		snprintf(text, sizeof text, "setp.%s.f64 $d, $0, $1", relations[i].op);
		ptx_op_check(&d);
	}
}

Test(ptx_compare, integer_comparisons_follow_the_sign)
{
	static const struct op_case cases[] = {
		{"setp.lt.s32 $d, $0, $1", "prr", 2, {{{0xffffffff, 0}, 1}, {{0, 0xffffffff}, 0}}},
		{"setp.lt.u32 $d, $0, $1", "prr", 2, {{{0xffffffff, 0}, 0}, {{0, 0xffffffff}, 1}}},
		{"setp.lo.u32 $d, $0, $1", "prr", 1, {{{0, 0xffffffff}, 1}}},
		{"setp.hs.u32 $d, $0, $1", "prr", 2, {{{5, 5}, 1}, {{4, 5}, 0}}},
		{"setp.le.s64 $d, $0, $1", "pdd", 2, {{{UINT64_MAX, 0}, 1}, {{1, 0}, 0}}},
		{"setp.ge.u64 $d, $0, $1", "pdd", 2, {{{UINT64_MAX, 0}, 1}, {{0, 1}, 0}}},
		{"setp.gt.s16 $d, $0, $1", "phh", 2, {{{0x7fff, 0x8000}, 1}, {{0x8000, 0x7fff}, 0}}},
		{"setp.gt.u16 $d, $0, $1", "phh", 1, {{{0x8000, 0x7fff}, 1}}},
		{"setp.eq.b32 $d, $0, $1", "prr", 2, {{{7, 7}, 1}, {{7, 8}, 0}}},
		{"setp.ne.b64 $d, $0, $1", "pdd", 2, {{{0x100000007, 7}, 1}, {{7, 7}, 0}}},
		{"setp.eq.s32 $d, $0, -1", "pr", 2, {{{0xffffffff}, 1}, {{1}, 0}}},
		{0},
	};

	ptx_op_check_all(cases);
}

Test(ptx_compare, a_comparison_combines_with_a_predicate_and_has_a_second_answer)
{
	static const struct op_case cases[] = {
		{"setp.lt.and.s32 $d, $0, $1, $2", "prrp", 4, {{{1, 2, 1}, 1}, {{1, 2, 0}, 0}, {{2, 1, 1}, 0}, {{2, 1, 0}, 0}}},
		{"setp.lt.or.s32 $d, $0, $1, !$2", "prrp", 4, {{{1, 2, 1}, 1}, {{1, 2, 0}, 1}, {{2, 1, 1}, 0}, {{2, 1, 0}, 1}}},
		{"setp.lt.xor.f32 $d, $0, $1, $2", "pffp", 2, {{{F_ONE, F_INF, 1}, 0}, {{F_NAN, F_INF, 1}, 1}}},
		/* q is the combination with the comparison's opposite */
		{"setp.lt.and.s32 _|$d, $0, $1, $2", "prrp", 4, {{{1, 2, 1}, 0}, {{1, 2, 0}, 0}, {{2, 1, 1}, 1}, {{2, 1, 0}, 0}}},
		{"setp.eq.s32 %p6|$d, $0, $1", "prr", 2, {{{1, 1}, 0}, {{1, 2}, 1}}},
		{"setp.lt.ftz.f32 $d, $0, $1", "pff", 2, {{{0, 1}, 0}, {{0, 0x00800000}, 1}}},
		{"set.lt.u32.f32 $d, $0, $1", "rff", 2, {{{F_ONE, F_INF}, 0xffffffff}, {{F_INF, F_ONE}, 0}}},
		{"set.gt.f32.s32 $d, $0, $1", "frr", 2, {{{1, 0xffffffff}, F_ONE}, {{0xffffffff, 1}, 0}}},
		{"set.eq.and.u32.u32 $d, $0, $1, $2", "rrrp", 2, {{{3, 3, 1}, 0xffffffff}, {{3, 3, 0}, 0}}},
		{0},
	};

	ptx_op_check_all(cases);
}

Test(ptx_compare, testp_says_what_a_float_is)
{
	static const struct op_case cases[] = {
		{"testp.finite.f32 $d, $0", "pf", 3, {{{F_MAX}, 1}, {{F_INF}, 0}, {{F_NAN}, 0}}},
		{"testp.infinite.f32 $d, $0", "pf", 2, {{{F_INF | F_MINUS}, 1}, {{F_MAX}, 0}}},
		{"testp.number.f64 $d, $0", "pg", 2, {{{D_INF}, 1}, {{D_NAN}, 0}}},
		{"testp.notanumber.f32 $d, $0", "pf", 2, {{{F_QNAN}, 1}, {{F_INF}, 0}}},
		{"testp.normal.f32 $d, $0", "pf", 3, {{{F_ONE}, 1}, {{1}, 0}, {{0}, 0}}},
		{"testp.subnormal.f32 $d, $0", "pf", 3, {{{1}, 1}, {{0}, 0}, {{0x00800000}, 0}}},
		{0},
	};

	ptx_op_check_all(cases);
}
