/* Arithmetic, conversions and whole numbers: what is one instruction of PTX, or a few.
 *
 * clang's own headers for CUDA (__clang_cuda_device_functions.h and its neighbours) turn the names of the CUDA Math API
 * into functions __nv_NAME, which a CUDA toolkit has in its bitcode library. Here they are on clang's builtins. rn, rz,
 * ru and rd are PTX's .rn, .rz, .rp and .rm.
 */
/* nodebug: instructions have the line of the call. A function a line reads as the table that it is. */
/* clang-format off */
#ifndef LOCUS_CUDA_ARITHMETIC_H
#define LOCUS_CUDA_ARITHMETIC_H

#define LOCUS_DEVICE static __device__ __inline__ __attribute__((always_inline, nodebug, unused))

#define LOCUS_ARITHMETIC(cuda, ptx)                                                                                                \
	LOCUS_DEVICE float __nv_fadd_##cuda(float a, float b) { return __nvvm_add_##ptx##_f(a, b); }                               \
	LOCUS_DEVICE float __nv_fsub_##cuda(float a, float b) { return __nvvm_add_##ptx##_f(a, -b); }                              \
	LOCUS_DEVICE float __nv_fmul_##cuda(float a, float b) { return __nvvm_mul_##ptx##_f(a, b); }                               \
	LOCUS_DEVICE float __nv_fdiv_##cuda(float a, float b) { return __nvvm_div_##ptx##_f(a, b); }                               \
	LOCUS_DEVICE float __nv_fmaf_##cuda(float a, float b, float c) { return __nvvm_fma_##ptx##_f(a, b, c); }                   \
	LOCUS_DEVICE float __nv_fmaf_ieee_##cuda(float a, float b, float c) { return __nvvm_fma_##ptx##_f(a, b, c); }              \
	LOCUS_DEVICE float __nv_frcp_##cuda(float a) { return __nvvm_rcp_##ptx##_f(a); }                                           \
	LOCUS_DEVICE float __nv_fsqrt_##cuda(float a) { return __nvvm_sqrt_##ptx##_f(a); }                                         \
	LOCUS_DEVICE double __nv_dadd_##cuda(double a, double b) { return __nvvm_add_##ptx##_d(a, b); }                            \
	LOCUS_DEVICE double __nv_dsub_##cuda(double a, double b) { return __nvvm_add_##ptx##_d(a, -b); }                           \
	LOCUS_DEVICE double __nv_dmul_##cuda(double a, double b) { return __nvvm_mul_##ptx##_d(a, b); }                            \
	LOCUS_DEVICE double __nv_ddiv_##cuda(double a, double b) { return __nvvm_div_##ptx##_d(a, b); }                            \
	LOCUS_DEVICE double __nv_fma_##cuda(double a, double b, double c) { return __nvvm_fma_##ptx##_d(a, b, c); }                \
	LOCUS_DEVICE double __nv_drcp_##cuda(double a) { return __nvvm_rcp_##ptx##_d(a); }                                         \
	LOCUS_DEVICE double __nv_dsqrt_##cuda(double a) { return __nvvm_sqrt_##ptx##_d(a); }
LOCUS_ARITHMETIC(rn, rn)
LOCUS_ARITHMETIC(rz, rz)
LOCUS_ARITHMETIC(ru, rp)
LOCUS_ARITHMETIC(rd, rm)
#undef LOCUS_ARITHMETIC

#define LOCUS_CONVERSIONS(cuda, ptx)                                                                                               \
	LOCUS_DEVICE float __nv_double2float_##cuda(double a) { return __nvvm_d2f_##ptx(a); }                                      \
	LOCUS_DEVICE int __nv_double2int_##cuda(double a) { return __nvvm_d2i_##ptx(a); }                                          \
	LOCUS_DEVICE unsigned __nv_double2uint_##cuda(double a) { return __nvvm_d2ui_##ptx(a); }                                   \
	LOCUS_DEVICE long long __nv_double2ll_##cuda(double a) { return __nvvm_d2ll_##ptx(a); }                                    \
	LOCUS_DEVICE unsigned long long __nv_double2ull_##cuda(double a) { return __nvvm_d2ull_##ptx(a); }                         \
	LOCUS_DEVICE int __nv_float2int_##cuda(float a) { return __nvvm_f2i_##ptx(a); }                                            \
	LOCUS_DEVICE unsigned __nv_float2uint_##cuda(float a) { return __nvvm_f2ui_##ptx(a); }                                     \
	LOCUS_DEVICE long long __nv_float2ll_##cuda(float a) { return __nvvm_f2ll_##ptx(a); }                                      \
	LOCUS_DEVICE unsigned long long __nv_float2ull_##cuda(float a) { return __nvvm_f2ull_##ptx(a); }
LOCUS_CONVERSIONS(rn, rn)
LOCUS_CONVERSIONS(rz, rz)
LOCUS_CONVERSIONS(ru, rp)
LOCUS_CONVERSIONS(rd, rm)
#undef LOCUS_CONVERSIONS
/* LLVM 14 takes its builtins of these for roundings to nearest where they are named rz. */
#define LOCUS_FROM_WHOLE(cuda, ptx)                                                                                                \
	LOCUS_CVT(float, __nv_int2float_##cuda, int, "cvt." ptx ".f32.s32", "f", "r")                                              \
	LOCUS_CVT(float, __nv_uint2float_##cuda, unsigned, "cvt." ptx ".f32.u32", "f", "r")                                        \
	LOCUS_CVT(float, __nv_ll2float_##cuda, long long, "cvt." ptx ".f32.s64", "f", "l")                                         \
	LOCUS_CVT(float, __nv_ull2float_##cuda, unsigned long long, "cvt." ptx ".f32.u64", "f", "l")                               \
	LOCUS_CVT(double, __nv_ll2double_##cuda, long long, "cvt." ptx ".f64.s64", "d", "l")                                       \
	LOCUS_CVT(double, __nv_ull2double_##cuda, unsigned long long, "cvt." ptx ".f64.u64", "d", "l")
#define LOCUS_CVT(to, name, from, op, to_letter, from_letter)                                                                      \
	LOCUS_DEVICE to name(from a)                                                                                               \
	{                                                                                                                          \
		to v;                                                                                                              \
		__asm__(op " %0, %1;" : "=" to_letter(v) : from_letter(a));                                                        \
		return v;                                                                                                          \
	}
LOCUS_FROM_WHOLE(rn, "rn")
LOCUS_FROM_WHOLE(rz, "rz")
LOCUS_FROM_WHOLE(ru, "rp")
LOCUS_FROM_WHOLE(rd, "rm")
#undef LOCUS_FROM_WHOLE
#undef LOCUS_CVT
LOCUS_DEVICE double __nv_int2double_rn(int a) { return a; }
LOCUS_DEVICE double __nv_uint2double_rn(unsigned a) { return a; }

/* ---- bits of numbers ---- */

LOCUS_DEVICE int __nv_float_as_int(float a) { return __builtin_bit_cast(int, a); }
LOCUS_DEVICE unsigned __nv_float_as_uint(float a) { return __builtin_bit_cast(unsigned, a); }
LOCUS_DEVICE float __nv_int_as_float(int a) { return __builtin_bit_cast(float, a); }
LOCUS_DEVICE float __nv_uint_as_float(unsigned a) { return __builtin_bit_cast(float, a); }
LOCUS_DEVICE unsigned long long __nv_double_as_longlong(double a) { return __builtin_bit_cast(unsigned long long, a); }
LOCUS_DEVICE double __nv_longlong_as_double(long long a) { return __builtin_bit_cast(double, a); }
LOCUS_DEVICE int __nv_double2hiint(double a) { return (int)(__nv_double_as_longlong(a) >> 32); }
LOCUS_DEVICE int __nv_double2loint(double a) { return (int)__nv_double_as_longlong(a); }
LOCUS_DEVICE double __nv_hiloint2double(int hi, int lo)
{
	return __nv_longlong_as_double((long long)((unsigned long long)(unsigned)hi << 32 | (unsigned)lo));
}
LOCUS_DEVICE unsigned short __nv_float2half_rn(float a)
{
	unsigned short h;
	__asm__("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(a));
	return h;
}
LOCUS_DEVICE float __nv_half2float(unsigned short h)
{
	float a;
	__asm__("cvt.f32.f16 %0, %1;" : "=f"(a) : "h"(h));
	return a;
}
LOCUS_DEVICE int __nv_signbitf(float a) { return __nv_float_as_int(a) < 0; }
LOCUS_DEVICE int __nv_signbitd(double a) { return __nv_double2hiint(a) < 0; }
LOCUS_DEVICE int __nv_isnanf(float a) { return __builtin_isnan(a); }
LOCUS_DEVICE int __nv_isnand(double a) { return __builtin_isnan(a); }
LOCUS_DEVICE int __nv_isinff(float a) { return __builtin_isinf(a); }
LOCUS_DEVICE int __nv_isinfd(double a) { return __builtin_isinf(a); }
LOCUS_DEVICE int __nv_finitef(float a) { return __builtin_isfinite(a); }
LOCUS_DEVICE int __nv_isfinited(double a) { return __builtin_isfinite(a); }

/* ---- whole numbers ---- */

LOCUS_DEVICE int __nv_abs(int a) { return a < 0 ? (int)-(unsigned)a : a; }
LOCUS_DEVICE long long __nv_llabs(long long a) { return a < 0 ? (long long)-(unsigned long long)a : a; }
LOCUS_DEVICE int __nv_max(int a, int b) { return a > b ? a : b; }
LOCUS_DEVICE int __nv_min(int a, int b) { return a < b ? a : b; }
LOCUS_DEVICE unsigned __nv_umax(unsigned a, unsigned b) { return a > b ? a : b; }
LOCUS_DEVICE unsigned __nv_umin(unsigned a, unsigned b) { return a < b ? a : b; }
LOCUS_DEVICE long long __nv_llmax(long long a, long long b) { return a > b ? a : b; }
LOCUS_DEVICE long long __nv_llmin(long long a, long long b) { return a < b ? a : b; }
LOCUS_DEVICE unsigned long long __nv_ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
LOCUS_DEVICE unsigned long long __nv_ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
LOCUS_DEVICE int __nv_brev(int a) { return (int)__builtin_bitreverse32((unsigned)a); }
LOCUS_DEVICE long long __nv_brevll(long long a) { return (long long)__builtin_bitreverse64((unsigned long long)a); }
LOCUS_DEVICE int __nv_byte_perm(int a, int b, int selector) { return __nvvm_prmt(a, b, selector & 0x7777); }
LOCUS_DEVICE int __nv_clz(int a) { return a ? __builtin_clz((unsigned)a) : 32; }
LOCUS_DEVICE int __nv_clzll(long long a) { return a ? __builtin_clzll((unsigned long long)a) : 64; }
LOCUS_DEVICE int __nv_ffs(int a) { return a ? __builtin_ctz((unsigned)a) + 1 : 0; }
LOCUS_DEVICE int __nv_ffsll(long long a) { return a ? __builtin_ctzll((unsigned long long)a) + 1 : 0; }
LOCUS_DEVICE int __nv_popc(int a) { return __builtin_popcount((unsigned)a); }
LOCUS_DEVICE int __nv_popcll(long long a) { return __builtin_popcountll((unsigned long long)a); }
LOCUS_DEVICE int __nv_hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
LOCUS_DEVICE int __nv_rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
LOCUS_DEVICE int __nv_uhadd(unsigned a, unsigned b) { return (int)(((unsigned long long)a + b) >> 1); }
LOCUS_DEVICE unsigned __nv_urhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b + 1) >> 1); }
LOCUS_DEVICE int __nv_mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
LOCUS_DEVICE unsigned __nv_umul24(unsigned a, unsigned b) { return __nvvm_mul24_ui(a, b); }
LOCUS_DEVICE int __nv_mulhi(int a, int b) { return __nvvm_mulhi_i(a, b); }
LOCUS_DEVICE unsigned __nv_umulhi(unsigned a, unsigned b) { return __nvvm_mulhi_ui(a, b); }
LOCUS_DEVICE long long __nv_mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
LOCUS_DEVICE unsigned long long __nv_umul64hi(unsigned long long a, unsigned long long b) { return __nvvm_mulhi_ull(a, b); }
LOCUS_DEVICE unsigned __nv_usad(unsigned a, unsigned b, unsigned c) { return (a > b ? a - b : b - a) + c; }
LOCUS_DEVICE int __nv_sad(int a, int b, int c) { return (int)((a > b ? (unsigned)a - b : (unsigned)b - a) + c); }

#endif
