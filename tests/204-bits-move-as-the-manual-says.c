/* Logic, shifts, bit fields, permutations, selection. */
#include <criterion/criterion.h>

#include "support/ptx_op.h"

static const struct op_case logic[] = {
	{"and.b32 $d, $0, $1", "rrr", 1, {{{0xff00ff00, 0x0ff00ff0}, 0x0f000f00}}},
	{"or.b32 $d, $0, $1", "rrr", 1, {{{0xff00ff00, 0x0ff00ff0}, 0xfff0fff0}}},
	{"xor.b64 $d, $0, $1", "ddd", 1, {{{0xff00ff00ff00ff00, 0x0ff00ff00ff00ff0}, 0xf0f0f0f0f0f0f0f0}}},
	{"not.b16 $d, $0", "hh", 1, {{{0x00ff}, 0xff00}}},
	{"not.b64 $d, $0", "dd", 1, {{{0}, UINT64_MAX}}},
	{"cnot.b32 $d, $0", "rr", 2, {{{0}, 1}, {{5}, 0}}},
	{"and.pred $d, $0, $1", "ppp", 4, {{{0, 0}, 0}, {{0, 1}, 0}, {{1, 0}, 0}, {{1, 1}, 1}}},
	{"or.pred $d, $0, $1", "ppp", 4, {{{0, 0}, 0}, {{0, 1}, 1}, {{1, 0}, 1}, {{1, 1}, 1}}},
	{"xor.pred $d, $0, $1", "ppp", 4, {{{0, 0}, 0}, {{0, 1}, 1}, {{1, 0}, 1}, {{1, 1}, 0}}},
	{"not.pred $d, $0", "pp", 2, {{{0}, 1}, {{1}, 0}}},
	{"mov.pred $d, $0", "pp", 2, {{{0}, 0}, {{1}, 1}}},
	/* a ^ b ^ c; majority */
	{"lop3.b32 $d, $0, $1, $2, 0x96", "rrrr", 1, {{{0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa}, 0x96969696}}},
	{"lop3.b32 $d, $0, $1, $2, 0xe8", "rrrr", 1, {{{0xffff0000, 0xff00ff00, 0xf0f0f0f0}, 0xfff0f000}}},
	{0},
};

/* A shift by the width or more gives 0, or copies of the sign. */
static const struct op_case shifts[] = {
	{"shl.b32 $d, $0, $1", "rrr", 4, {{{1, 31}, 0x80000000}, {{1, 32}, 0}, {{1, 0xffffffff}, 0}, {{5, 0}, 5}}},
	{"shr.u32 $d, $0, $1", "rrr", 3, {{{0x80000000, 31}, 1}, {{0x80000000, 32}, 0}, {{0x80000000, 200}, 0}}},
	{"shr.s32 $d, $0, $1",
	 "rrr",
	 4,
	 {{{0x80000000, 31}, 0xffffffff}, {{0x80000000, 32}, 0xffffffff}, {{0x7fffffff, 99}, 0}, {{0xfffffff8, 1}, 0xfffffffc}}},
	{"shr.b32 $d, $0, $1", "rrr", 1, {{{0x80000000, 4}, 0x08000000}}},
	{"shl.b64 $d, $0, $1", "ddr", 3, {{{1, 63}, 0x8000000000000000}, {{1, 64}, 0}, {{3, 32}, 0x300000000}}},
	{"shr.s64 $d, $0, $1", "ddr", 2, {{{0x8000000000000000, 64}, UINT64_MAX}, {{0x8000000000000000, 60}, 0xfffffffffffffff8}}},
	{"shr.u64 $d, $0, $1", "ddr", 2, {{{0x8000000000000000, 63}, 1}, {{0x8000000000000000, 64}, 0}}},
	{"shl.b16 $d, $0, $1", "hhr", 3, {{{1, 15}, 0x8000}, {{1, 16}, 0}, {{0xffff, 4}, 0xfff0}}},
	{"shr.s16 $d, $0, $1", "hhr", 2, {{{0x8000, 15}, 0xffff}, {{0x8000, 100}, 0xffff}}},
	{"shr.u16 $d, $0, $1", "hhr", 2, {{{0x8000, 15}, 1}, {{0x8000, 16}, 0}}},
	{"shf.l.wrap.b32 $d, $0, $1, $2",
	 "rrrr",
	 2,
	 {{{0x89abcdef, 0x01234567, 8}, 0x23456789}, {{0x89abcdef, 0x01234567, 40}, 0x23456789}}},
	{"shf.r.wrap.b32 $d, $0, $1, $2",
	 "rrrr",
	 2,
	 {{{0x89abcdef, 0x01234567, 8}, 0x6789abcd}, {{0x89abcdef, 0x01234567, 32}, 0x89abcdef}}},
	{"shf.l.clamp.b32 $d, $0, $1, $2", "rrrr", 1, {{{0x89abcdef, 0x01234567, 40}, 0x89abcdef}}},
	{"shf.r.clamp.b32 $d, $0, $1, $2", "rrrr", 1, {{{0x89abcdef, 0x01234567, 40}, 0x01234567}}},
	{0},
};

static const struct op_case fields[] = {
	{"popc.b32 $d, $0", "rr", 3, {{{0}, 0}, {{0xffffffff}, 32}, {{0x80000001}, 2}}},
	{"popc.b64 $d, $0", "rd", 1, {{{0xff000000000000ff}, 16}}},
	{"clz.b32 $d, $0", "rr", 3, {{{0}, 32}, {{1}, 31}, {{0x80000000}, 0}}},
	{"clz.b64 $d, $0", "rd", 2, {{{0}, 64}, {{0x100000000}, 31}}},
	{"brev.b32 $d, $0", "rr", 2, {{{1}, 0x80000000}, {{0x12345678}, 0x1e6a2c48}}},
	{"brev.b64 $d, $0", "dd", 1, {{{0x12345678}, 0x1e6a2c4800000000}}},
	{"bfind.u32 $d, $0", "rr", 3, {{{0}, 0xffffffff}, {{1}, 0}, {{0x80000000}, 31}}},
	{"bfind.s32 $d, $0", "rr", 3, {{{0xffffffff}, 0xffffffff}, {{0xfffffff0}, 3}, {{0x40000000}, 30}}},
	{"bfind.u64 $d, $0", "rd", 1, {{{0x100000000}, 32}}},
	{"bfind.shiftamt.u32 $d, $0", "rr", 2, {{{1}, 31}, {{0}, 0xffffffff}}},
	/* position and length are taken modulo 256; above the top are copies of the sign, or 0 */
	{"bfe.u32 $d, $0, $1, $2",
	 "rrrr",
	 5,
	 {{{0x12345678, 8, 8}, 0x56},
	  {{0x12345678, 28, 8}, 1},
	  {{0x12345678, 0, 32}, 0x12345678},
	  {{0xffffffff, 4, 0}, 0},
	  {{0xffffffff, 40, 8}, 0}}},
	{"bfe.s32 $d, $0, $1, $2",
	 "rrrr",
	 5,
	 {{{0x0000f800, 8, 8}, 0xfffffff8},
	  {{0x00007800, 8, 8}, 0x78},
	  {{0x80000000, 28, 8}, 0xfffffff8},
	  {{0x80000000, 40, 8}, 0xffffffff},
	  {{0xffffffff, 0, 0}, 0}}},
	{"bfe.u64 $d, $0, $1, $2", "ddrr", 2, {{{0x123456789abcdef0, 60, 8}, 1}, {{0x123456789abcdef0, 8, 16}, 0xbcde}}},
	{"bfe.s64 $d, $0, $1, $2", "ddrr", 1, {{{0x00000000ff000000, 24, 8}, UINT64_MAX}}},
	{"bfi.b32 $d, $0, $1, $2, $3",
	 "rrrrr",
	 5,
	 {{{0xab, 0x12345678, 8, 8}, 0x1234ab78},
	  {{0xfff, 0, 28, 8}, 0xf0000000},
	  {{0xff, 5, 0, 0}, 5},
	  {{0xff, 5, 40, 8}, 5},
	  {{0x1234, 0, 0, 255}, 0x1234}}},
	{"bfi.b64 $d, $0, $1, $2, $3", "dddrr", 1, {{{0xab, 0, 56, 8}, 0xab00000000000000}}},
	{"prmt.b32 $d, $0, $1, $2",
	 "rrrr",
	 4,
	 {{{0x33221100, 0x77665544, 0x3210}, 0x33221100},
	  {{0x33221100, 0x77665544, 0x7654}, 0x77665544},
	  {{0x33221100, 0x77665544, 0x0167}, 0x00116677},
	  {{0x33228000, 0x77665544, 0x1199}, 0x8080ffff}}},
	{"prmt.b32.f4e $d, $0, $1, $2", "rrrr", 1, {{{0x33221100, 0x77665544, 1}, 0x44332211}}},
	{"prmt.b32.b4e $d, $0, $1, $2", "rrrr", 1, {{{0x33221100, 0x77665544, 0}, 0x55667700}}},
	{"prmt.b32.rc8 $d, $0, $1, $2", "rrrr", 1, {{{0x33221100, 0x77665544, 2}, 0x22222222}}},
	{"prmt.b32.ecl $d, $0, $1, $2", "rrrr", 1, {{{0x33221100, 0x77665544, 2}, 0x33222222}}},
	{"prmt.b32.ecr $d, $0, $1, $2", "rrrr", 1, {{{0x33221100, 0x77665544, 2}, 0x22221100}}},
	{"prmt.b32.rc16 $d, $0, $1, $2", "rrrr", 1, {{{0x33221100, 0x77665544, 1}, 0x33223322}}},
	{0},
};

static const struct op_case moves[] = {
	{"mov.b32 $d, $0", "rr", 1, {{{0x12345678}, 0x12345678}}},
	{"mov.b32 $d, $0", "rf", 1, {{{F_QNAN}, F_QNAN}}},
	{"mov.u64 $d, $0", "dd", 1, {{{0x123456789abcdef0}, 0x123456789abcdef0}}},
	{"mov.f64 $d, 0d400921FB54442D18", "gg", 1, {{{0}, 0x400921fb54442d18}}},
	{"mov.f32 $d, 0f40490FDB", "ff", 1, {{{0}, 0x40490fdb}}},
	{"mov.b64 $d, {$0, $1}", "drr", 1, {{{0x89abcdef, 0x01234567}, 0x0123456789abcdef}}},
	{"mov.b32 $d, {$0, $1}", "rhh", 1, {{{0x5678, 0x1234}, 0x12345678}}},
	{"mov.b64 {$d, _}, $0", "rd", 1, {{{0x0123456789abcdef}, 0x89abcdef}}},
	{"mov.b64 {_, $d}, $0", "rd", 1, {{{0x0123456789abcdef}, 0x01234567}}},
	{"mov.b32 {_, $d}, $0", "hr", 1, {{{0x12345678}, 0x1234}}},
	{"selp.b32 $d, $0, $1, $2", "rrrp", 2, {{{1, 2, 0}, 2}, {{1, 2, 1}, 1}}},
	{"selp.f64 $d, $0, $1, $2", "gggp", 2, {{{D_ONE, D_INF, 0}, D_INF}, {{D_ONE, D_INF, 1}, D_ONE}}},
	{"selp.s16 $d, $0, -2, $1", "hhp", 2, {{{7, 0}, 0xfffe}, {{7, 1}, 7}}},
	{"slct.u32.s32 $d, $0, $1, $2", "rrrr", 3, {{{1, 2, 0}, 1}, {{1, 2, 0xffffffff}, 2}, {{1, 2, 5}, 1}}},
	{"slct.b64.f32 $d, $0, $1, $2",
	 "dddf",
	 4,
	 {{{1, 2, F_MINUS}, 1}, {{1, 2, F_ONE}, 1}, {{1, 2, F_ONE | F_MINUS}, 2}, {{1, 2, F_NAN}, 2}}},
	{0},
};

Test(ptx_bits, logic_works_bit_by_bit)
{
	ptx_op_check_all(logic);
}

Test(ptx_bits, a_shift_by_the_width_or_more_empties_the_register)
{
	ptx_op_check_all(shifts);
}

Test(ptx_bits, fields_are_counted_found_taken_and_put)
{
	ptx_op_check_all(fields);
}

Test(ptx_bits, values_are_moved_packed_and_selected)
{
	ptx_op_check_all(moves);
}
