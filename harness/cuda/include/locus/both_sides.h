/* Functions that CUDA has on both sides beside C's: min and max of all numbers, and math functions that the host's
 * library lacks. */
/* A function a line reads as the table that it is. */
/* clang-format off */
#ifndef LOCUS_CUDA_BOTH_SIDES_H
#define LOCUS_CUDA_BOTH_SIDES_H

#define LOCUS_BOTH static __host__ __device__ __inline__ __attribute__((always_inline, unused))
#define LOCUS_HOST static __host__ __inline__ __attribute__((unused))

#define LOCUS_MIN_MAX(side, type)                                                                                                  \
	side type min(type a, type b) { return a < b ? a : b; }                                                                    \
	side type max(type a, type b) { return a > b ? a : b; }
#define LOCUS_MIN_MAX_MIXED(type, one, other)                                                                                      \
	LOCUS_BOTH type min(one a, other b) { return min((type)a, (type)b); }                                                      \
	LOCUS_BOTH type max(one a, other b) { return max((type)a, (type)b); }                                                      \
	LOCUS_BOTH type min(other a, one b) { return min((type)a, (type)b); }                                                      \
	LOCUS_BOTH type max(other a, one b) { return max((type)a, (type)b); }
LOCUS_MIN_MAX(LOCUS_HOST, int) /* clang's headers have the device's */
LOCUS_MIN_MAX(LOCUS_BOTH, unsigned)
LOCUS_MIN_MAX(LOCUS_BOTH, long)
LOCUS_MIN_MAX(LOCUS_BOTH, unsigned long)
LOCUS_MIN_MAX(LOCUS_BOTH, long long)
LOCUS_MIN_MAX(LOCUS_BOTH, unsigned long long)
LOCUS_MIN_MAX_MIXED(unsigned, int, unsigned)
LOCUS_MIN_MAX_MIXED(unsigned long, long, unsigned long)
LOCUS_MIN_MAX_MIXED(unsigned long long, long long, unsigned long long)
#undef LOCUS_MIN_MAX
#undef LOCUS_MIN_MAX_MIXED

/* A NaN loses, as with fmin and fmax. */
#define LOCUS_MIN_MAX_FLOAT(name, builtin)                                                                                         \
	LOCUS_BOTH float name(float a, float b) { return __builtin_f##name##f(a, b); }                                             \
	LOCUS_BOTH double name(double a, double b) { return __builtin_f##name(a, b); }                                             \
	LOCUS_BOTH double name(float a, double b) { return __builtin_f##name((double)a, b); }                                      \
	LOCUS_BOTH double name(double a, float b) { return __builtin_f##name(a, (double)b); }
LOCUS_MIN_MAX_FLOAT(min, fmin)
LOCUS_MIN_MAX_FLOAT(max, fmax)
#undef LOCUS_MIN_MAX_FLOAT

/* Overloads for float that clang's headers declare and leave to a toolkit. */
LOCUS_DEVICE float acosh(float a) { return acoshf(a); }
LOCUS_DEVICE float asinh(float a) { return asinhf(a); }
LOCUS_DEVICE float atanh(float a) { return atanhf(a); }
LOCUS_DEVICE float cbrt(float a) { return cbrtf(a); }
LOCUS_DEVICE float erfc(float a) { return erfcf(a); }
LOCUS_DEVICE float erf(float a) { return erff(a); }
LOCUS_DEVICE float exp2(float a) { return exp2f(a); }
LOCUS_DEVICE float expm1(float a) { return expm1f(a); }
LOCUS_DEVICE float lgamma(float a) { return lgammaf(a); }
LOCUS_DEVICE float log1p(float a) { return log1pf(a); }
LOCUS_DEVICE float log2(float a) { return log2f(a); }
LOCUS_DEVICE float logb(float a) { return logbf(a); }
LOCUS_DEVICE float nearbyint(float a) { return nearbyintf(a); }
LOCUS_DEVICE float rint(float a) { return rintf(a); }
LOCUS_DEVICE float round(float a) { return roundf(a); }
LOCUS_DEVICE float tgamma(float a) { return tgammaf(a); }
LOCUS_DEVICE float trunc(float a) { return truncf(a); }
LOCUS_DEVICE float copysign(float a, float b) { return copysignf(a, b); }
LOCUS_DEVICE float fdim(float a, float b) { return fdimf(a, b); }
LOCUS_DEVICE float fmax(float a, float b) { return fmaxf(a, b); }
LOCUS_DEVICE float fmin(float a, float b) { return fminf(a, b); }
LOCUS_DEVICE float hypot(float a, float b) { return hypotf(a, b); }
LOCUS_DEVICE float nextafter(float a, float b) { return nextafterf(a, b); }
LOCUS_DEVICE float remainder(float a, float b) { return remainderf(a, b); }
LOCUS_DEVICE float fma(float a, float b, float c) { return fmaf(a, b, c); }
LOCUS_DEVICE int ilogb(float a) { return ilogbf(a); }
LOCUS_DEVICE long lrint(float a) { return lrintf(a); }
LOCUS_DEVICE long lround(float a) { return lroundf(a); }
LOCUS_DEVICE long long llrint(float a) { return llrintf(a); }
LOCUS_DEVICE long long llround(float a) { return llroundf(a); }
LOCUS_DEVICE float scalbn(float a, int n) { return scalbnf(a, n); }
LOCUS_DEVICE float scalbln(float a, long n) { return scalblnf(a, n); }

LOCUS_DEVICE float rsqrt(float a) { return rsqrtf(a); }
LOCUS_DEVICE float rcbrt(float a) { return rcbrtf(a); }
LOCUS_DEVICE float sinpi(float a) { return sinpif(a); }
LOCUS_DEVICE float cospi(float a) { return cospif(a); }
LOCUS_DEVICE void sincospi(float a, float *s, float *c) { sincospif(a, s, c); }
LOCUS_DEVICE void sincos(float a, float *s, float *c) { sincosf(a, s, c); }
LOCUS_DEVICE float erfinv(float a) { return erfinvf(a); }
LOCUS_DEVICE float erfcinv(float a) { return erfcinvf(a); }
LOCUS_DEVICE float normcdf(float a) { return normcdff(a); }
LOCUS_DEVICE float normcdfinv(float a) { return normcdfinvf(a); }
LOCUS_DEVICE float erfcx(float a) { return erfcxf(a); }
LOCUS_DEVICE float exp10(float a) { return exp10f(a); }

LOCUS_HOST double rsqrt(double a) { return 1.0 / sqrt(a); }
LOCUS_HOST float rsqrtf(float a) { return (float)(1.0 / sqrt((double)a)); }
LOCUS_HOST float rsqrt(float a) { return rsqrtf(a); }
LOCUS_HOST double rcbrt(double a) { return 1.0 / cbrt(a); }
LOCUS_HOST float rcbrtf(float a) { return (float)(1.0 / cbrt((double)a)); }
LOCUS_HOST double rhypot(double a, double b) { return 1.0 / hypot(a, b); }
LOCUS_HOST float rhypotf(float a, float b) { return (float)(1.0 / hypot((double)a, (double)b)); }
LOCUS_HOST double norm3d(double a, double b, double c) { return hypot(hypot(a, b), c); }
LOCUS_HOST float norm3df(float a, float b, float c) { return (float)norm3d(a, b, c); }
LOCUS_HOST double norm4d(double a, double b, double c, double d) { return hypot(hypot(a, b), hypot(c, d)); }
LOCUS_HOST float norm4df(float a, float b, float c, float d) { return (float)norm4d(a, b, c, d); }
/* The argument is reduced exactly, to an eighth of the circle at most from an axis. */
LOCUS_HOST double sinpi(double a)
{
	double r = remainder(a, 2.0), x = fabs(r) > 0.5 ? copysign(1.0, r) - r : r;

	return fabs(x) <= 0.25 ? sin(M_PI * x) : copysign(cos(M_PI * (0.5 - fabs(x))), x);
}
LOCUS_HOST double cospi(double a)
{
	double x = fabs(remainder(a, 2.0));

	return x <= 0.25 ? cos(M_PI * x) : x >= 0.75 ? -cos(M_PI * (1.0 - x)) : sin(M_PI * (0.5 - x));
}
LOCUS_HOST float sinpif(float a) { return (float)sinpi((double)a); }
LOCUS_HOST float cospif(float a) { return (float)cospi((double)a); }
LOCUS_HOST void sincospi(double a, double *s, double *c)
{
	*s = sinpi(a);
	*c = cospi(a);
}
LOCUS_HOST void sincospif(float a, float *s, float *c)
{
	*s = sinpif(a);
	*c = cospif(a);
}
LOCUS_HOST double normcdf(double a) { return 0.5 * erfc(-a * M_SQRT1_2); }
LOCUS_HOST float normcdff(float a) { return (float)normcdf((double)a); }
LOCUS_HOST double fdivide(double a, double b) { return a / b; }
LOCUS_HOST float fdividef(float a, float b) { return a / b; }

#undef LOCUS_HOST
#undef LOCUS_BOTH

#endif
