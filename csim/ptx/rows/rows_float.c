/* Floating point. add, sub, mul, fma, div, rcp, sqrt are correctly rounded in the mode that the caller has set (fenv);
 * the approximate functions are computed in double and rounded once, which is within the error that the PTX manual
 * allows them. A NaN that a 32-bit operation produces is 0x7fffffff; 64-bit ones keep the payload. Subnormals are kept:
 * .ftz is the caller's.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "ptx/rows/rows.h"

static inline float canonical(float v)
{
	uint32_t bits = 0x7fffffff;
	float nan;

	memcpy(&nan, &bits, sizeof nan);
	return v == v ? v : nan;
}
static inline double keep(double v)
{
	return v;
}

/* min and max: a NaN loses against a number; -0 is below +0. */
static inline float min_f32(float a, float b)
{
	if (a != a || b != b)
		return canonical(a != a ? b : a);
	return a < b || (a == b && signbit(a)) ? a : b;
}
static inline float max_f32(float a, float b)
{
	if (a != a || b != b)
		return canonical(a != a ? b : a);
	return a > b || (a == b && !signbit(a)) ? a : b;
}
static inline double min_f64(double a, double b)
{
	if (a != a || b != b)
		return a != a ? b : a;
	return a < b || (a == b && signbit(a)) ? a : b;
}
static inline double max_f64(double a, double b)
{
	if (a != a || b != b)
		return a != a ? b : a;
	return a > b || (a == b && !signbit(a)) ? a : b;
}

#define ARITHMETIC(T, f, suffix, FIX, FMA, SQRT)                                                                                   \
	ROW2(add_##f, T, T, T, FIX(a[l] + b[l]))                                                                                   \
	ROW2(sub_##f, T, T, T, FIX(a[l] - b[l]))                                                                                   \
	ROW2(mul_##f, T, T, T, FIX(a[l] * b[l]))                                                                                   \
	ROW3(fma_##f, T, T, T, T, FIX(FMA(a[l], b[l], c[l])))                                                                      \
	ROW2(div_##f, T, T, T, FIX(a[l] / b[l]))                                                                                   \
	ROW1(rcp_##f, T, T, FIX(1 / a[l]))                                                                                         \
	ROW1(sqrt_##f, T, T, FIX(SQRT(a[l])))                                                                                      \
	ROW2(min##_##f##_row, T, T, T, min_##f(a[l], b[l]))                                                                        \
	ROW2(max##_##f##_row, T, T, T, max_##f(a[l], b[l]))
ARITHMETIC(lane_f32, f32, f, canonical, fmaf, sqrtf)
ARITHMETIC(lane_f64, f64, , keep, fma, sqrt)

/* .NaN: a NaN wins. */
ROW2(min_nan_f32, lane_f32, lane_f32, lane_f32, a[l] != a[l] || b[l] != b[l] ? canonical(NAN) : min_f32(a[l], b[l]))
ROW2(max_nan_f32, lane_f32, lane_f32, lane_f32, a[l] != a[l] || b[l] != b[l] ? canonical(NAN) : max_f32(a[l], b[l]))

/* Signs are bits: NaN and zero included. */
ROW1(neg_f32, lane_u32, lane_u32, a[l] ^ 0x80000000)
ROW1(abs_f32, lane_u32, lane_u32, a[l] & 0x7fffffff)
ROW1(neg_f64, lane_u64, lane_u64, a[l] ^ UINT64_C(1) << 63)
ROW1(abs_f64, lane_u64, lane_u64, a[l] & ~(UINT64_C(1) << 63))
ROW2(copysign_f32, lane_u32, lane_u32, lane_u32, (a[l] & 0x80000000) | (b[l] & 0x7fffffff))
ROW2(copysign_f64, lane_u64, lane_u64, lane_u64, (a[l] & UINT64_C(1) << 63) | (b[l] & ~(UINT64_C(1) << 63)))

/* a * (1/b): for 2^126 < |b| the reciprocal is 0, as the manual says. */
static inline float div_approx(float a, float b)
{
	float size = fabsf(b);

	if (size > 0x1p126f && size <= FLT_MAX)
		return isinf(a) || a != a ? canonical(NAN) : copysignf(0, signbit(a) == signbit(b) ? 1.0f : -1.0f);
	return canonical(a / b);
}
ROW2(div_approx_f32, lane_f32, lane_f32, lane_f32, div_approx(a[l], b[l]))
ROW1(rsqrt_f32, lane_f32, lane_f32, canonical((float)(1 / sqrt(a[l]))))
ROW1(rsqrt_f64, lane_f64, lane_f64, 1 / sqrt(a[l]))
/* From the upper halves of the operands to the upper halves of the results. */
static inline uint64_t upper_rcp(uint64_t bits)
{
	double v;

	memcpy(&v, &bits, sizeof v);
	if (v != v) /* whose payload may be in the lower half alone */
		return UINT64_C(0x7ff8000000000000);
	bits &= ~(uint64_t)UINT32_MAX;
	memcpy(&v, &bits, sizeof v);
	v = 1 / v;
	memcpy(&bits, &v, sizeof bits);
	return bits & ~(uint64_t)UINT32_MAX;
}
ROW1(rcp_upper, lane_u64, lane_u64, upper_rcp(a[l]))
ROW1(ex2_f32, lane_f32, lane_f32, canonical((float)exp2(a[l])))
ROW1(lg2_f32, lane_f32, lane_f32, canonical((float)log2(a[l])))
ROW1(sin_f32, lane_f32, lane_f32, canonical((float)sin(a[l])))
ROW1(cos_f32, lane_f32, lane_f32, canonical((float)cos(a[l])))
ROW1(tanh_f32, lane_f32, lane_f32, canonical((float)tanh(a[l])))

/* clang-format off */
#define BOTH(n, f, F)                                                                                                              \
	{"add." #f, add_##f, OP_##F##_ADD, n, {n, n}}, {"sub." #f, sub_##f, OP_##F##_ADD, n, {n, n}},                              \
	{"mul." #f, mul_##f, OP_##F##_MUL, n, {n, n}}, {"fma." #f, fma_##f, OP_##F##_MAD, n, {n, n, n}},                           \
	{"mad." #f, fma_##f, OP_##F##_MAD, n, {n, n, n}}, {"div." #f, div_##f, OP_##F##_DIV, n, {n, n}},                           \
	{"rcp." #f, rcp_##f, OP_##F##_DIV, n, {n}}, {"sqrt." #f, sqrt_##f, OP_##F##_DIV, n, {n}},                                  \
	{"min." #f, min_##f##_row, OP_##F##_MAX, n, {n, n}}, {"max." #f, max_##f##_row, OP_##F##_MAX, n, {n, n}},                  \
	{"neg." #f, neg_##f, OP_##F##_ADD, n, {n}}, {"abs." #f, abs_##f, OP_##F##_MAX, n, {n}},                                    \
	{"copysign." #f, copysign_##f, OP_##F##_ADD, n, {n, n}}, {"rsqrt.approx." #f, rsqrt_##f, OP_SFU, n, {n}}

const struct alu_def alu_float[] = {
	BOTH(4, f32, FP32), BOTH(8, f64, FP64),
	{"min.NaN.f32", min_nan_f32, OP_FP32_MAX, 4, {4, 4}}, {"max.NaN.f32", max_nan_f32, OP_FP32_MAX, 4, {4, 4}},
	{"div.approx.f32", div_approx_f32, OP_SFU, 4, {4, 4}}, {"div.full.f32", div_f32, OP_SFU, 4, {4, 4}},
	{"rcp.approx.f32", rcp_f32, OP_SFU, 4, {4}}, {"sqrt.approx.f32", sqrt_f32, OP_SFU, 4, {4}},
	{"rcp.approx.f64", rcp_upper, OP_SFU, 8, {8}},
	{"ex2.approx.f32", ex2_f32, OP_SFU, 4, {4}}, {"lg2.approx.f32", lg2_f32, OP_SFU, 4, {4}},
	{"sin.approx.f32", sin_f32, OP_SFU, 4, {4}}, {"cos.approx.f32", cos_f32, OP_SFU, 4, {4}},
	{"tanh.approx.f32", tanh_f32, OP_SFU, 4, {4}},
	{0},
};
