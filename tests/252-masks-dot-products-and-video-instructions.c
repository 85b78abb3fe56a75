/* 252: bmsk, szext, fns, dp4a, dp2a and the video instructions, as the manual's pseudo-code has them. */
#include <criterion/criterion.h>

#include "support/ptx_op.h"

static const struct op_case masks[] = {
	{"bmsk.clamp.b32 $d, $0, $1",
	 "rrr",
	 6,
	 {{{4, 8}, 0xff0}, {{0, 32}, 0xffffffff}, {{28, 8}, 0xf0000000}, {{0, 40}, 0xffffffff}, {{32, 3}, 0}, {{5, 0}, 0}}},
	{"bmsk.wrap.b32 $d, $0, $1", "rrr", 3, {{{36, 8}, 0xff0}, {{0, 32}, 0}, {{31, 33}, 0x80000000}}},
	{"szext.clamp.s32 $d, $0, $1",
	 "rrr",
	 4,
	 {{{0xfff8, 4}, 0xfffffff8}, {{7, 4}, 7}, {{0x80000000, 40}, 0x80000000}, {{5, 0}, 0}}},
	{"szext.wrap.u32 $d, $0, $1", "rrr", 2, {{{0xfff8, 36}, 8}, {{0xffffffff, 32}, 0}}},
	/* bits 1, 4, 5, 31 */
	{"fns.b32 $d, $0, $1, $2",
	 "rrrr",
	 7,
	 {{{0x80000032, 0, 1}, 1},
	  {{0x80000032, 0, 3}, 5},
	  {{0x80000032, 4, 1}, 4},
	  {{0x80000032, 0, 5}, 0xffffffff},
	  {{0x80000032, 31, 0xfffffffe}, 5},
	  {{0x80000032, 4, 0}, 4},
	  {{0x80000032, 3, 0}, 0xffffffff}}},
	{0},
};

static const struct op_case dots[] = {
	/* 1*5 + 2*6 + 3*7 + 255*255 + 10; the last pair signed: -1 * -1 */
	{"dp4a.u32.u32 $d, $0, $1, $2", "rrrr", 1, {{{0xff030201, 0xff070605, 10}, 65073}}},
	{"dp4a.s32.s32 $d, $0, $1, $2", "rrrr", 1, {{{0xff030201, 0xff070605, 10}, 49}}},
	{"dp4a.s32.u32 $d, $0, $1, $2", "rrrr", 1, {{{0xff030201, 0xff070605, 10}, 0xffffff31}}}, /* 48 - 255 */
	/* halves 2 and -3 by bytes 5, 6 (lo) or 7, -1 (hi) */
	{"dp2a.lo.s32.s32 $d, $0, $1, $2", "rrrr", 1, {{{0xfffd0002, 0xff070605, 1}, 0xfffffff9}}}, /* 10 - 18 + 1 */
	{"dp2a.hi.s32.s32 $d, $0, $1, $2", "rrrr", 1, {{{0xfffd0002, 0xff070605, 1}, 18}}},	    /* 14 + 3 + 1 */
	{0},
};

static const struct op_case video[] = {
	{"vadd.s32.s32.s32.sat $d, $0, $1", "rrr", 2, {{{0x7fffffff, 1}, 0x7fffffff}, {{0x80000000, 0xffffffff}, 0x80000000}}},
	{"vadd.u32.s32.u32.sat $d, $0, $1", "rrr", 2, {{{0xffffffff, 0}, 0}, {{0x7fffffff, 0xffffffff}, 0xffffffff}}},
	{"vadd.s32.s32.s32 $d, $0.b1, $1.h1", "rrr", 1, {{{0x0000ff00, 0xfffe0000}, 0xfffffffd}}}, /* -1 + -2 */
	{"vsub.s32.u32.u32 $d, $0.b3, $1.b0", "rrr", 1, {{{0x05000000, 0x00000007}, 0xfffffffe}}},
	{"vabsdiff.u32.s32.s32.add $d, $0, $1, $2", "rrrr", 1, {{{0xffffffff, 9, 100}, 110}}},
	{"vmin.s32.s32.s32 $d, $0, $1", "rrr", 1, {{{0xffffffff, 9}, 0xffffffff}}},
	{"vmax.u32.u32.u32.min $d, $0, $1, $2", "rrrr", 1, {{{4, 9, 6}, 6}}},
	/* merged into a byte of c, saturated to it */
	{"vadd.u32.u32.u32.sat $d.b2, $0, $1, $2", "rrrr", 1, {{{200, 100, 0x11223344}, 0x11ff3344}}},
	{"vshl.u32.u32.u32.wrap $d, $0, $1", "rrr", 1, {{{3, 33}, 6}}},
	{"vshr.s32.s32.u32.clamp $d, $0, $1", "rrr", 1, {{{0x80000000, 50}, 0xffffffff}}},
	{"vmad.s32.s32.s32.shr7 $d, $0, $1, $2", "rrrr", 1, {{{300, 100, 56}, 234}}}, /* 30056 / 128 = 234.8 */
	{"vmad.u32.u32.u32.po $d, $0.h0, $1.b1, $2", "rrrr", 1, {{{0xabcd0003, 0x0400, 5}, 18}}},
	{"vset.s32.s32.lt $d, $0, $1", "rrr", 2, {{{0xffffffff, 0}, 1}, {{0, 0}, 0}}},
	{"vset.u32.u32.ge.add $d, $0, $1, $2", "rrrr", 1, {{{5, 5, 41}, 42}}},
	{0},
};

static const struct op_case simd[] = {
	{"vadd4.u32.u32.u32 $d, $0, $1, $2", "rrrr", 1, {{{0xff010203, 0x01010101, 0}, 0x00020304}}},
	{"vadd4.u32.u32.u32.sat $d, $0, $1, $2", "rrrr", 1, {{{0xff010203, 0x01010101, 0}, 0xff020304}}},
	{"vadd2.s32.s32.s32.sat $d, $0, $1, $2", "rrrr", 1, {{{0x7fff8000, 0x0001ffff, 0}, 0x7fff8000}}},
	{"vsub2.s32.s32.s32 $d, $0, $1, $2", "rrrr", 1, {{{0x00010000, 0x00020001, 0}, 0xffffffff}}},
	{"vabsdiff4.u32.u32.u32 $d, $0, $1, $2", "rrrr", 1, {{{0x01ff0310, 0x02010410, 0}, 0x01fe0100}}},
	{"vabsdiff4.u32.u32.u32.add $d, $0, $1, $2", "rrrr", 1, {{{0x01ff0310, 0x02010410, 7}, 263}}}, /* 256 + 7 */
	{"vabsdiff4.u32.s32.s32 $d, $0, $1, $2", "rrrr", 1, {{{0x80000000, 0x7f000000, 0}, 0xff000000}}},
	{"vmin4.s32.s32.s32 $d, $0, $1, $2", "rrrr", 1, {{{0xff017f80, 0x00000000, 0}, 0xff000080}}},
	{"vmax2.u32.u32.u32 $d, $0, $1, $2", "rrrr", 1, {{{0xffff0001, 0x00010002, 0}, 0xffff0002}}},
	{"vavrg4.u32.u32.u32 $d, $0, $1, $2", "rrrr", 1, {{{0x01ff0305, 0x02ff0400, 0}, 0x02ff0403}}},
	{"vset4.u32.u32.lt $d, $0, $1, $2", "rrrr", 1, {{{0x01020304, 0x02020202, 0}, 0x01000000}}},
	{"vset2.s32.s32.ne.add $d, $0, $1, $2", "rrrr", 1, {{{0x00010002, 0x00010003, 40}, 41}}},
	{0},
};

Test(ptx_video, masks_and_extensions)
{
	ptx_op_check_all(masks);
}

Test(ptx_video, dot_products_of_bytes)
{
	ptx_op_check_all(dots);
}

Test(ptx_video, scalar_ones_select_saturate_and_merge)
{
	ptx_op_check_all(video);
}

Test(ptx_video, those_of_parts_work_on_each)
{
	ptx_op_check_all(simd);
}
