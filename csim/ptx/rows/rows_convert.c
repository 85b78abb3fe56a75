/* The conversions that compilers emit most, registers of just the type's size; all others go through exec_convert.c. */
#include <math.h>

#include "ptx/rows/rows.h"

ROW1(s64_s32, lane_s64, lane_s32, a[l])
ROW1(u64_u32, lane_u64, lane_u32, a[l])
ROW1(b32_b64, lane_u32, lane_u64, a[l])
ROW1(s32_s16, lane_s32, lane_s16, a[l])
ROW1(u32_u16, lane_u32, lane_u16, a[l])
ROW1(s64_s16, lane_s64, lane_s16, a[l])
ROW1(u64_u16, lane_u64, lane_u16, a[l])
ROW1(b16_b32, lane_u16, lane_u32, a[l])
ROW1(b16_b64, lane_u16, lane_u64, a[l])
ROW1(f32_s32, lane_f32, lane_s32, (float)a[l])
ROW1(f32_u32, lane_f32, lane_u32, (float)a[l])
ROW1(f64_s32, lane_f64, lane_s32, a[l])
ROW1(f64_u32, lane_f64, lane_u32, a[l])

static inline float narrow(double v)
{
	union {
		uint32_t bits;
		float nan;
	} canonical = {0x7fffffff};

	return v == v ? (float)v : canonical.nan;
}
ROW1(f64_f32, lane_f64, lane_f32, a[l])
ROW1(f32_f64, lane_f32, lane_f64, narrow(a[l]))

/* Clamped to the range; NaN is neither above nor below and is made 0. Both bounds are floats. */
static inline int32_t to_s32(float v)
{
	return v >= 0x1p31f ? INT32_MAX : v >= -0x1p31f ? (int32_t)v : v != v ? 0 : INT32_MIN;
}
static inline uint32_t to_u32(float v)
{
	return v >= 0x1p32f ? UINT32_MAX : v > 0 ? (uint32_t)(int64_t)v : 0;
}
ROW1(rzi_s32_f32, lane_s32, lane_f32, to_s32(a[l]))
ROW1(rzi_u32_f32, lane_u32, lane_f32, to_u32(a[l]))

/* clang-format off */
/* The sign of a destination as wide as the source or wider plays no part; nor does either if bits are cut off. */
#define TO_BOTH(dbits, sbits, s, fn, dn, sn)                                                                                       \
	{"cvt.s" #dbits "." #s #sbits, fn, OP_INT_ADD, dn, {sn}}, {"cvt.u" #dbits "." #s #sbits, fn, OP_INT_ADD, dn, {sn}}
const struct alu_def alu_convert[] = {
	TO_BOTH(64, 32, s, s64_s32, 8, 4), TO_BOTH(64, 32, u, u64_u32, 8, 4),
	TO_BOTH(32, 64, s, b32_b64, 4, 8), TO_BOTH(32, 64, u, b32_b64, 4, 8),
	TO_BOTH(32, 16, s, s32_s16, 4, 2), TO_BOTH(32, 16, u, u32_u16, 4, 2),
	TO_BOTH(64, 16, s, s64_s16, 8, 2), TO_BOTH(64, 16, u, u64_u16, 8, 2),
	TO_BOTH(16, 32, s, b16_b32, 2, 4), TO_BOTH(16, 32, u, b16_b32, 2, 4),
	TO_BOTH(16, 64, s, b16_b64, 2, 8), TO_BOTH(16, 64, u, b16_b64, 2, 8),
	{"cvt.rn.f32.s32", f32_s32, OP_FP32_ADD, 4, {4}}, {"cvt.rn.f32.u32", f32_u32, OP_FP32_ADD, 4, {4}},
	{"cvt.rn.f64.s32", f64_s32, OP_FP64_ADD, 8, {4}}, {"cvt.rn.f64.u32", f64_u32, OP_FP64_ADD, 8, {4}},
	{"cvt.f64.f32", f64_f32, OP_FP64_ADD, 8, {4}}, {"cvt.rn.f32.f64", f32_f64, OP_FP64_ADD, 4, {8}},
	{"cvt.rzi.s32.f32", rzi_s32_f32, OP_FP32_ADD, 4, {4}}, {"cvt.rzi.u32.f32", rzi_u32_f32, OP_FP32_ADD, 4, {4}},
	{0},
};
