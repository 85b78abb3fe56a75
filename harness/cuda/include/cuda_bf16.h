/* Halves with the range of floats (CUDA Math API, "Bfloat16 Precision Intrinsics"): __nv_bfloat16 and __nv_bfloat162,
 * on the host too. From sm_80 on arithmetic is PTX's, as nvcc has it: sums and products are fma.rn.bf16 up to sm_89.
 * Elsewhere it goes through wider numbers, with one rounding: a sum, product or quotient of two by float, which has
 * more than twice their bits and two; a * b + c by double, to odd.
 */
/* A function a line reads as the table that it is. */
/* clang-format off */
#ifndef LOCUS_CUDA_BF16_H
#define LOCUS_CUDA_BF16_H

#include "cuda_runtime.h"

#define LOCUS_BOTH static __host__ __device__ __inline__ __attribute__((unused))

struct __nv_bfloat16_raw { unsigned short x; };
struct __nv_bfloat162_raw { unsigned short x, y; };

/* ---- conversions in integers ---- */

enum locus_bfloat_rounding { LOCUS_BFLOAT_RN, LOCUS_BFLOAT_RZ, LOCUS_BFLOAT_RD, LOCUS_BFLOAT_RU };

/* Whether a magnitude is rounded up: rest of it is cut off, of 2 * half. */
LOCUS_BOTH bool locus_bfloat_up(locus_bfloat_rounding how, bool negative, unsigned long long rest, unsigned long long half, bool odd)
{
	switch (how) {
	case LOCUS_BFLOAT_RN: return rest > half || (rest == half && odd);
	case LOCUS_BFLOAT_RD: return negative && rest;
	case LOCUS_BFLOAT_RU: return !negative && rest;
	default: return false;
	}
}
/* 8 bits of significand; exponents from -126 to 127, and below that multiples of 2^-133. */
LOCUS_BOTH unsigned short locus_bfloat_bits(double d, locus_bfloat_rounding how)
{
	unsigned long long b = __builtin_bit_cast(unsigned long long, d), m = b & 0xfffffffffffffull, kept, rest;
	unsigned short sign = (unsigned short)(b >> 48 & 0x8000);
	int e = (int)(b >> 52 & 2047) - 1023, shift = e < -126 ? 45 - 126 - e : 45;

	if (e == 1024)
		return m ? 0x7fff : (unsigned short)(sign | 0x7f80);
	if (e > 127)
		return (unsigned short)(sign | (0x7f7f + locus_bfloat_up(how, sign != 0, 3, 2, true)));
	m |= e == -1023 ? 0 : 1ull << 52;
	if (shift > 60) { /* less than half of the least; which of it does not matter */
		shift = 60;
		m = m != 0;
	}
	kept = m >> shift;
	rest = m & ((1ull << shift) - 1);
	kept += locus_bfloat_up(how, sign != 0, rest, 1ull << (shift - 1), kept & 1);
	return (unsigned short)(sign | (kept + (e < -126 ? 0 : (unsigned long long)(e + 126) << 7)));
}
LOCUS_BOTH float locus_bfloat_value(unsigned short x) { return __builtin_bit_cast(float, (unsigned)x << 16); }
/* What a double holds of 64 bits, the last of them standing for those that it does not. */
LOCUS_BOTH double locus_bfloat_of(unsigned long long v)
{
	return (double)(v >> 53 ? (v >> 11 | ((v & 2047) != 0)) << 11 : v);
}
LOCUS_BOTH double locus_bfloat_of(long long v)
{
	return v < 0 ? -locus_bfloat_of(0ull - (unsigned long long)v) : locus_bfloat_of((unsigned long long)v);
}

struct __nv_bfloat16;
LOCUS_BOTH __nv_bfloat16 __float2bfloat16(float a);
LOCUS_BOTH __nv_bfloat16 __double2bfloat16(double a);
LOCUS_BOTH float __bfloat162float(__nv_bfloat16 a);
LOCUS_BOTH __nv_bfloat16 __ll2bfloat16_rn(long long a);
LOCUS_BOTH __nv_bfloat16 __ull2bfloat16_rn(unsigned long long a);

struct __attribute__((aligned(2))) __nv_bfloat16 {
	unsigned short __x;

	__nv_bfloat16() = default;
	__host__ __device__ __nv_bfloat16(const __nv_bfloat16_raw &r) : __x(r.x) {}
	__host__ __device__ __nv_bfloat16(float a) : __x(__float2bfloat16(a).__x) {}
	__host__ __device__ __nv_bfloat16(double a) : __x(__double2bfloat16(a).__x) {}
	__host__ __device__ __nv_bfloat16(short a) : __x(__double2bfloat16(a).__x) {}
	__host__ __device__ __nv_bfloat16(unsigned short a) : __x(__double2bfloat16(a).__x) {}
	__host__ __device__ __nv_bfloat16(int a) : __x(__double2bfloat16(a).__x) {}
	__host__ __device__ __nv_bfloat16(unsigned a) : __x(__double2bfloat16(a).__x) {}
	__host__ __device__ __nv_bfloat16(long a) : __x(__ll2bfloat16_rn(a).__x) {}
	__host__ __device__ __nv_bfloat16(unsigned long a) : __x(__ull2bfloat16_rn(a).__x) {}
	__host__ __device__ __nv_bfloat16(long long a) : __x(__ll2bfloat16_rn(a).__x) {}
	__host__ __device__ __nv_bfloat16(unsigned long long a) : __x(__ull2bfloat16_rn(a).__x) {}
	__host__ __device__ operator float() const { return __bfloat162float(*this); }
	__host__ __device__ operator __nv_bfloat16_raw() const { return {__x}; }
};
struct __attribute__((aligned(4))) __nv_bfloat162 {
	__nv_bfloat16 x, y;

	__nv_bfloat162() = default;
	__host__ __device__ __nv_bfloat162(const __nv_bfloat16 &a, const __nv_bfloat16 &b) : x(a), y(b) {}
	__host__ __device__ __nv_bfloat162(const __nv_bfloat162_raw &r) : x(__nv_bfloat16_raw{r.x}), y(__nv_bfloat16_raw{r.y}) {}
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

LOCUS_BOTH unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) { return a.__x; }
LOCUS_BOTH short __bfloat16_as_short(__nv_bfloat16 a) { return (short)a.__x; }
LOCUS_BOTH __nv_bfloat16 __ushort_as_bfloat16(unsigned short a) { return __nv_bfloat16(__nv_bfloat16_raw{a}); }
LOCUS_BOTH __nv_bfloat16 __short_as_bfloat16(short a) { return __ushort_as_bfloat16((unsigned short)a); }
LOCUS_BOTH __nv_bfloat16 locus_bfloat(double a, locus_bfloat_rounding how) { return __ushort_as_bfloat16(locus_bfloat_bits(a, how)); }

LOCUS_BOTH float __bfloat162float(__nv_bfloat16 a) { return locus_bfloat_value(a.__x); }
LOCUS_BOTH __nv_bfloat16 __float2bfloat16(float a)
{
#if __CUDA_ARCH__ >= 800
	unsigned short h;
	__asm__("cvt.rn.bf16.f32 %0, %1;" : "=h"(h) : "f"(a));
	return __ushort_as_bfloat16(h);
#else
	return locus_bfloat((double)a, LOCUS_BFLOAT_RN);
#endif
}
LOCUS_BOTH __nv_bfloat16 __double2bfloat16(double a) { return locus_bfloat(a, LOCUS_BFLOAT_RN); }
LOCUS_BOTH __nv_bfloat16 __float2bfloat16_rn(float a) { return __float2bfloat16(a); }
LOCUS_BOTH __nv_bfloat16 __float2bfloat16_rz(float a) { return locus_bfloat((double)a, LOCUS_BFLOAT_RZ); }
LOCUS_BOTH __nv_bfloat16 __float2bfloat16_rd(float a) { return locus_bfloat((double)a, LOCUS_BFLOAT_RD); }
LOCUS_BOTH __nv_bfloat16 __float2bfloat16_ru(float a) { return locus_bfloat((double)a, LOCUS_BFLOAT_RU); }

#define LOCUS_BFLOAT_FROM(name, type, wide, mode, MODE)                                                                            \
	LOCUS_BOTH __nv_bfloat16 __##name##2bfloat16_##mode(type a) { return locus_bfloat(wide(a), LOCUS_BFLOAT_##MODE); }
#define LOCUS_BFLOAT_FROM_ALL(name, type, wide)                                                                                    \
	LOCUS_BFLOAT_FROM(name, type, wide, rn, RN)                                                                                \
	LOCUS_BFLOAT_FROM(name, type, wide, rz, RZ)                                                                                \
	LOCUS_BFLOAT_FROM(name, type, wide, rd, RD)                                                                                \
	LOCUS_BFLOAT_FROM(name, type, wide, ru, RU)
LOCUS_BFLOAT_FROM_ALL(short, short, double)
LOCUS_BFLOAT_FROM_ALL(ushort, unsigned short, double)
LOCUS_BFLOAT_FROM_ALL(int, int, double)
LOCUS_BFLOAT_FROM_ALL(uint, unsigned int, double)
LOCUS_BFLOAT_FROM_ALL(ll, long long, locus_bfloat_of)
LOCUS_BFLOAT_FROM_ALL(ull, unsigned long long, locus_bfloat_of)
#undef LOCUS_BFLOAT_FROM
#undef LOCUS_BFLOAT_FROM_ALL

/* To integers a float on the way is exact; what is out of range becomes the nearest that is in it, a NaN 0, or the
 * largest power of two of a type of 64 bits (PTX ISA manual, cvt). */
#define LOCUS_BFLOAT_TO(name, type, letter, ptx, mode)                                                                             \
	LOCUS_DEVICE type __bfloat162##name##_##mode(__nv_bfloat16 a)                                                              \
	{                                                                                                                          \
		type v;                                                                                                            \
		__asm__("cvt." #mode "i." ptx ".f32 %0, %1;" : "=" letter(v) : "f"(__bfloat162float(a)));                          \
		return v;                                                                                                          \
	}
#define LOCUS_BFLOAT_TO_NAMED(name, type, letter, ptx, mode, word)                                                                 \
	LOCUS_DEVICE type __bfloat162##name##_##mode(__nv_bfloat16 a)                                                              \
	{                                                                                                                          \
		type v;                                                                                                            \
		__asm__("cvt." word "." ptx ".f32 %0, %1;" : "=" letter(v) : "f"(__bfloat162float(a)));                            \
		return v;                                                                                                          \
	}
#define LOCUS_BFLOAT_TO_ALL(name, type, letter, ptx)                                                                               \
	LOCUS_BFLOAT_TO(name, type, letter, ptx, rn)                                                                               \
	LOCUS_BFLOAT_TO(name, type, letter, ptx, rz)                                                                               \
	LOCUS_BFLOAT_TO_NAMED(name, type, letter, ptx, rd, "rmi")                                                                  \
	LOCUS_BFLOAT_TO_NAMED(name, type, letter, ptx, ru, "rpi")
LOCUS_BFLOAT_TO_ALL(short, short, "h", "s16")
LOCUS_BFLOAT_TO_ALL(ushort, unsigned short, "h", "u16")
LOCUS_BFLOAT_TO_ALL(int, int, "r", "s32")
LOCUS_BFLOAT_TO_ALL(uint, unsigned int, "r", "u32")
LOCUS_BFLOAT_TO_ALL(ll, long long, "l", "s64")
LOCUS_BFLOAT_TO_ALL(ull, unsigned long long, "l", "u64")
#undef LOCUS_BFLOAT_TO
#undef LOCUS_BFLOAT_TO_NAMED
#undef LOCUS_BFLOAT_TO_ALL

/* ---- of one and of two ---- */

LOCUS_BOTH unsigned locus_bfloat_pair(__nv_bfloat162 a) { return __builtin_bit_cast(unsigned, a); }
LOCUS_BOTH __nv_bfloat162 locus_bfloat162(unsigned a) { return __builtin_bit_cast(__nv_bfloat162, a); }
LOCUS_BOTH __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
LOCUS_BOTH __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
LOCUS_BOTH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162(a, a); }
LOCUS_BOTH __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return __nv_bfloat162(__float2bfloat16(a), __float2bfloat16(b)); }
LOCUS_BOTH __nv_bfloat162 __float22bfloat162_rn(float2 a) { return __floats2bfloat162_rn(a.x, a.y); }
LOCUS_BOTH __nv_bfloat162 __float2bfloat162_rn(float a) { return __bfloat162bfloat162(__float2bfloat16(a)); }
LOCUS_BOTH float2 __bfloat1622float2(__nv_bfloat162 a) { return float2{__bfloat162float(a.x), __bfloat162float(a.y)}; }
LOCUS_BOTH float __low2float(__nv_bfloat162 a) { return __bfloat162float(a.x); }
LOCUS_BOTH float __high2float(__nv_bfloat162 a) { return __bfloat162float(a.y); }
LOCUS_BOTH __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
LOCUS_BOTH __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
LOCUS_BOTH __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162(a.x, a.x); }
LOCUS_BOTH __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162(a.y, a.y); }
LOCUS_BOTH __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.x, b.x); }
LOCUS_BOTH __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.y, b.y); }
LOCUS_BOTH __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 a) { return __nv_bfloat162(a.y, a.x); }

/* ---- arithmetic ---- */

/* a * b is exact in double. A sum that is not becomes the neighbour whose last bit is 1, so that it is no tie. */
LOCUS_BOTH double locus_fma_to_odd(double a, double b, double c)
{
	double p = a * b, s = p + c, back = s - p, error = (p - (s - back)) + (c - back);
	unsigned long long bits = __builtin_bit_cast(unsigned long long, s);

	if (error == 0 || error != error || (bits & 1))
		return s;
	return __builtin_bit_cast(double, (error > 0) == (s > 0) ? bits + 1 : bits - 1);
}
LOCUS_BOTH __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c)
{
#if __CUDA_ARCH__ >= 800
	unsigned short h;
	__asm__("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(h) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
	return __ushort_as_bfloat16(h);
#else
	return locus_bfloat(locus_fma_to_odd((float)a, (float)b, (float)c), LOCUS_BFLOAT_RN);
#endif
}
LOCUS_BOTH __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c)
{
#if __CUDA_ARCH__ >= 800
	unsigned r;
	__asm__("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(locus_bfloat_pair(a)), "r"(locus_bfloat_pair(b)), "r"(locus_bfloat_pair(c)));
	return locus_bfloat162(r);
#else
	return __nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
#endif
}

/* name: __hadd and so on, whose PTX is op; op_: its operator; fma: what it is as one. */
#if __CUDA_ARCH__ >= 900
#define LOCUS_BFLOAT_2(name, op, op_, fma)                                                                                         \
	LOCUS_BOTH __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b)                                                            \
	{                                                                                                                          \
		unsigned short h;                                                                                                  \
		__asm__(op ".rn.bf16 %0, %1, %2;" : "=h"(h) : "h"(a.__x), "h"(b.__x));                                             \
		return __ushort_as_bfloat16(h);                                                                                    \
	}                                                                                                                          \
	LOCUS_BOTH __nv_bfloat162 name##2(__nv_bfloat162 a, __nv_bfloat162 b)                                                      \
	{                                                                                                                          \
		unsigned r;                                                                                                        \
		__asm__(op ".rn.bf16x2 %0, %1, %2;" : "=r"(r) : "r"(locus_bfloat_pair(a)), "r"(locus_bfloat_pair(b)));             \
		return locus_bfloat162(r);                                                                                         \
	}
#elif __CUDA_ARCH__ >= 800
#define LOCUS_BFLOAT_2(name, op, op_, fma)                                                                                         \
	LOCUS_BOTH __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b)                                                            \
	{                                                                                                                          \
		auto constant = [](unsigned short bits) { return __ushort_as_bfloat16(bits); };                                    \
		auto all = [](__nv_bfloat16 x, __nv_bfloat16 y, __nv_bfloat16 z) { return __hfma(x, y, z); };                      \
		return fma;                                                                                                        \
	}                                                                                                                          \
	LOCUS_BOTH __nv_bfloat162 name##2(__nv_bfloat162 a, __nv_bfloat162 b)                                                      \
	{                                                                                                                          \
		auto constant = [](unsigned short bits) { return __bfloat162bfloat162(__ushort_as_bfloat16(bits)); };              \
		auto all = [](__nv_bfloat162 x, __nv_bfloat162 y, __nv_bfloat162 z) { return __hfma2(x, y, z); };                  \
		return fma;                                                                                                        \
	}
#else
#define LOCUS_BFLOAT_2(name, op, op_, fma)                                                                                         \
	LOCUS_BOTH __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) { return __float2bfloat16((float)a op_ (float)b); }        \
	LOCUS_BOTH __nv_bfloat162 name##2(__nv_bfloat162 a, __nv_bfloat162 b)                                                      \
	{                                                                                                                          \
		return __nv_bfloat162(name(a.x, b.x), name(a.y, b.y));                                                             \
	}
#endif
LOCUS_BFLOAT_2(__hadd, "add", +, all(a, constant(0x3f80), b)) /* 1, -1, -0 */
LOCUS_BFLOAT_2(__hsub, "sub", -, all(b, constant(0xbf80), a))
LOCUS_BFLOAT_2(__hmul, "mul", *, all(a, b, constant(0x8000)))
#undef LOCUS_BFLOAT_2

/* Of two each alone. */
#define LOCUS_BFLOAT_PAIR_1(name, name2)                                                                                           \
	LOCUS_BOTH __nv_bfloat162 name2(__nv_bfloat162 a) { return __nv_bfloat162(name(a.x), name(a.y)); }
#define LOCUS_BFLOAT_PAIR_2(name, name2)                                                                                           \
	LOCUS_BOTH __nv_bfloat162 name2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(name(a.x, b.x), name(a.y, b.y)); }
#define LOCUS_BFLOAT_PAIR_3(name, name2)                                                                                           \
	LOCUS_BOTH __nv_bfloat162 name2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c)                                      \
	{                                                                                                                          \
		return __nv_bfloat162(name(a.x, b.x, c.x), name(a.y, b.y, c.y));                                                   \
	}
LOCUS_BOTH bool __hisnan(__nv_bfloat16 a) { return (a.__x & 0x7fff) > 0x7f80; }
LOCUS_BOTH int __hisinf(__nv_bfloat16 a) { return a.__x == 0x7f80 ? 1 : a.__x == 0xff80 ? -1 : 0; }
LOCUS_BOTH __nv_bfloat16 __hneg(__nv_bfloat16 a) { return __ushort_as_bfloat16(__hisnan(a) ? 0x7fff : a.__x ^ 0x8000); }
LOCUS_BOTH __nv_bfloat16 __habs(__nv_bfloat16 a) { return __ushort_as_bfloat16(__hisnan(a) ? 0x7fff : a.__x & 0x7fff); }
LOCUS_BOTH __nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b) { return __float2bfloat16((float)a / (float)b); }
/* A zero is greater if it is positive; a NaN loses against a number. */
LOCUS_BOTH bool locus_bfloat_less(__nv_bfloat16 a, __nv_bfloat16 b)
{
	return (float)a < (float)b || ((float)a == (float)b && a.__x > b.__x && b.__x == 0);
}
LOCUS_BOTH __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b)
{
	if (__hisnan(a) || __hisnan(b))
		return !__hisnan(a) ? a : !__hisnan(b) ? b : __ushort_as_bfloat16(0x7fff);
	return locus_bfloat_less(a, b) ? a : b;
}
LOCUS_BOTH __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b)
{
	if (__hisnan(a) || __hisnan(b))
		return !__hisnan(a) ? a : !__hisnan(b) ? b : __ushort_as_bfloat16(0x7fff);
	return locus_bfloat_less(a, b) ? b : a;
}
LOCUS_BOTH __nv_bfloat16 __hmin_nan(__nv_bfloat16 a, __nv_bfloat16 b)
{
	return __hisnan(a) || __hisnan(b) ? __ushort_as_bfloat16(0x7fff) : __hmin(a, b);
}
LOCUS_BOTH __nv_bfloat16 __hmax_nan(__nv_bfloat16 a, __nv_bfloat16 b)
{
	return __hisnan(a) || __hisnan(b) ? __ushort_as_bfloat16(0x7fff) : __hmax(a, b);
}
/* In [0, 1]; a NaN is 0. */
LOCUS_BOTH __nv_bfloat16 locus_bfloat_saturated(__nv_bfloat16 a)
{
	return (float)a > 0 ? (float)a < 1 ? a : __ushort_as_bfloat16(0x3f80) : __ushort_as_bfloat16(0);
}
LOCUS_BOTH __nv_bfloat16 __hadd_sat(__nv_bfloat16 a, __nv_bfloat16 b) { return locus_bfloat_saturated(__hadd(a, b)); }
LOCUS_BOTH __nv_bfloat16 __hsub_sat(__nv_bfloat16 a, __nv_bfloat16 b) { return locus_bfloat_saturated(__hsub(a, b)); }
LOCUS_BOTH __nv_bfloat16 __hmul_sat(__nv_bfloat16 a, __nv_bfloat16 b) { return locus_bfloat_saturated(__hmul(a, b)); }
LOCUS_BOTH __nv_bfloat16 __hadd_rn(__nv_bfloat16 a, __nv_bfloat16 b) { return __hadd(a, b); }
LOCUS_BOTH __nv_bfloat16 __hsub_rn(__nv_bfloat16 a, __nv_bfloat16 b) { return __hsub(a, b); }
LOCUS_BOTH __nv_bfloat16 __hmul_rn(__nv_bfloat16 a, __nv_bfloat16 b) { return __hmul(a, b); }
LOCUS_BOTH __nv_bfloat16 __hfma_sat(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) { return locus_bfloat_saturated(__hfma(a, b, c)); }
LOCUS_BOTH __nv_bfloat16 __hfma_relu(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c)
{
	__nv_bfloat16 r = __hfma(a, b, c);
	return (float)r < 0 || r.__x == 0x8000 ? __ushort_as_bfloat16(0) : r;
}
LOCUS_BFLOAT_PAIR_1(__hneg, __hneg2)
LOCUS_BFLOAT_PAIR_1(__habs, __habs2)
LOCUS_BFLOAT_PAIR_2(__hdiv, __h2div)
LOCUS_BFLOAT_PAIR_2(__hmin, __hmin2)
LOCUS_BFLOAT_PAIR_2(__hmax, __hmax2)
LOCUS_BFLOAT_PAIR_2(__hmin_nan, __hmin2_nan)
LOCUS_BFLOAT_PAIR_2(__hmax_nan, __hmax2_nan)
LOCUS_BFLOAT_PAIR_2(__hadd_sat, __hadd2_sat)
LOCUS_BFLOAT_PAIR_2(__hsub_sat, __hsub2_sat)
LOCUS_BFLOAT_PAIR_2(__hmul_sat, __hmul2_sat)
LOCUS_BFLOAT_PAIR_2(__hadd_rn, __hadd2_rn)
LOCUS_BFLOAT_PAIR_2(__hsub_rn, __hsub2_rn)
LOCUS_BFLOAT_PAIR_2(__hmul_rn, __hmul2_rn)
LOCUS_BFLOAT_PAIR_3(__hfma_sat, __hfma2_sat)
LOCUS_BFLOAT_PAIR_3(__hfma_relu, __hfma2_relu)

#define LOCUS_ONE __nv_bfloat16
#define LOCUS_TWO __nv_bfloat162
#define LOCUS_WHERE LOCUS_BOTH
#define LOCUS_OF __float2bfloat16
#define LOCUS_OF_BITS __ushort_as_bfloat16
#define LOCUS_OF_PAIR locus_bfloat162
#define LOCUS_PAIR locus_bfloat_pair
#include "locus/halves.h"

#undef LOCUS_BFLOAT_PAIR_1
#undef LOCUS_BFLOAT_PAIR_2
#undef LOCUS_BFLOAT_PAIR_3
#undef LOCUS_BOTH

#endif
