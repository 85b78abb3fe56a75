/* Sine, cosine and tangent of large doubles: the argument is reduced with as many bits of 2/pi as it takes (M. Payne
 * and R. Hanek, "Radian Reduction for Trigonometric Functions", SIGNUM Newsletter 18, 1983). libclc's own reduction
 * reads beyond the end of its table, which ends a kernel here.
 */
#ifndef LOCUS_CUDA_REDUCTION_H
#define LOCUS_CUDA_REDUCTION_H

#include "locus/elementary.h"

/* x = quadrant pi/2 + r + low, |r| <= pi/4. */
struct locus_angle {
	int quadrant;
	double r, low;
};

/* Bits 64 i - 63 to 64 i behind the point of 2/pi are word i. */
static __device__ const unsigned long long locus_two_over_pi[] = {0x0,
								  0xa2f9836e4e441529,
								  0xfc2757d1f534ddc0,
								  0xdb6295993c439041,
								  0xfe5163abdebbc561,
								  0xb7246e3a424dd2e0,
								  0x06492eea09d1921c,
								  0xfe1deb1cb129a73e,
								  0xe88235f52ebb4484,
								  0xe99c7026b45f7e41,
								  0x3991d639835339f4,
								  0x9c845f8bbdf9283b,
								  0x1ff897ffde05980f,
								  0xef2f118b5a0a6d1f,
								  0x6d367ecf27cb09b7,
								  0x4f463f669e5fea2d,
								  0x7527bac7ebe5f17b,
								  0x3d0739f78a5292ea,
								  0x6bfb5fb11f8d5d08,
								  0x56033046fc7b6bab};

/* 64 of those bits from bit k on, k >= -63. */
LOCUS_DEVICE unsigned long long locus_bits(int k)
{
	int word = (k + 63) >> 6, shift = (k + 63) & 63;
	unsigned long long high = locus_two_over_pi[word], next = locus_two_over_pi[word + 1];

	return shift ? high << shift | next >> (64 - shift) : high;
}

/* The fraction hi:mid:lo of a quadrant, a signed number of 192 bits, times pi/2. */
LOCUS_DEVICE void locus_angle_of(struct locus_angle *a, unsigned long long hi, unsigned long long mid, unsigned long long lo)
{
	bool negative = hi >> 63;
	int n;

	if (negative) {
		lo = -lo;
		mid = ~mid + (lo == 0);
		hi = ~hi + (lo == 0 && mid == 0);
	}
	n = hi ? __nv_clzll((long long)hi) : 64 + __nv_clzll((long long)mid);
	if (n >= 64) {
		hi = mid;
		mid = lo;
	}
	if (n & 63) {
		hi = hi << (n & 63) | mid >> (64 - (n & 63));
		mid <<= n & 63;
	}
	double scale = __nv_hiloint2double((1023 - n) << 20, 0) * (negative ? -0x1p-64 : 0x1p-64);
	double top = (double)(hi >> 11 << 11), rest = (double)(hi & 2047) + (double)mid * 0x1p-64;
	double r = top * 0x1.921fb54442d18p+0;
	double low = __builtin_fma(top, 0x1.921fb54442d18p+0, -r) + (top * 0x1.1a62633145c07p-54 + rest * 0x1.921fb54442d18p+0);

	a->r = (r + low) * scale;
	a->low = (r - (r + low) + low) * scale;
}

/* 2^28 <= |x| < infinity. Of the product with 2/pi, whole turns are left out: bits ahead of bit e - 1, where x = m 2^e.
 * */
static __device__ __attribute__((noinline, unused)) struct locus_angle locus_reduce(double x)
{
	struct locus_angle a;
	unsigned long long bits = __nv_double_as_longlong(x), m = (bits & 0xfffffffffffffull) | 1ull << 52;
	int e = (int)(bits >> 52 & 2047) - 1075;
	unsigned long long high = locus_bits(e - 1), middle = locus_bits(e + 63), least = locus_bits(e + 127);
	unsigned long long lo = m * least, mid = m * middle, hi = m * high, carry = __nv_umul64hi(m, least);

	mid += carry;
	hi += __nv_umul64hi(m, middle) + (mid < carry);
	a.quadrant = (int)(hi >> 62);
	hi = hi << 2 | mid >> 62;
	mid = mid << 2 | lo >> 62;
	lo <<= 2;
	a.quadrant += (int)(hi >> 63);
	locus_angle_of(&a, hi, mid, lo);
	if (x < 0) {
		a.quadrant = -a.quadrant;
		a.r = -a.r;
		a.low = -a.low;
	}
	return a;
}

/* To first order in low. */
LOCUS_DEVICE double locus_sin_at(struct locus_angle a, int quadrant)
{
	double s = locus_clc_sin(a.r), c = locus_clc_cos(a.r);
	double y = quadrant & 1 ? __builtin_fma(-a.low, s, c) : __builtin_fma(a.low, c, s);

	return quadrant & 2 ? -y : y;
}
LOCUS_DEVICE bool locus_is_far(double x)
{
	return __builtin_fabs(x) >= 0x1p28 && !__builtin_isinf(x);
}
LOCUS_DEVICE double __nv_sin(double x)
{
	if (!locus_is_far(x))
		return __builtin_isinf(x) ? x - x : locus_clc_sin(x);
	struct locus_angle a = locus_reduce(x);
	return locus_sin_at(a, a.quadrant);
}
LOCUS_DEVICE double __nv_cos(double x)
{
	if (!locus_is_far(x))
		return __builtin_isinf(x) ? x - x : locus_clc_cos(x);
	struct locus_angle a = locus_reduce(x);
	return locus_sin_at(a, a.quadrant + 1);
}
LOCUS_DEVICE double __nv_tan(double x)
{
	if (!locus_is_far(x))
		return __builtin_isinf(x) ? x - x : locus_clc_tan(x);
	struct locus_angle a = locus_reduce(x);
	double t = locus_clc_tan(a.r), y = __builtin_fma(a.low, __builtin_fma(t, t, 1.0), t);
	return a.quadrant & 1 ? -1.0 / y : y;
}
LOCUS_DEVICE void __nv_sincos(double a, double *s, double *c)
{
	*s = __nv_sin(a);
	*c = __nv_cos(a);
}

#endif
