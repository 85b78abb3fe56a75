/* cvt between all kinds of types. */
#include <criterion/criterion.h>

#include "support/ptx_op.h"

static const struct op_case integers[] = {
	{"cvt.s64.s32 $d, $0", "dr", 2, {{{0xffffffff}, UINT64_MAX}, {{7}, 7}}},
	{"cvt.u64.u32 $d, $0", "dr", 1, {{{0xffffffff}, 0xffffffff}}},
	{"cvt.u64.s32 $d, $0", "dr", 1, {{{0xffffffff}, UINT64_MAX}}},
	{"cvt.u32.u64 $d, $0", "rd", 1, {{{0x123456789}, 0x23456789}}},
	{"cvt.u16.u32 $d, $0", "hr", 1, {{{0x12345}, 0x2345}}},
	{"cvt.s32.s16 $d, $0", "rh", 1, {{{0x8000}, 0xffff8000}}},
	{"cvt.u32.u16 $d, $0", "rh", 1, {{{0x8000}, 0x8000}}},
	{"cvt.s64.s16 $d, $0", "dh", 1, {{{0x8000}, 0xffffffffffff8000}}},
	{"cvt.s32.s8 $d, $0", "rr", 2, {{{0x180}, 0xffffff80}, {{0x7f}, 0x7f}}},
	{"cvt.u32.u8 $d, $0", "rr", 1, {{{0x1ff}, 0xff}}},
	{"cvt.s32.s8 $d, $0", "rh", 1, {{{0xff}, 0xffffffff}}},
	{"cvt.s8.s32 $d, $0", "rr", 1, {{{0x1ff}, 0xffffffff}}},
	{"cvt.u8.u32 $d, $0", "hr", 1, {{{0x1ff}, 0xff}}},
	{"cvt.s16.s8 $d, $0", "hh", 1, {{{0x80}, 0xff80}}},
	{"cvt.sat.u8.s32 $d, $0", "rr", 3, {{{0xffffffff}, 0}, {{300}, 255}, {{77}, 77}}},
	{"cvt.sat.s16.s32 $d, $0", "hr", 2, {{{40000}, 0x7fff}, {{(uint32_t)-40000}, 0x8000}}},
	{"cvt.sat.u32.s32 $d, $0", "rr", 1, {{{0xffffffff}, 0}}},
	{"cvt.sat.s32.u32 $d, $0", "rr", 1, {{{0xffffffff}, 0x7fffffff}}},
	{"cvt.sat.s32.s64 $d, $0", "rd", 2, {{{0x100000000}, 0x7fffffff}, {{(uint64_t)-5}, 0xfffffffb}}},
	{"cvt.sat.s64.u64 $d, $0", "dd", 1, {{{UINT64_MAX}, INT64_MAX}}},
	{0},
};

static const struct op_case to_float[] = {
	{"cvt.rn.f32.s32 $d, $0", "fr", 3, {{{16777217}, 0x4b800000}, {{16777219}, 0x4b800002}, {{0xffffffff}, F_ONE | F_MINUS}}},
	{"cvt.rp.f32.s32 $d, $0", "fr", 1, {{{16777217}, 0x4b800001}}},
	{"cvt.rz.f32.s32 $d, $0", "fr", 1, {{{16777219}, 0x4b800001}}},
	{"cvt.rm.f32.s32 $d, $0", "fr", 1, {{{(uint32_t)-16777217}, 0xcb800001}}},
	{"cvt.rn.f32.u32 $d, $0", "fr", 1, {{{0xffffffff}, 0x4f800000}}},
	{"cvt.rz.f32.u32 $d, $0", "fr", 1, {{{0xffffffff}, 0x4f7fffff}}},
	{"cvt.rn.f32.s64 $d, $0", "fd", 2, {{{UINT64_MAX}, F_ONE | F_MINUS}, {{0x1000001000000001}, 0x5d800001}}},
	{"cvt.rn.f32.u64 $d, $0", "fd", 1, {{{UINT64_MAX}, 0x5f800000}}},
	{"cvt.rz.f32.u64 $d, $0", "fd", 1, {{{UINT64_MAX}, 0x5f7fffff}}},
	{"cvt.rn.f64.s32 $d, $0", "gr", 1, {{{0xffffffff}, D_ONE | D_MINUS}}},
	{"cvt.rn.f64.u32 $d, $0", "gr", 1, {{{0xffffffff}, 0x41efffffffe00000}}},
	{"cvt.rn.f64.u64 $d, $0", "gd", 1, {{{UINT64_MAX}, 0x43f0000000000000}}},
	{"cvt.rz.f64.u64 $d, $0", "gd", 1, {{{UINT64_MAX}, 0x43efffffffffffff}}},
	{"cvt.rn.f32.u8 $d, $0", "fh", 1, {{{0x1ff}, 0x437f0000}}},
	{"cvt.rn.f32.s8 $d, $0", "fr", 1, {{{0xff}, F_ONE | F_MINUS}}},
	{"cvt.rn.f32.u16 $d, $0", "fh", 1, {{{0xffff}, 0x477fff00}}},
	{"cvt.f64.f32 $d, $0", "gf", 3, {{{F_ONE}, D_ONE}, {{1}, 0x36a0000000000000}, {{F_INF | F_MINUS}, D_INF | D_MINUS}}},
	{"cvt.ftz.f64.f32 $d, $0", "gf", 1, {{{0x80000001}, D_MINUS}}},
	{"cvt.rn.f32.f64 $d, $0",
	 "fg",
	 5,
	 {{{0x3ff0000010000000}, F_ONE},
	  {{0x3ff0000010000001}, 0x3f800001},
	  {{0x7e37e43c8800759c}, F_INF},
	  {{D_NAN}, F_NAN},
	  {{0x3730000000000000}, 0x200}}},
	{"cvt.rz.f32.f64 $d, $0", "fg", 2, {{{0x3ff0000010000001}, F_ONE}, {{0x7e37e43c8800759c}, F_MAX}}},
	{"cvt.rm.f32.f64 $d, $0", "fg", 1, {{{0xbff0000010000001}, 0xbf800001}}},
	{"cvt.rp.f32.f64 $d, $0", "fg", 1, {{{0x3ff0000000000001}, 0x3f800001}}},
	{"cvt.rn.ftz.f32.f64 $d, $0", "fg", 1, {{{0x3730000000000000}, 0}}}, /* 2^-140 */
	{"cvt.sat.f32.f32 $d, $0",
	 "ff",
	 4,
	 {{{0x40000000}, F_ONE}, {{F_ONE | F_MINUS}, 0}, {{F_QNAN}, 0}, {{0x3e800000}, 0x3e800000}}},
	{"cvt.ftz.f32.f32 $d, $0", "ff", 1, {{{1}, 0}}},
	{0},
};

/* 2.5, 3.5, -2.5, -0.5, 3e9, 5e9 */
#define F_2_5 0x40200000
#define F_3_5 0x40600000
#define F_3E9 0x4f32d05e
#define F_5E9 0x4f9502f9

static const struct op_case to_integer[] = {
	{"cvt.rni.s32.f32 $d, $0", "rf", 4, {{{F_2_5}, 2}, {{F_3_5}, 4}, {{F_2_5 | F_MINUS}, (uint32_t)-2}, {{0xbf000000}, 0}}},
	{"cvt.rzi.s32.f32 $d, $0",
	 "rf",
	 6,
	 {{{F_3_5}, 3},
	  {{F_3_5 | F_MINUS}, (uint32_t)-3},
	  {{F_3E9}, 0x7fffffff},
	  {{F_3E9 | F_MINUS}, 0x80000000},
	  {{F_QNAN}, 0},
	  {{F_INF}, 0x7fffffff}}},
	{"cvt.rmi.s32.f32 $d, $0", "rf", 2, {{{F_3_5}, 3}, {{F_3_5 | F_MINUS}, (uint32_t)-4}}},
	{"cvt.rpi.s32.f32 $d, $0", "rf", 2, {{{F_3_5}, 4}, {{F_3_5 | F_MINUS}, (uint32_t)-3}}},
	{"cvt.rzi.u32.f32 $d, $0",
	 "rf",
	 5,
	 {{{F_3E9}, 3000000000}, {{F_5E9}, 0xffffffff}, {{F_ONE | F_MINUS}, 0}, {{F_QNAN}, 0}, {{0xbf000000}, 0}}},
	{"cvt.rni.u32.f32 $d, $0", "rf", 1, {{{F_2_5}, 2}}},
	{"cvt.rzi.s64.f32 $d, $0",
	 "df",
	 4,
	 {{{F_3E9}, 3000000000}, {{F_INF}, INT64_MAX}, {{F_INF | F_MINUS}, 0x8000000000000000}, {{F_QNAN}, 0x8000000000000000}}},
	{"cvt.rzi.u64.f32 $d, $0", "df", 3, {{{F_5E9}, 5000000000}, {{F_ONE | F_MINUS}, 0}, {{F_INF}, UINT64_MAX}}},
	{"cvt.rzi.s32.f64 $d, $0",
	 "rg",
	 3,
	 {{{0xc1e0000000000000}, 0x80000000}, {{0x41dfffffffc00000}, 0x7fffffff}, {{D_NAN}, 0x80000000}}},
	{"cvt.rni.s64.f64 $d, $0", "dg", 2, {{{0x4004000000000000}, 2}, {{0x43e0000000000000}, INT64_MAX}}},
	{"cvt.rzi.u8.f32 $d, $0", "hf", 2, {{{0x43960000}, 255}, {{0xc0a00000}, 0}}},
	{"cvt.rzi.s8.f32 $d, $0", "hf", 1, {{{0xc3480000}, 0xff80}}},
	{"cvt.rni.f32.f32 $d, $0", "ff", 2, {{{F_2_5}, 0x40000000}, {{F_3_5}, 0x40800000}}},
	{"cvt.rmi.f32.f32 $d, $0", "ff", 1, {{{0xbf000000}, F_ONE | F_MINUS}}},
	{"cvt.rzi.f32.f32 $d, $0", "ff", 1, {{{0xbf000000}, F_MINUS}}},
	{"cvt.rpi.f64.f64 $d, $0", "gg", 1, {{{0x4004000000000000}, 0x4008000000000000}}},
	{0},
};

static const struct op_case halves[] = {
	{"cvt.f32.f16 $d, $0",
	 "fh",
	 5,
	 {{{0x3c00}, F_ONE}, {{1}, 0x33800000}, {{0xfc00}, F_INF | F_MINUS}, {{0x7e00}, F_NAN}, {{0x7bff}, 0x477fe000}}},
	{"cvt.f64.f16 $d, $0", "gh", 1, {{{0xc000}, 0xc000000000000000}}},
	/* 65504 is the largest, 65520 is half way to the next; 2^-24 the smallest, 2^-25 half of it */
	{"cvt.rn.f16.f32 $d, $0",
	 "hf",
	 8,
	 {{{F_ONE}, 0x3c00},
	  {{0x477fe000}, 0x7bff},
	  {{0x477ff000}, 0x7c00},
	  {{0x477fefff}, 0x7bff},
	  {{0x33800000}, 1},
	  {{0x33000000}, 0},
	  {{0x33400000}, 1},
	  {{F_QNAN}, 0x7fff}}},
	{"cvt.rz.f16.f32 $d, $0", "hf", 2, {{{0x477ff000}, 0x7bff}, {{0x33400000}, 0}}},
	{"cvt.rp.f16.f32 $d, $0", "hf", 1, {{{0x33000000}, 1}}},
	{0},
};

Test(ptx_convert, integers_are_extended_cut_or_clamped)
{
	ptx_op_check_all(integers);
}

Test(ptx_convert, numbers_become_floats_by_one_rounding)
{
	ptx_op_check_all(to_float);
}

Test(ptx_convert, floats_become_integers_that_clamp)
{
	ptx_op_check_all(to_integer);
}

Test(ptx_convert, half_precision_is_read_and_written)
{
	ptx_op_check_all(halves);
}
