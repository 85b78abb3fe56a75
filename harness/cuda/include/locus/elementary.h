/* The functions of the CUDA Math API that libclc has: elementary functions, error and gamma functions, remainders.
 *
 * libclc is linked as bitcode (locus nvcc), so its functions are called by their mangled names. What a table of the
 * CUDA C++ Programming Guide ("Mathematical Functions") promises and libclc does not keep is in special.h. Measured
 * errors: docs/reference/nvcc.md.
 */
/* A function a line reads as the table that it is. */
/* clang-format off */
#ifndef LOCUS_CUDA_ELEMENTARY_H
#define LOCUS_CUDA_ELEMENTARY_H

#include "locus/arithmetic.h"

/* ---- fast and less accurate: the special-function unit's instructions ---- */

#ifdef LOCUS_CUDA_FTZ
#define LOCUS_SFU(name) __nvvm_##name##_approx_ftz_f
#else
#define LOCUS_SFU(name) __nvvm_##name##_approx_f
#endif

LOCUS_DEVICE float __nv_fast_sinf(float a) { return LOCUS_SFU(sin)(a); }
LOCUS_DEVICE float __nv_fast_cosf(float a) { return LOCUS_SFU(cos)(a); }
LOCUS_DEVICE void __nv_fast_sincosf(float a, float *s, float *c)
{
	*s = __nv_fast_sinf(a);
	*c = __nv_fast_cosf(a);
}
LOCUS_DEVICE float __nv_fast_fdividef(float a, float b) { return LOCUS_SFU(div)(a, b); }
LOCUS_DEVICE float __nv_fast_tanf(float a) { return __nv_fast_fdividef(__nv_fast_sinf(a), __nv_fast_cosf(a)); }
LOCUS_DEVICE float __nv_fast_log2f(float a) { return LOCUS_SFU(lg2)(a); }
LOCUS_DEVICE float __nv_fast_logf(float a) { return LOCUS_SFU(lg2)(a) * 0.693147181f; }
LOCUS_DEVICE float __nv_fast_log10f(float a) { return LOCUS_SFU(lg2)(a) * 0.301029996f; }
LOCUS_DEVICE float __nv_fast_expf(float a) { return LOCUS_SFU(ex2)(a * 1.44269504f); }
LOCUS_DEVICE float __nv_fast_exp10f(float a) { return LOCUS_SFU(ex2)(a * 3.32192809f); }
LOCUS_DEVICE float __nv_fast_powf(float a, float b) { return LOCUS_SFU(ex2)(b * LOCUS_SFU(lg2)(a)); }

/* A function of one argument, float and double; the number is the length of its name. */
#define LOCUS_CLC_1(length, name)                                                                                                  \
	extern "C" __device__ float locus_clc_##name##f(float) __asm__("_Z" #length #name "f");                                    \
	extern "C" __device__ double locus_clc_##name(double) __asm__("_Z" #length #name "d");                                     \
	LOCUS_DEVICE float __nv_##name##f(float a) { return locus_clc_##name##f(a); }                                              \
	LOCUS_DEVICE double __nv_##name(double a) { return locus_clc_##name(a); }
/* One that -use_fast_math replaces for floats. */
#ifdef __CLANG_CUDA_APPROX_TRANSCENDENTALS__
#define LOCUS_FAST_OR(fast, exact) fast
#else
#define LOCUS_FAST_OR(fast, exact) exact
#endif
#define LOCUS_CLC_FAST(length, name)                                                                                               \
	extern "C" __device__ float locus_clc_##name##f(float) __asm__("_Z" #length #name "f");                                    \
	extern "C" __device__ double locus_clc_##name(double) __asm__("_Z" #length #name "d");                                     \
	LOCUS_DEVICE float __nv_##name##f(float a) { return LOCUS_FAST_OR(__nv_fast_##name##f, locus_clc_##name##f)(a); }          \
	LOCUS_DEVICE double __nv_##name(double a) { return locus_clc_##name(a); }
/* One whose double is in reduction.h. */
#define LOCUS_CLC_TURN(length, name)                                                                                               \
	extern "C" __device__ float locus_clc_##name##f(float) __asm__("_Z" #length #name "f");                                    \
	extern "C" __device__ double locus_clc_##name(double) __asm__("_Z" #length #name "d");                                     \
	LOCUS_DEVICE float __nv_##name##f(float a) { return LOCUS_FAST_OR(__nv_fast_##name##f, locus_clc_##name##f)(a); }
#define LOCUS_CLC_2(length, name)                                                                                                  \
	extern "C" __device__ float locus_clc_##name##f(float, float) __asm__("_Z" #length #name "ff");                            \
	extern "C" __device__ double locus_clc_##name(double, double) __asm__("_Z" #length #name "dd");                            \
	LOCUS_DEVICE float __nv_##name##f(float a, float b) { return locus_clc_##name##f(a, b); }                                  \
	LOCUS_DEVICE double __nv_##name(double a, double b) { return locus_clc_##name(a, b); }

LOCUS_CLC_1(4, acos)
LOCUS_CLC_1(5, acosh)
LOCUS_CLC_1(4, asin)
LOCUS_CLC_1(5, asinh)
LOCUS_CLC_1(4, atan)
LOCUS_CLC_1(5, atanh)
LOCUS_CLC_1(4, cbrt)
LOCUS_CLC_TURN(3, cos)
LOCUS_CLC_1(5, cospi)
LOCUS_CLC_1(3, erf)
LOCUS_CLC_FAST(5, exp10)
LOCUS_CLC_1(5, expm1)
LOCUS_CLC_FAST(3, log)
LOCUS_CLC_FAST(5, log10)
LOCUS_CLC_1(5, log1p)
LOCUS_CLC_FAST(4, log2)
LOCUS_CLC_1(4, logb)
LOCUS_CLC_TURN(3, sin)
LOCUS_CLC_1(5, sinpi)
LOCUS_CLC_TURN(3, tan)
LOCUS_CLC_1(4, tanh)
LOCUS_CLC_2(5, atan2)
LOCUS_CLC_2(4, fdim)
LOCUS_CLC_2(5, hypot)
LOCUS_CLC_2(9, nextafter)
#undef LOCUS_CLC_1
#undef LOCUS_CLC_2
#undef LOCUS_CLC_FAST
#undef LOCUS_CLC_TURN

extern "C" __device__ float locus_clc_powf(float, float) __asm__("_Z3powff");
extern "C" __device__ double locus_clc_pow(double, double) __asm__("_Z3powdd");
extern "C" __device__ int locus_clc_ilogbf(float) __asm__("_Z5ilogbf");
extern "C" __device__ int locus_clc_ilogb(double) __asm__("_Z5ilogbd");
extern "C" __device__ float locus_clc_frexpf(float, int *) __asm__("_Z5frexpfPi");
extern "C" __device__ double locus_clc_frexp(double, int *) __asm__("_Z5frexpdPi");
extern "C" __device__ double locus_clc_remquo(double, double, int *) __asm__("_Z6remquoddPi");
extern "C" __device__ float locus_clc_pownf(float, int) __asm__("_Z4pownfi");
extern "C" __device__ double locus_clc_pown(double, int) __asm__("_Z4powndi");

LOCUS_DEVICE float __nv_powf(float a, float b) { return LOCUS_FAST_OR(__nv_fast_powf, locus_clc_powf)(a, b); }
LOCUS_DEVICE double __nv_pow(double a, double b) { return locus_clc_pow(a, b); }
LOCUS_DEVICE int __nv_ilogbf(float a) { return locus_clc_ilogbf(a); }
LOCUS_DEVICE int __nv_ilogb(double a) { return locus_clc_ilogb(a); }
LOCUS_DEVICE float __nv_frexpf(float a, int *n) { return locus_clc_frexpf(a, n); }
LOCUS_DEVICE double __nv_frexp(double a, int *n) { return locus_clc_frexp(a, n); }
LOCUS_DEVICE double __nv_remquo(double a, double b, int *q) { return locus_clc_remquo(a, b, q); }
LOCUS_DEVICE float __nv_powif(float a, int n) { return locus_clc_pownf(a, n); }
LOCUS_DEVICE double __nv_powi(double a, int n) { return locus_clc_pown(a, n); }

#undef LOCUS_FAST_OR

/* ---- what libclc gets wrong: results below 2^-126 become 0, poles and infinities have the wrong sign ---- */

extern "C" __device__ double locus_clc_exp(double) __asm__("_Z3expd");
extern "C" __device__ double locus_clc_exp2(double) __asm__("_Z4exp2d");
extern "C" __device__ float locus_clc_coshf(float) __asm__("_Z4coshf");
extern "C" __device__ double locus_clc_cosh(double) __asm__("_Z4coshd");
extern "C" __device__ float locus_clc_sinhf(float) __asm__("_Z4sinhf");
extern "C" __device__ double locus_clc_sinh(double) __asm__("_Z4sinhd");
extern "C" __device__ float locus_clc_erfcf(float) __asm__("_Z4erfcf");
extern "C" __device__ double locus_clc_erfc(double) __asm__("_Z4erfcd");
extern "C" __device__ double locus_clc_fmod(double, double) __asm__("_Z4fmoddd");
extern "C" __device__ double locus_clc_remainder(double, double) __asm__("_Z9remainderdd");
extern "C" __device__ float locus_clc_lgammaf(float) __asm__("_Z6lgammaf");
extern "C" __device__ double locus_clc_lgamma(double) __asm__("_Z6lgammad");

LOCUS_DEVICE double __nv_exp(double a) { return locus_clc_exp(a); }
LOCUS_DEVICE double __nv_exp2(double a) { return locus_clc_exp2(a); }
LOCUS_DEVICE float __nv_exp2f(float a) { return LOCUS_SFU(ex2)(a); }
/* exp(a) = 2^n exp(r): r is a - n log(2) with log(2) in two parts, and 2^n two factors, as it may be too large for one.
 * */
LOCUS_DEVICE float __nv_expf(float a)
{
#ifdef __CLANG_CUDA_APPROX_TRANSCENDENTALS__
	return __nv_fast_expf(a);
#else
	float n = __builtin_rintf(__nvvm_fmax_f(__nvvm_fmin_f(a, 100.0f), -110.0f) * 1.44269504f);
	float r = __builtin_fmaf(n, -1.42860677e-6f, __builtin_fmaf(n, -0.693145752f, a));
	int half = (int)n >> 1;
	float y = LOCUS_SFU(ex2)(r * 1.44269504f);

	return y * __nv_int_as_float((half + 127) << 23) * __nv_int_as_float(((int)n - half + 127) << 23);
#endif
}
LOCUS_DEVICE double __nv_erfc(double a) { return locus_clc_erfc(a); }
LOCUS_DEVICE float __nv_erfcf(float a) { return a < 0.5f ? locus_clc_erfcf(a) : (float)locus_clc_erfc((double)a); }
/* In double they are exact. */
LOCUS_DEVICE double __nv_fmod(double a, double b) { return locus_clc_fmod(a, b); }
LOCUS_DEVICE float __nv_fmodf(float a, float b) { return (float)locus_clc_fmod((double)a, (double)b); }
LOCUS_DEVICE double __nv_remainder(double a, double b) { return locus_clc_remainder(a, b); }
LOCUS_DEVICE float __nv_remainderf(float a, float b) { return (float)locus_clc_remainder((double)a, (double)b); }
LOCUS_DEVICE float __nv_remquof(float a, float b, int *q) { return (float)locus_clc_remquo((double)a, (double)b, q); }
/* Near the pole at 0 it is -log|a|. */
LOCUS_DEVICE float __nv_lgammaf(float a)
{
	float x = __builtin_fabsf(a);

	return __builtin_isinf(a) ? x : x < 0x1p-28f ? -__nv_logf(x) : locus_clc_lgammaf(a);
}
LOCUS_DEVICE double __nv_lgamma(double a)
{
	double x = __builtin_fabs(a);

	return __builtin_isinf(a) ? x : x < 0x1p-56 ? -__nv_log(x) : locus_clc_lgamma(a);
}
/* Tables are read at an index that an infinity or a NaN makes. */
LOCUS_DEVICE float __nv_coshf(float a) { return locus_clc_coshf(a); }
LOCUS_DEVICE float __nv_sinhf(float a) { return locus_clc_sinhf(a); }
LOCUS_DEVICE double __nv_cosh(double a) { return __builtin_fabs(a) < 711.0 ? locus_clc_cosh(a) : __builtin_fabs(a) * __builtin_inf(); }
LOCUS_DEVICE double __nv_sinh(double a) { return __builtin_fabs(a) < 711.0 ? locus_clc_sinh(a) : a * __builtin_inf(); }

/* ---- one instruction each ---- */

LOCUS_DEVICE float __nv_fabsf(float a) { return __builtin_fabsf(a); }
LOCUS_DEVICE double __nv_fabs(double a) { return __builtin_fabs(a); }
LOCUS_DEVICE float __nv_ceilf(float a) { return __builtin_ceilf(a); }
LOCUS_DEVICE double __nv_ceil(double a) { return __builtin_ceil(a); }
LOCUS_DEVICE float __nv_floorf(float a) { return __builtin_floorf(a); }
LOCUS_DEVICE double __nv_floor(double a) { return __builtin_floor(a); }
LOCUS_DEVICE float __nv_truncf(float a) { return __builtin_truncf(a); }
LOCUS_DEVICE double __nv_trunc(double a) { return __builtin_trunc(a); }
LOCUS_DEVICE float __nv_rintf(float a) { return __builtin_rintf(a); }
LOCUS_DEVICE double __nv_rint(double a) { return __builtin_rint(a); }
LOCUS_DEVICE float __nv_nearbyintf(float a) { return __builtin_rintf(a); }
LOCUS_DEVICE double __nv_nearbyint(double a) { return __builtin_rint(a); }
LOCUS_DEVICE float __nv_fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
LOCUS_DEVICE double __nv_fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
LOCUS_DEVICE float __nv_fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
LOCUS_DEVICE double __nv_fmax(double a, double b) { return __builtin_fmax(a, b); }
LOCUS_DEVICE float __nv_fminf(float a, float b) { return __builtin_fminf(a, b); }
LOCUS_DEVICE double __nv_fmin(double a, double b) { return __builtin_fmin(a, b); }
LOCUS_DEVICE float __nv_copysignf(float a, float b) { return __builtin_copysignf(a, b); }
LOCUS_DEVICE double __nv_copysign(double a, double b) { return __builtin_copysign(a, b); }
LOCUS_DEVICE float __nv_saturatef(float a) { return __nvvm_saturate_f(a); }
#ifdef LOCUS_CUDA_APPROXIMATE_SQRT
LOCUS_DEVICE float __nv_sqrtf(float a) { return LOCUS_SFU(sqrt)(a); }
#else
LOCUS_DEVICE float __nv_sqrtf(float a) { return __builtin_sqrtf(a); }
#endif
LOCUS_DEVICE double __nv_sqrt(double a) { return __nvvm_sqrt_rn_d(a); }
LOCUS_DEVICE float __nv_rsqrtf(float a) { return LOCUS_SFU(rsqrt)(a); }
LOCUS_DEVICE long long __nv_llrintf(float a) { return __nvvm_f2ll_rn(a); }
LOCUS_DEVICE long long __nv_llrint(double a) { return __nvvm_d2ll_rn(a); }
LOCUS_DEVICE float __nv_roundf(float a)
{
	float t = __builtin_truncf(a);
	return __builtin_copysignf(__builtin_fabsf(a - t) >= 0.5f ? t + __builtin_copysignf(1.0f, a) : t, a);
}
LOCUS_DEVICE double __nv_round(double a)
{
	double t = __builtin_trunc(a);
	return __builtin_copysign(__builtin_fabs(a - t) >= 0.5 ? t + __builtin_copysign(1.0, a) : t, a);
}
LOCUS_DEVICE long long __nv_llroundf(float a) { return __nvvm_f2ll_rz(__nv_roundf(a)); }
LOCUS_DEVICE long long __nv_llround(double a) { return __nvvm_d2ll_rz(__nv_round(a)); }
LOCUS_DEVICE float __nv_modff(float a, float *whole)
{
	*whole = __builtin_truncf(a);
	return __builtin_copysignf(__builtin_isinf(a) ? 0.0f : a - *whole, a);
}
LOCUS_DEVICE double __nv_modf(double a, double *whole)
{
	*whole = __builtin_trunc(a);
	return __builtin_copysign(__builtin_isinf(a) ? 0.0 : a - *whole, a);
}

#undef LOCUS_SFU

/* By powers of two that are none too large; towards zero the last of them alone rounds. */
LOCUS_DEVICE double __nv_ldexp(double a, int n)
{
	for (int i = 0; i < 2 && n > 1023; i++, n -= 1023)
		a *= 0x1p1023;
	for (int i = 0; i < 2 && n < -1022; i++, n += 969)
		a *= 0x1p-969;
	n = __nv_max(__nv_min(n, 1023), -1022);
	return a * __nv_hiloint2double((n + 1023) << 20, 0);
}
LOCUS_DEVICE float __nv_ldexpf(float a, int n) { return (float)__nv_ldexp((double)a, __nv_max(__nv_min(n, 400), -400)); }
LOCUS_DEVICE double __nv_scalbn(double a, int n) { return __nv_ldexp(a, n); }
LOCUS_DEVICE float __nv_scalbnf(float a, int n) { return __nv_ldexpf(a, n); }

/* ---- two at once ---- */

LOCUS_DEVICE void __nv_sincosf(float a, float *s, float *c)
{
	*s = __nv_sinf(a);
	*c = __nv_cosf(a);
}
LOCUS_DEVICE void __nv_sincospif(float a, float *s, float *c)
{
	*s = __nv_sinpif(a);
	*c = __nv_cospif(a);
}
LOCUS_DEVICE void __nv_sincospi(double a, double *s, double *c)
{
	*s = __nv_sinpi(a);
	*c = __nv_cospi(a);
}

#endif
