/* Halves (CUDA Math API, "Half Precision Intrinsics"): __half and __half2 on PTX's f16 and f16x2, sm_53 and later; on
 * the host, storage and conversions.
 */
/* A function a line reads as the table that it is. */
/* clang-format off */
#ifndef LOCUS_CUDA_FP16_H
#define LOCUS_CUDA_FP16_H

#include "cuda_runtime.h"

#define LOCUS_BOTH static __host__ __device__ __inline__ __attribute__((unused))

struct __half_raw { unsigned short x; };
struct __half2_raw { unsigned short x, y; };

/* ---- conversions in integers, for the host: to nearest, ties to even ---- */

LOCUS_BOTH unsigned short locus_half_bits(double d)
{
	unsigned long long b = __builtin_bit_cast(unsigned long long, d), m = (b & 0xfffffffffffffull) | 1ull << 52;
	unsigned short sign = (unsigned short)(b >> 48 & 0x8000);
	int e = (int)(b >> 52 & 2047) - 1023, shift = e < -14 ? 42 - 14 - e : 42;

	if (e == 1024)
		return (b & 0xfffffffffffffull) ? 0x7fff : (unsigned short)(sign | 0x7c00);
	if (e < -25)
		return sign;
	unsigned long long kept = m >> shift, rest = m & ((1ull << shift) - 1), half = 1ull << (shift - 1);
	kept += rest > half || (rest == half && (kept & 1));
	kept += e < -14 ? 0 : (unsigned long long)(e + 14) << 10;
	return (unsigned short)(sign | (e > 15 || kept > 0x7c00 ? 0x7c00 : kept));
}
LOCUS_BOTH float locus_half_value(unsigned short h)
{
	unsigned sign = (unsigned)(h & 0x8000) << 16, e = h >> 10 & 31, m = h & 1023;
	float small = (float)m * 0x1p-24f;

	if (!e)
		return sign ? -small : small;
	return __builtin_bit_cast(float, sign | (e == 31 ? 0x7f800000u : (e + 112) << 23) | m << 13);
}

struct __half;
LOCUS_BOTH __half __float2half(float a);
LOCUS_BOTH float __half2float(__half a);
LOCUS_BOTH __half __double2half(double a);

struct __attribute__((aligned(2))) __half {
	unsigned short __x;

	__half() = default;
	__host__ __device__ __half(const __half_raw &r) : __x(r.x) {}
	__host__ __device__ __half(float a) : __x(__float2half(a).__x) {}
	__host__ __device__ __half(double a) : __x(__double2half(a).__x) {}
	__host__ __device__ __half(int a) : __x(__float2half((float)a).__x) {}
	__host__ __device__ __half(unsigned a) : __x(__float2half((float)a).__x) {}
	__host__ __device__ __half(short a) : __x(__float2half((float)a).__x) {}
	__host__ __device__ __half(unsigned short a) : __x(__float2half((float)a).__x) {}
	__host__ __device__ __half(long long a) : __x(__double2half((double)a).__x) {}
	__host__ __device__ __half(unsigned long long a) : __x(__double2half((double)a).__x) {}
	__host__ __device__ operator float() const { return __half2float(*this); }
	__host__ __device__ operator __half_raw() const { return {__x}; }
};
struct __attribute__((aligned(4))) __half2 {
	__half x, y;

	__half2() = default;
	__host__ __device__ __half2(__half a, __half b) : x(a), y(b) {}
};
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;

LOCUS_BOTH unsigned short __half_as_ushort(__half a) { return a.__x; }
LOCUS_BOTH short __half_as_short(__half a) { return (short)a.__x; }
LOCUS_BOTH __half __ushort_as_half(unsigned short a) { return __half(__half_raw{a}); }
LOCUS_BOTH __half __short_as_half(short a) { return __ushort_as_half((unsigned short)a); }

#ifdef __CUDA_ARCH__
LOCUS_BOTH __half __float2half(float a)
{
	unsigned short h;
	__asm__("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(a));
	return __ushort_as_half(h);
}
LOCUS_BOTH __half __double2half(double a)
{
	unsigned short h;
	__asm__("cvt.rn.f16.f64 %0, %1;" : "=h"(h) : "d"(a));
	return __ushort_as_half(h);
}
LOCUS_BOTH float __half2float(__half a)
{
	float f;
	__asm__("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(a.__x));
	return f;
}
#else
LOCUS_BOTH __half __float2half(float a) { return __ushort_as_half(locus_half_bits((double)a)); }
LOCUS_BOTH __half __double2half(double a) { return __ushort_as_half(locus_half_bits(a)); }
LOCUS_BOTH float __half2float(__half a) { return locus_half_value(a.__x); }
#endif
LOCUS_BOTH __half __float2half_rn(float a) { return __float2half(a); }
LOCUS_BOTH __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
LOCUS_BOTH __half2 make_half2(__half a, __half b) { return __half2(a, b); }
LOCUS_BOTH __half2 __half2half2(__half a) { return __half2(a, a); }
LOCUS_BOTH __half2 __floats2half2_rn(float a, float b) { return __half2(__float2half(a), __float2half(b)); }
LOCUS_BOTH __half2 __float22half2_rn(float2 a) { return __floats2half2_rn(a.x, a.y); }
LOCUS_BOTH __half2 __float2half2_rn(float a) { return __half2half2(__float2half(a)); }
LOCUS_BOTH float2 __half22float2(__half2 a) { return float2{__half2float(a.x), __half2float(a.y)}; }
LOCUS_BOTH float __low2float(__half2 a) { return __half2float(a.x); }
LOCUS_BOTH float __high2float(__half2 a) { return __half2float(a.y); }
LOCUS_BOTH __half __low2half(__half2 a) { return a.x; }
LOCUS_BOTH __half __high2half(__half2 a) { return a.y; }
LOCUS_BOTH __half2 __low2half2(__half2 a) { return __half2(a.x, a.x); }
LOCUS_BOTH __half2 __high2half2(__half2 a) { return __half2(a.y, a.y); }
LOCUS_BOTH __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
LOCUS_BOTH __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
LOCUS_BOTH __half2 __lowhigh2highlow(__half2 a) { return __half2(a.y, a.x); }

#define LOCUS_TO_HALF(name, type, letter, op)                                                                                      \
	LOCUS_DEVICE __half name(type a)                                                                                           \
	{                                                                                                                          \
		unsigned short h;                                                                                                  \
		__asm__(op " %0, %1;" : "=h"(h) : letter(a));                                                                      \
		return __ushort_as_half(h);                                                                                        \
	}
#define LOCUS_FROM_HALF(name, type, letter, op)                                                                                    \
	LOCUS_DEVICE type name(__half a)                                                                                           \
	{                                                                                                                          \
		type v;                                                                                                            \
		__asm__(op " %0, %1;" : "=" letter(v) : "h"(a.__x));                                                               \
		return v;                                                                                                          \
	}
LOCUS_TO_HALF(__float2half_rz, float, "f", "cvt.rz.f16.f32")
LOCUS_TO_HALF(__float2half_rd, float, "f", "cvt.rm.f16.f32")
LOCUS_TO_HALF(__float2half_ru, float, "f", "cvt.rp.f16.f32")
LOCUS_TO_HALF(__int2half_rn, int, "r", "cvt.rn.f16.s32")
LOCUS_TO_HALF(__int2half_rz, int, "r", "cvt.rz.f16.s32")
LOCUS_TO_HALF(__int2half_rd, int, "r", "cvt.rm.f16.s32")
LOCUS_TO_HALF(__int2half_ru, int, "r", "cvt.rp.f16.s32")
LOCUS_FROM_HALF(__half2int_rn, int, "r", "cvt.rni.s32.f16")
LOCUS_FROM_HALF(__half2int_rz, int, "r", "cvt.rzi.s32.f16")
LOCUS_FROM_HALF(__half2int_rd, int, "r", "cvt.rmi.s32.f16")
LOCUS_FROM_HALF(__half2int_ru, int, "r", "cvt.rpi.s32.f16")
LOCUS_TO_HALF(__uint2half_rn, unsigned, "r", "cvt.rn.f16.u32")
LOCUS_TO_HALF(__uint2half_rz, unsigned, "r", "cvt.rz.f16.u32")
LOCUS_TO_HALF(__uint2half_rd, unsigned, "r", "cvt.rm.f16.u32")
LOCUS_TO_HALF(__uint2half_ru, unsigned, "r", "cvt.rp.f16.u32")
LOCUS_FROM_HALF(__half2uint_rn, unsigned, "r", "cvt.rni.u32.f16")
LOCUS_FROM_HALF(__half2uint_rz, unsigned, "r", "cvt.rzi.u32.f16")
LOCUS_FROM_HALF(__half2uint_rd, unsigned, "r", "cvt.rmi.u32.f16")
LOCUS_FROM_HALF(__half2uint_ru, unsigned, "r", "cvt.rpi.u32.f16")
LOCUS_TO_HALF(__short2half_rn, short, "h", "cvt.rn.f16.s16")
LOCUS_TO_HALF(__short2half_rz, short, "h", "cvt.rz.f16.s16")
LOCUS_TO_HALF(__short2half_rd, short, "h", "cvt.rm.f16.s16")
LOCUS_TO_HALF(__short2half_ru, short, "h", "cvt.rp.f16.s16")
LOCUS_FROM_HALF(__half2short_rn, short, "h", "cvt.rni.s16.f16")
LOCUS_FROM_HALF(__half2short_rz, short, "h", "cvt.rzi.s16.f16")
LOCUS_FROM_HALF(__half2short_rd, short, "h", "cvt.rmi.s16.f16")
LOCUS_FROM_HALF(__half2short_ru, short, "h", "cvt.rpi.s16.f16")
LOCUS_TO_HALF(__ushort2half_rn, unsigned short, "h", "cvt.rn.f16.u16")
LOCUS_TO_HALF(__ushort2half_rz, unsigned short, "h", "cvt.rz.f16.u16")
LOCUS_TO_HALF(__ushort2half_rd, unsigned short, "h", "cvt.rm.f16.u16")
LOCUS_TO_HALF(__ushort2half_ru, unsigned short, "h", "cvt.rp.f16.u16")
LOCUS_FROM_HALF(__half2ushort_rn, unsigned short, "h", "cvt.rni.u16.f16")
LOCUS_FROM_HALF(__half2ushort_rz, unsigned short, "h", "cvt.rzi.u16.f16")
LOCUS_FROM_HALF(__half2ushort_rd, unsigned short, "h", "cvt.rmi.u16.f16")
LOCUS_FROM_HALF(__half2ushort_ru, unsigned short, "h", "cvt.rpi.u16.f16")
LOCUS_TO_HALF(__ll2half_rn, long long, "l", "cvt.rn.f16.s64")
LOCUS_TO_HALF(__ll2half_rz, long long, "l", "cvt.rz.f16.s64")
LOCUS_TO_HALF(__ll2half_rd, long long, "l", "cvt.rm.f16.s64")
LOCUS_TO_HALF(__ll2half_ru, long long, "l", "cvt.rp.f16.s64")
LOCUS_FROM_HALF(__half2ll_rn, long long, "l", "cvt.rni.s64.f16")
LOCUS_FROM_HALF(__half2ll_rz, long long, "l", "cvt.rzi.s64.f16")
LOCUS_FROM_HALF(__half2ll_rd, long long, "l", "cvt.rmi.s64.f16")
LOCUS_FROM_HALF(__half2ll_ru, long long, "l", "cvt.rpi.s64.f16")
LOCUS_TO_HALF(__ull2half_rn, unsigned long long, "l", "cvt.rn.f16.u64")
LOCUS_TO_HALF(__ull2half_rz, unsigned long long, "l", "cvt.rz.f16.u64")
LOCUS_TO_HALF(__ull2half_rd, unsigned long long, "l", "cvt.rm.f16.u64")
LOCUS_TO_HALF(__ull2half_ru, unsigned long long, "l", "cvt.rp.f16.u64")
LOCUS_FROM_HALF(__half2ull_rn, unsigned long long, "l", "cvt.rni.u64.f16")
LOCUS_FROM_HALF(__half2ull_rz, unsigned long long, "l", "cvt.rzi.u64.f16")
LOCUS_FROM_HALF(__half2ull_rd, unsigned long long, "l", "cvt.rmi.u64.f16")
LOCUS_FROM_HALF(__half2ull_ru, unsigned long long, "l", "cvt.rpi.u64.f16")
#undef LOCUS_TO_HALF
#undef LOCUS_FROM_HALF

/* ---- arithmetic: of one and of two ---- */

LOCUS_DEVICE unsigned locus_pair(__half2 a) { return __builtin_bit_cast(unsigned, a); }
LOCUS_DEVICE __half2 locus_half2(unsigned a) { return __builtin_bit_cast(__half2, a); }

#define LOCUS_HALF_1(name, name2, op, op2)                                                                                         \
	LOCUS_DEVICE __half name(__half a)                                                                                         \
	{                                                                                                                          \
		unsigned short h;                                                                                                  \
		__asm__(op " %0, %1;" : "=h"(h) : "h"(a.__x));                                                                     \
		return __ushort_as_half(h);                                                                                        \
	}                                                                                                                          \
	LOCUS_DEVICE __half2 name2(__half2 a)                                                                                      \
	{                                                                                                                          \
		unsigned r;                                                                                                        \
		__asm__(op2 " %0, %1;" : "=r"(r) : "r"(locus_pair(a)));                                                            \
		return locus_half2(r);                                                                                             \
	}
#define LOCUS_HALF_2(name, name2, op, op2)                                                                                         \
	LOCUS_DEVICE __half name(__half a, __half b)                                                                               \
	{                                                                                                                          \
		unsigned short h;                                                                                                  \
		__asm__(op " %0, %1, %2;" : "=h"(h) : "h"(a.__x), "h"(b.__x));                                                     \
		return __ushort_as_half(h);                                                                                        \
	}                                                                                                                          \
	LOCUS_DEVICE __half2 name2(__half2 a, __half2 b)                                                                           \
	{                                                                                                                          \
		unsigned r;                                                                                                        \
		__asm__(op2 " %0, %1, %2;" : "=r"(r) : "r"(locus_pair(a)), "r"(locus_pair(b)));                                    \
		return locus_half2(r);                                                                                             \
	}
#define LOCUS_HALF_3(name, name2, op, op2)                                                                                         \
	LOCUS_DEVICE __half name(__half a, __half b, __half c)                                                                     \
	{                                                                                                                          \
		unsigned short h;                                                                                                  \
		__asm__(op " %0, %1, %2, %3;" : "=h"(h) : "h"(a.__x), "h"(b.__x), "h"(c.__x));                                     \
		return __ushort_as_half(h);                                                                                        \
	}                                                                                                                          \
	LOCUS_DEVICE __half2 name2(__half2 a, __half2 b, __half2 c)                                                                \
	{                                                                                                                          \
		unsigned r;                                                                                                        \
		__asm__(op2 " %0, %1, %2, %3;" : "=r"(r) : "r"(locus_pair(a)), "r"(locus_pair(b)), "r"(locus_pair(c)));            \
		return locus_half2(r);                                                                                             \
	}
LOCUS_HALF_1(__hneg, __hneg2, "neg.f16", "neg.f16x2")
LOCUS_HALF_1(__habs, __habs2, "abs.f16", "abs.f16x2")
LOCUS_HALF_2(__hadd, __hadd2, "add.f16", "add.f16x2")
LOCUS_HALF_2(__hsub, __hsub2, "sub.f16", "sub.f16x2")
LOCUS_HALF_2(__hmul, __hmul2, "mul.f16", "mul.f16x2")
LOCUS_HALF_2(__hadd_rn, __hadd2_rn, "add.rn.f16", "add.rn.f16x2")
LOCUS_HALF_2(__hsub_rn, __hsub2_rn, "sub.rn.f16", "sub.rn.f16x2")
LOCUS_HALF_2(__hmul_rn, __hmul2_rn, "mul.rn.f16", "mul.rn.f16x2")
LOCUS_HALF_2(__hadd_sat, __hadd2_sat, "add.sat.f16", "add.sat.f16x2")
LOCUS_HALF_2(__hsub_sat, __hsub2_sat, "sub.sat.f16", "sub.sat.f16x2")
LOCUS_HALF_2(__hmul_sat, __hmul2_sat, "mul.sat.f16", "mul.sat.f16x2")
LOCUS_HALF_3(__hfma, __hfma2, "fma.rn.f16", "fma.rn.f16x2")
LOCUS_HALF_3(__hfma_sat, __hfma2_sat, "fma.rn.sat.f16", "fma.rn.sat.f16x2")
#if __CUDA_ARCH__ >= 800 || !defined(__CUDA_ARCH__)
LOCUS_HALF_2(__hmin, __hmin2, "min.f16", "min.f16x2")
LOCUS_HALF_2(__hmax, __hmax2, "max.f16", "max.f16x2")
LOCUS_HALF_3(__hfma_relu, __hfma2_relu, "fma.rn.relu.f16", "fma.rn.relu.f16x2")
#endif
#undef LOCUS_HALF_1
#undef LOCUS_HALF_2
#undef LOCUS_HALF_3
LOCUS_DEVICE __half __hdiv(__half a, __half b) { return __float2half(__half2float(a) / __half2float(b)); }
LOCUS_DEVICE __half2 __h2div(__half2 a, __half2 b) { return __half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }

LOCUS_DEVICE bool __hisnan(__half a) { return (a.__x & 0x7fff) > 0x7c00; }
LOCUS_DEVICE int __hisinf(__half a) { return a.__x == 0x7c00 ? 1 : a.__x == 0xfc00 ? -1 : 0; }

#define LOCUS_ONE __half
#define LOCUS_TWO __half2
#define LOCUS_WHERE LOCUS_DEVICE
#define LOCUS_OF __float2half
#define LOCUS_OF_BITS __ushort_as_half
#define LOCUS_OF_PAIR locus_half2
#define LOCUS_PAIR locus_pair
#include "locus/halves.h"

#undef LOCUS_BOTH

#endif
