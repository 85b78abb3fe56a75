/* The functions of the CUDA Math API that libclc lacks: norms, reciprocal roots, normal distribution, inverse error
 * functions. Those of float go through double.
 *
 * Bessel functions are declared and not defined: a kernel that calls one is refused when it is launched.
 */
#ifndef LOCUS_CUDA_SPECIAL_H
#define LOCUS_CUDA_SPECIAL_H

#include "locus/elementary.h"
#include "locus/reduction.h"

/* ---- roots and norms ---- */

/* One step of Newton's for y = 1/sqrt(a), in fma, takes the approximation to the last place. */
LOCUS_DEVICE double __nv_rsqrt(double a)
{
	double y = 1.0 / __nvvm_sqrt_rn_d(a);
	double rest = __builtin_fma(-a * y, y, 1.0);

	return a > 0 && !__builtin_isinf(a) ? __builtin_fma(0.5 * y, rest, y) : y;
}
LOCUS_DEVICE float __nv_frsqrt_rn(float a)
{
	return (float)__nv_rsqrt(a);
}
LOCUS_DEVICE double __nv_rcbrt(double a)
{
	return 1.0 / __nv_cbrt(a);
}
LOCUS_DEVICE float __nv_rcbrtf(float a)
{
	return (float)(1.0 / __nv_cbrt((double)a));
}

/* sqrt of a sum of squares of which the largest is scaled to [1, 2), so that none overflows. -1: an infinity wins over
 * NaNs, as C's hypot has it. */
struct locus_norm {
	double sum, low; /* and its rounding error */
	int exponent;
};
LOCUS_DEVICE double locus_norm_largest(int n, const double *a)
{
	double largest = 0;

	for (int i = 0; i < n; i++)
		largest = __builtin_isinf(a[i]) || __builtin_isinf(largest) ? __builtin_inf()
									    : __builtin_fmax(largest, __builtin_fabs(a[i]));
	return largest;
}
LOCUS_DEVICE struct locus_norm locus_norm_sum(int n, const double *a, double largest)
{
	struct locus_norm r = {0.0, 0.0, largest > 0 && !__builtin_isinf(largest) ? __nv_ilogb(largest) : 0};

	for (int i = 0; i < n; i++) {
		double x = __nv_ldexp(a[i], -r.exponent), square = __nvvm_mul_rn_d(x, x), sum = __nvvm_add_rn_d(r.sum, square);
		double taken = __nvvm_add_rn_d(sum, -r.sum), left = __nvvm_add_rn_d(sum, -taken);

		r.low += __builtin_fma(x, x, -square) + (__nvvm_add_rn_d(square, -taken) + __nvvm_add_rn_d(r.sum, -left));
		r.sum = sum;
	}
	return r;
}
LOCUS_DEVICE double __nv_norm(int n, const double *a)
{
	double largest = locus_norm_largest(n, a);
	struct locus_norm r = locus_norm_sum(n, a, largest);
	double y = __nvvm_sqrt_rn_d(r.sum);

	if (__builtin_isinf(largest))
		return largest;
	return __nv_ldexp(r.sum > 0 ? y + 0.5 * r.low / y : y, r.exponent);
}
LOCUS_DEVICE double __nv_rnorm(int n, const double *a)
{
	double largest = locus_norm_largest(n, a);
	struct locus_norm r = locus_norm_sum(n, a, largest);
	double y = __nv_rsqrt(r.sum);

	if (__builtin_isinf(largest))
		return 0.0;
	return __nv_ldexp(r.sum > 0 ? __builtin_fma(-0.5 * y, r.low / r.sum, y) : y, -r.exponent);
}
LOCUS_DEVICE double __nv_norm3d(double a, double b, double c)
{
	double v[3] = {a, b, c};

	return __nv_norm(3, v);
}
LOCUS_DEVICE double __nv_rnorm3d(double a, double b, double c)
{
	double v[3] = {a, b, c};

	return __nv_rnorm(3, v);
}
LOCUS_DEVICE double __nv_norm4d(double a, double b, double c, double d)
{
	double v[4] = {a, b, c, d};

	return __nv_norm(4, v);
}
LOCUS_DEVICE double __nv_rnorm4d(double a, double b, double c, double d)
{
	double v[4] = {a, b, c, d};

	return __nv_rnorm(4, v);
}
LOCUS_DEVICE double __nv_rhypot(double a, double b)
{
	double v[2] = {a, b};

	return __nv_rnorm(2, v);
}

/* Squares of floats neither overflow nor vanish in double. */
LOCUS_DEVICE double locus_squares(int n, const float *a)
{
	double sum = 0;
	bool infinite = false;

	for (int i = 0; i < n; i++) {
		infinite |= __builtin_isinf(a[i]);
		sum = __builtin_fma((double)a[i], (double)a[i], sum);
	}
	return infinite ? __builtin_inf() : sum;
}
LOCUS_DEVICE float __nv_normf(int n, const float *a)
{
	return (float)__nvvm_sqrt_rn_d(locus_squares(n, a));
}
LOCUS_DEVICE float __nv_rnormf(int n, const float *a)
{
	return (float)(1.0 / __nvvm_sqrt_rn_d(locus_squares(n, a)));
}
LOCUS_DEVICE float __nv_norm3df(float a, float b, float c)
{
	float v[3] = {a, b, c};

	return __nv_normf(3, v);
}
LOCUS_DEVICE float __nv_rnorm3df(float a, float b, float c)
{
	float v[3] = {a, b, c};

	return __nv_rnormf(3, v);
}
LOCUS_DEVICE float __nv_norm4df(float a, float b, float c, float d)
{
	float v[4] = {a, b, c, d};

	return __nv_normf(4, v);
}
LOCUS_DEVICE float __nv_rnorm4df(float a, float b, float c, float d)
{
	float v[4] = {a, b, c, d};

	return __nv_rnormf(4, v);
}
LOCUS_DEVICE float __nv_rhypotf(float a, float b)
{
	float v[2] = {a, b};

	return __nv_rnormf(2, v);
}

/* ---- the gamma function ---- */

/* Gamma(y) = power * power * rest for y >= 8, by Stirling's formula with Binet's series. low: what y lacks. */
struct locus_stirling {
	double power, rest;
};
LOCUS_DEVICE struct locus_stirling locus_stirling_of(double y, double low)
{
	double v = 1.0 / y, s = v * v;
	double binet = 1.0 / 156;

	binet = __builtin_fma(binet, s, -691.0 / 360360);
	binet = __builtin_fma(binet, s, 1.0 / 1188);
	binet = __builtin_fma(binet, s, -1.0 / 1680);
	binet = __builtin_fma(binet, s, 1.0 / 1260);
	binet = __builtin_fma(binet, s, -1.0 / 360);
	binet = __builtin_fma(binet, s, 1.0 / 12);
	double slope = __nv_log(y) - 0.5 * v; /* of log Gamma */
	double factor = __nv_expm1(__builtin_fma(binet, v, slope * low));
	double rest = 2.50662827463100050242 * __nv_exp(-y);

	return {locus_clc_pow(y, 0.5 * y - 0.25), __builtin_fma(rest, factor, rest)};
}
/* Gamma(a + lacks) from Gamma(a + n), over a (a + 1) ... (a + n - 1) with the rounding errors of that product. */
LOCUS_DEVICE double locus_tgamma_near(double a, double lacks)
{
	double product = 1.0, low = 0.0, y = a, error = lacks;

	for (int i = 0; i < 14 && y < 12.0; i++) {
		double taller = __nvvm_mul_rn_d(product, y), next = __nvvm_add_rn_d(a, i + 1.0);
		double taken = __nvvm_add_rn_d(next, -a);

		low = low * y + __builtin_fma(product, y, -taller) + product * error;
		product = taller;
		error = __nvvm_add_rn_d(a, -__nvvm_add_rn_d(next, -taken)) + __nvvm_add_rn_d(i + 1.0, -taken) + lacks;
		y = next;
	}
	struct locus_stirling s = locus_stirling_of(y, error);
	return s.power * s.rest / (product + low) * s.power;
}
/* pi / (sin(pi a) Gamma(1 - a)), of which nothing overflows. */
LOCUS_DEVICE double locus_tgamma_far(double a)
{
	if (a == __builtin_floor(a))
		return __builtin_nan("");
	if (a < -190.0)
		return 0.0 * __nv_sinpi(a);
	double y = __nvvm_add_rn_d(1.0, -a), turn = 3.14159265358979323846 / __nv_sinpi(a);
	double lacks = __nvvm_add_rn_d(__nvvm_add_rn_d(1.0, -y), -a);
	if (y < 12.0)
		return turn / locus_tgamma_near(y, lacks);
	struct locus_stirling s = locus_stirling_of(y, lacks);
	return turn / s.power / s.rest / s.power;
}
LOCUS_DEVICE double __nv_tgamma(double a)
{
	if (__builtin_isnan(a) || a > 172.0)
		return a * __builtin_inf();
	if (__builtin_fabs(a) < 0x1p-54)
		return 1.0 / a;
	return a < -0.5 ? locus_tgamma_far(a) : locus_tgamma_near(a, 0.0);
}
LOCUS_DEVICE float __nv_tgammaf(float a)
{
	return (float)__nv_tgamma((double)a);
}

/* ---- the normal distribution and the error function's relatives ---- */

/* n coefficients of a polynomial, the highest first. */
template <int n> LOCUS_DEVICE double locus_polynomial(double x, const double (&c)[n])
{
	double y = c[0];

	for (int i = 1; i < n; i++)
		y = __builtin_fma(y, x, c[i]);
	return y;
}

/* The quantile of the normal distribution at 1/2 + q where |q| <= 0.425, and at a tail of probability exp(-r*r): M. J.
 * Wichura, "Algorithm AS 241: The Percentage Points of the Normal Distribution", Applied Statistics 37 (1988), PPND16.
 */
LOCUS_DEVICE double locus_quantile_centre(double q)
{
	static constexpr double a[] = {2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457,
				       13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.387132872796366608};
	static constexpr double b[] = {5226.495278852854561,  28729.085735721942674, 39307.89580009271061,  21213.794301586595867,
				       5394.1960214247511077, 687.1870074920579083,  42.313330701600911252, 1.0};
	double r = __builtin_fma(-q, q, 0.180625);

	return q * locus_polynomial(r, a) / locus_polynomial(r, b);
}
LOCUS_DEVICE double locus_quantile_tail(double r)
{
	static constexpr double c[] = {7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177,
				       1.27045825245236838258,	 3.64784832476320460504,   5.7694972214606914055,
				       4.6303378461565452959,	 1.42343711074968357734};
	static constexpr double d[] = {
		1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966, 0.14810397642748007459,
		0.68976733498510000455,	   1.6763848301838038494,   2.05319162663775882187,   1.0};
	static constexpr double e[] = {2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386,
				       0.026532189526576123093,	  0.29656057182850489123,    1.7848265399172913358,
				       5.4637849111641143699,	  6.6579046435011037772};
	static constexpr double f[] = {
		2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5, 7.868691311456132591e-4,
		0.0148753612908506148525,   0.13692988092273580531,   0.59983220655588793769,	1.0};

	return r <= 5 ? locus_polynomial(r - 1.6, c) / locus_polynomial(r - 1.6, d)
		      : locus_polynomial(r - 5, e) / locus_polynomial(r - 5, f);
}
/* The x of which erfc(x) = p, small and positive: the upper half of the quantile of p/2, over sqrt 2. */
LOCUS_DEVICE double locus_erfc_tail(double p)
{
	return locus_quantile_tail(__nvvm_sqrt_rn_d(0.693147180559945309417 - __nv_log(p))) * 0.707106781186547524401;
}
LOCUS_DEVICE double __nv_erfinv(double a)
{
	double x = __builtin_fabs(a);

	if (x > 1 || __builtin_isnan(a))
		return __builtin_nan("");
	if (x <= 0.85)
		return locus_quantile_centre(0.5 * a) * 0.707106781186547524401;
	return __builtin_copysign(x == 1 ? __builtin_inf() : locus_erfc_tail(1 - x), a);
}
LOCUS_DEVICE double __nv_erfcinv(double a)
{
	if (!(a >= 0 && a <= 2))
		return __builtin_nan("");
	if (a == 0 || a == 2)
		return a == 0 ? __builtin_inf() : -__builtin_inf();
	if (a >= 0.15 && a <= 1.85)
		return locus_quantile_centre(0.5 * (1 - a)) * 0.707106781186547524401;
	return a < 1 ? locus_erfc_tail(a) : -locus_erfc_tail(2 - a);
}
LOCUS_DEVICE double __nv_normcdfinv(double a)
{
	if (!(a >= 0 && a <= 1))
		return __builtin_nan("");
	if (a == 0 || a == 1)
		return a == 0 ? -__builtin_inf() : __builtin_inf();
	if (a >= 0.075 && a <= 0.925)
		return locus_quantile_centre(a - 0.5);
	return a < 0.5 ? -locus_quantile_tail(__nvvm_sqrt_rn_d(-__nv_log(a)))
		       : locus_quantile_tail(__nvvm_sqrt_rn_d(-__nv_log(1 - a)));
}
/* erfc at the argument a/sqrt(2) and its rounding error, to first order: d erfc(x) = -2/sqrt(pi) exp(-x^2) dx. */
LOCUS_DEVICE double __nv_normcdf(double a)
{
	double x = -a * 0.707106781186547524401;
	double low = __builtin_fma(-a, 0.707106781186547524401, -x) + a * 4.833646656726457e-17;
	double y = __nv_erfc(x);

	if (!(x > -6 && x < 28))
		return 0.5 * y;
	return 0.5 * __builtin_fma(-1.12837916709551257390 * __nv_exp(-x * x), low, y);
}
/* exp(x^2) erfc(x): directly where neither is extreme, else the continued fraction of erfc. */
LOCUS_DEVICE double __nv_erfcx(double x)
{
	if (x < 10) {
		double square = x * x, rest = __builtin_fma(x, x, -square), y = __nv_exp(square) * __nv_erfc(x);

		return __builtin_isinf(y) || __builtin_isinf(square) ? y : __builtin_fma(y, rest, y);
	}
	double y = x;

	for (int k = 24; k > 0; k--)
		y = x + 0.5 * k / y;
	return 0.564189583547756286948 / y;
}
LOCUS_DEVICE float __nv_erfinvf(float a)
{
	return (float)__nv_erfinv(a);
}
LOCUS_DEVICE float __nv_erfcinvf(float a)
{
	return (float)__nv_erfcinv(a);
}
LOCUS_DEVICE float __nv_normcdfinvf(float a)
{
	return (float)__nv_normcdfinv(a);
}
LOCUS_DEVICE float __nv_normcdff(float a)
{
	return (float)__nv_normcdf(a);
}
LOCUS_DEVICE float __nv_erfcxf(float a)
{
	return (float)__nv_erfcx(a);
}

/* ---- declared only ---- */

extern "C" {
__device__ double __nv_cyl_bessel_i0(double), __nv_cyl_bessel_i1(double), __nv_j0(double), __nv_j1(double), __nv_jn(int, double),
	__nv_y0(double), __nv_y1(double), __nv_yn(int, double);
__device__ float __nv_cyl_bessel_i0f(float), __nv_cyl_bessel_i1f(float), __nv_j0f(float), __nv_j1f(float), __nv_jnf(int, float),
	__nv_y0f(float), __nv_y1f(float), __nv_ynf(int, float);
}

#endif
