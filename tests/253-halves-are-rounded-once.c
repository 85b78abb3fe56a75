/* 253: f16, bf16 and pairs of them. f16: 0x3c00 = 1, 0x4000 = 2, 0x7bff = 65504, 0x0001 = 2^-24; bf16: 0x3f80 = 1. */
#include <criterion/criterion.h>

#include "support/ptx_op.h"

static const struct op_case f16[] = {
	/* 1 + 2; 65504 + 65504; inf - inf; 2048 + 1 and 2050 + 1 are ties (to even); 65504 + 16 were one to infinity */
	{"add.f16 $d, $0, $1",
	 "hhh",
	 6,
	 {{{0x3c00, 0x4000}, 0x4200},
	  {{0x7bff, 0x7bff}, 0x7c00},
	  {{0x7c00, 0xfc00}, 0x7fff},
	  {{0x6800, 0x3c00}, 0x6800},
	  {{0x6801, 0x3c00}, 0x6802},
	  {{0x7bff, 0x4c00}, 0x7c00}}},
	{"sub.rn.f16 $d, $0, $1", "hhh", 2, {{{0x3c00, 0x3c00}, 0}, {{0x0400, 0x0001}, 0x03ff}}}, /* to a subnormal */
	{"sub.ftz.f16 $d, $0, $1", "hhh", 2, {{{0x0400, 0x0001}, 0x0400}, {{0x0401, 0x0400}, 0}}},
	{"mul.f16 $d, $0, $1", "hhh", 2, {{{0x4200, 0xc400}, 0xca00}, {{0x0001, 0x3800}, 0}}}, /* 2^-25: a tie */
	{"mul.sat.f16 $d, $0, $1", "hhh", 3, {{{0x4200, 0x4200}, 0x3c00}, {{0xc200, 0x4200}, 0}, {{0x7fff, 0x3c00}, 0}}},
	/* (1 + 2^-10)^2 - 1 = 2^-9 + 2^-20 (not 2^-9, as twice rounded): 0x1801 is 2^-9 + 2^-19, so a tie: to even */
	{"fma.rn.f16 $d, $0, $1, $2",
	 "hhhh",
	 2,
	 {{{0x3c01, 0x3c01, 0xbc00}, 0x1800}, {{0x3c03, 0x3c01, 0xbc00}, 0x1c01}}}, /* 2^-8 + 3 * 2^-20 */
	{"fma.rn.relu.f16 $d, $0, $1, $2", "hhhh", 2, {{{0xbc00, 0x3c00, 0}, 0}, {{0x3c00, 0x3c00, 0x3c00}, 0x4000}}},
	{"neg.f16 $d, $0", "hh", 2, {{{0x3c00}, 0xbc00}, {{0xfe00}, 0x7fff}}},
	{"abs.f16 $d, $0", "hh", 1, {{{0xbc00}, 0x3c00}}},
	{"min.f16 $d, $0, $1", "hhh", 3, {{{0x8000, 0}, 0x8000}, {{0x7e00, 0x3c00}, 0x3c00}, {{0x3c00, 0xbc00}, 0xbc00}}},
	{"max.NaN.f16 $d, $0, $1", "hhh", 2, {{{0x7e00, 0x3c00}, 0x7fff}, {{0, 0x8000}, 0}}},
	{"ex2.approx.f16 $d, $0", "hh", 2, {{{0x4200}, 0x4800}, {{0xbc00}, 0x3800}}}, /* 2^3, 2^-1 */
	{"tanh.approx.f16 $d, $0", "hh", 2, {{{0}, 0}, {{0x4900}, 0x3c00}}},	      /* of 10: 1 - 4e-9 */
	{"setp.lt.f16 $d, $0, $1", "phh", 3, {{{0xbc00, 0x3c00}, 1}, {{0x3c00, 0x3c00}, 0}, {{0x7e00, 0x3c00}, 0}}},
	{"setp.geu.f16 $d, $0, $1", "phh", 2, {{{0x7e00, 0x3c00}, 1}, {{0, 0x8000}, 1}}},
	{0},
};

static const struct op_case pairs[] = {
	{"add.f16x2 $d, $0, $1", "rrr", 1, {{{0x3c004000, 0x40003c00}, 0x42004200}}},
	{"fma.rn.f16x2 $d, $0, $1, $2", "rrrr", 1, {{{0x40003c00, 0x42003c00, 0x3c000000}, 0x47003c00}}}, /* 7, 1 */
	{"neg.f16x2 $d, $0", "rr", 1, {{{0x3c00bc00}, 0xbc003c00}}},
	{"set.lt.f16x2.f16x2 $d, $0, $1", "rrr", 1, {{{0x3c004000, 0x40003c00}, 0x3c000000}}},
	{"set.ge.u32.f16x2 $d, $0, $1", "rrr", 1, {{{0x3c004000, 0x40003c00}, 0x0000ffff}}},
	{"setp.gt.f16x2 $d|%p7, $0, $1", "prr", 1, {{{0x3c004000, 0x40003c00}, 1}}},
	{"fma.rn.bf16x2 $d, $0, $1, $2", "rrrr", 1, {{{0x40003f80, 0x40403f80, 0x3f800000}, 0x40e03f80}}}, /* 7, 1 */
	{"min.bf16x2 $d, $0, $1", "rrr", 1, {{{0x3f80bf80, 0x40003f80}, 0x3f80bf80}}},
	{"cvt.rn.f16x2.f32 $d, $0, $1", "rff", 1, {{{0x3f800000, 0x40000000}, 0x3c004000}}},  /* the upper half first */
	{"cvt.rn.bf16x2.f32 $d, $0, $1", "rff", 1, {{{0x3f808000, 0x3f818000}, 0x3f803f82}}}, /* two ties */
	{"cvt.rz.bf16x2.f32 $d, $0, $1", "rff", 1, {{{0x3f80ffff, 0xff7fffff}, 0x3f80ff7f}}},
	{"cvt.rn.relu.bf16x2.f32 $d, $0, $1", "rff", 1, {{{0xbf800000, 0x3f800000}, 0x00003f80}}},
	{0},
};

static const struct op_case bf16[] = {
	{"add.rn.bf16 $d, $0, $1", "hhh", 2, {{{0x3f80, 0x4000}, 0x4040}, {{0x7f7f, 0x7f7f}, 0x7f80}}},
	/* (1 + 2^-7) 1.5 is a tie between 0x3fc1 and 0x3fc2, to even; with 2^-100 less it is none */
	{"fma.rn.bf16 $d, $0, $1, $2", "hhhh", 2, {{{0x3f81, 0x3fc0, 0}, 0x3fc2}, {{0x3f81, 0x3fc0, 0x8d80}, 0x3fc1}}},
	/* 1.0078125 * 1.125 = 1 + 17.125 / 128; 2.328125^2 = 4 (1 + 45.4 / 128);
	 * 1.0234375 * 1.9921875 = 2 (1 + 2.49 / 128) */
	{"fma.rn.bf16 $d, $0, $1, $2",
	 "hhhh",
	 3,
	 {{{0x3f81, 0x3f90, 0}, 0x3f91}, {{0x4015, 0x4015, 0}, 0x40ad}, {{0x3f83, 0x3fff, 0}, 0x4002}}},
	{"cvt.rn.bf16.f32 $d, $0",
	 "hf",
	 4,
	 {{{0x3f808000}, 0x3f80}, {{0x3f808001}, 0x3f81}, {{0x7fc00001}, 0x7fff}, {{0x7f7fffff}, 0x7f80}}},
	{"cvt.f32.bf16 $d, $0", "fh", 2, {{{0x3f81}, 0x3f810000}, {{0x0001}, 0x00010000}}},
	{"cvt.rn.relu.bf16.f32 $d, $0", "hf", 1, {{{0xbf800000}, 0}}},
	{"cvt.rna.tf32.f32 $d, $0", "rf", 3, {{{0x3f801000}, 0x3f802000}, {{0x3f800fff}, 0x3f800000}, {{0x7f800000}, 0x7f800000}}},
	{"abs.bf16 $d, $0", "hh", 1, {{{0xbf80}, 0x3f80}}},
	{0},
};

Test(ptx_half, f16)
{
	ptx_op_check_all(f16);
}

Test(ptx_half, pairs)
{
	ptx_op_check_all(pairs);
}

Test(ptx_half, bf16_and_tf32)
{
	ptx_op_check_all(bf16);
}
