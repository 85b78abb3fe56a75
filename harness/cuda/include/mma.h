/* Matrices of a warp (programming guide, "Warp Matrix Functions"): nvcuda::wmma on PTX's wmma instructions, sm_70 and
 * later (bf16, tf32, double: sm_80). A fragment is the registers that the instructions take; which element of a matrix
 * one of them is the PTX manual leaves open, and so do we. Matrices of 4 bits and of one are not here.
 */
/* A line for each instruction reads as the table that it is. */
/* clang-format off */
#ifndef LOCUS_CUDA_MMA_H
#define LOCUS_CUDA_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda
{
namespace wmma
{
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision
{
struct tf32 {};
}

/* ---- fragments: of a kind and a shape, how many elements a lane has ---- */

template <class T> struct locus_storage { typedef T is; };
template <> struct locus_storage<precision::tf32> { typedef float is; };

template <class Use, int m, int n, int k, class T> struct locus_elements; /* none: there is no such matrix */

template <class Use, int m, int n, int k, class T, class Layout = void> struct fragment {
	typedef T element_type;
	typedef typename locus_storage<T>::is storage_element_type;
	enum { num_elements = locus_elements<Use, m, n, k, T>::are, num_storage_elements = num_elements };
	storage_element_type x[num_elements];
};

#define LOCUS_ELEMENTS(use, m, n, k, type, count)                                                                                  \
	template <> struct locus_elements<use, m, n, k, type> { enum { are = count }; };
#define LOCUS_ELEMENTS_OF(m, n, k, type, a, b) LOCUS_ELEMENTS(matrix_a, m, n, k, type, a) LOCUS_ELEMENTS(matrix_b, m, n, k, type, b)
#define LOCUS_ELEMENTS_OF_16(type, whole, half_, twice)                                                                            \
	LOCUS_ELEMENTS_OF(16, 16, 16, type, whole, whole)                                                                          \
	LOCUS_ELEMENTS_OF(32, 8, 16, type, twice, half_)                                                                           \
	LOCUS_ELEMENTS_OF(8, 32, 16, type, half_, twice)
#define LOCUS_SUMS(type)                                                                                                           \
	LOCUS_ELEMENTS(accumulator, 16, 16, 16, type, 8)                                                                           \
	LOCUS_ELEMENTS(accumulator, 32, 8, 16, type, 8)                                                                            \
	LOCUS_ELEMENTS(accumulator, 8, 32, 16, type, 8)
LOCUS_ELEMENTS_OF_16(__half, 16, 16, 16) /* each twice, or more: the instructions have 16 in any case */
LOCUS_ELEMENTS_OF_16(__nv_bfloat16, 8, 4, 16)
LOCUS_ELEMENTS_OF_16(signed char, 8, 4, 16)
LOCUS_ELEMENTS_OF_16(unsigned char, 8, 4, 16)
LOCUS_ELEMENTS_OF(16, 16, 8, precision::tf32, 4, 4)
LOCUS_ELEMENTS_OF(8, 8, 4, double, 1, 1)
LOCUS_SUMS(__half)
LOCUS_SUMS(float)
LOCUS_SUMS(int)
LOCUS_ELEMENTS(accumulator, 16, 16, 8, float, 8)
LOCUS_ELEMENTS(accumulator, 8, 8, 4, double, 2)
#undef LOCUS_ELEMENTS
#undef LOCUS_ELEMENTS_OF
#undef LOCUS_ELEMENTS_OF_16
#undef LOCUS_SUMS

template <class Use, int m, int n, int k, class T, class Layout, class V>
LOCUS_DEVICE void fill_fragment(fragment<Use, m, n, k, T, Layout> &f, const V &v)
{
	for (auto &x : f.x)
		x = static_cast<typename locus_storage<T>::is>(v);
}
LOCUS_DEVICE float __float_to_tf32(float a)
{
	unsigned r;
	__asm__("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(a));
	return __builtin_bit_cast(float, r);
}

/* ---- registers: words, or doubles ---- */

template <class R, int n> struct locus_registers { R r[n]; };
template <class R, class F> LOCUS_DEVICE auto locus_registers_of(const F &f)
{
	return __builtin_bit_cast(locus_registers<R, sizeof f / sizeof(R)>, f);
}

/* "{%[d0], %[d1]}", and the operands of those names. */
#define LOCUS_LIST_1(f) "{%[" #f "0]}"
#define LOCUS_LIST_2(f) "{%[" #f "0],%[" #f "1]}"
#define LOCUS_LIST_4(f) "{%[" #f "0],%[" #f "1],%[" #f "2],%[" #f "3]}"
#define LOCUS_LIST_8(f) "{%[" #f "0],%[" #f "1],%[" #f "2],%[" #f "3],%[" #f "4],%[" #f "5],%[" #f "6],%[" #f "7]}"
#define LOCUS_1(f, c) [f##0] c(f.r[0])
#define LOCUS_2(f, c) LOCUS_1(f, c), [f##1] c(f.r[1])
#define LOCUS_4(f, c) LOCUS_2(f, c), [f##2] c(f.r[2]), [f##3] c(f.r[3])
#define LOCUS_8(f, c) LOCUS_4(f, c), [f##4] c(f.r[4]), [f##5] c(f.r[5]), [f##6] c(f.r[6]), [f##7] c(f.r[7])

/* ---- memory ---- */

/* use: 'a' or 'b', with its layout; count: of registers of type R and constraint c. */
#define LOCUS_LOAD(use, letter, layout, order, m, n, k, type, ptx, R, c, count)                                                    \
	LOCUS_DEVICE void load_matrix_sync(fragment<use, m, n, k, type, layout> &f, const locus_storage<type>::is *p,            \
					   unsigned stride)                                                                        \
	{                                                                                                                          \
		locus_registers<R, count> d;                                                                                       \
		__asm__ volatile("wmma.load." letter ".sync.aligned." order ".m" #m "n" #n "k" #k "." ptx " "                      \
				 LOCUS_LIST_##count(d) ", [%[p]], %[stride];"                                                      \
				 : LOCUS_##count(d, "=" c) : [p] "l"(p), [stride] "r"(stride) : "memory");                         \
		f = __builtin_bit_cast(fragment<use, m, n, k, type, layout>, d);                                                   \
	}
#define LOCUS_LOADS(m, n, k, type, ptx, R, c, a, b)                                                                                \
	LOCUS_LOAD(matrix_a, "a", row_major, "row", m, n, k, type, ptx, R, c, a)                                                   \
	LOCUS_LOAD(matrix_a, "a", col_major, "col", m, n, k, type, ptx, R, c, a)                                                   \
	LOCUS_LOAD(matrix_b, "b", row_major, "row", m, n, k, type, ptx, R, c, b)                                                   \
	LOCUS_LOAD(matrix_b, "b", col_major, "col", m, n, k, type, ptx, R, c, b)
#define LOCUS_LOADS_16(type, ptx, whole, half_, twice)                                                                             \
	LOCUS_LOADS(16, 16, 16, type, ptx, unsigned, "r", whole, whole)                                                            \
	LOCUS_LOADS(32, 8, 16, type, ptx, unsigned, "r", twice, half_)                                                             \
	LOCUS_LOADS(8, 32, 16, type, ptx, unsigned, "r", half_, twice)
LOCUS_LOADS_16(__half, "f16", 8, 8, 8)
LOCUS_LOADS_16(__nv_bfloat16, "bf16", 4, 2, 8)
LOCUS_LOADS_16(signed char, "s8", 2, 1, 4)
LOCUS_LOADS_16(unsigned char, "u8", 2, 1, 4)
LOCUS_LOADS(16, 16, 8, precision::tf32, "tf32", unsigned, "r", 4, 4)
LOCUS_LOADS(8, 8, 4, double, "f64", double, "d", 1, 1)
#undef LOCUS_LOAD
#undef LOCUS_LOADS
#undef LOCUS_LOADS_16

#define LOCUS_SUM_ORDER(order, m, n, k, type, ptx, R, c, count)                                                                    \
	LOCUS_DEVICE void locus_load_##order(fragment<accumulator, m, n, k, type> &f, const type *p, unsigned stride)              \
	{                                                                                                                          \
		locus_registers<R, count> d;                                                                                       \
		__asm__ volatile("wmma.load.c.sync.aligned." #order ".m" #m "n" #n "k" #k "." ptx " "                              \
				 LOCUS_LIST_##count(d) ", [%[p]], %[stride];"                                                      \
				 : LOCUS_##count(d, "=" c) : [p] "l"(p), [stride] "r"(stride) : "memory");                         \
		f = __builtin_bit_cast(fragment<accumulator, m, n, k, type>, d);                                                   \
	}                                                                                                                          \
	LOCUS_DEVICE void locus_store_##order(type *p, const fragment<accumulator, m, n, k, type> &f, unsigned stride)             \
	{                                                                                                                          \
		auto d = locus_registers_of<R>(f);                                                                                 \
		__asm__ volatile("wmma.store.d.sync.aligned." #order ".m" #m "n" #n "k" #k "." ptx " [%[p]], "                     \
				 LOCUS_LIST_##count(d) ", %[stride];"                                                              \
				 : : LOCUS_##count(d, c), [p] "l"(p), [stride] "r"(stride) : "memory");                            \
	}
#define LOCUS_SUM(m, n, k, type, ptx, R, c, count)                                                                                 \
	LOCUS_SUM_ORDER(row, m, n, k, type, ptx, R, c, count)                                                                      \
	LOCUS_SUM_ORDER(col, m, n, k, type, ptx, R, c, count)                                                                      \
	LOCUS_DEVICE void load_matrix_sync(fragment<accumulator, m, n, k, type> &f, const type *p, unsigned stride, layout_t order)\
	{                                                                                                                          \
		if (order == mem_row_major)                                                                                        \
			locus_load_row(f, p, stride);                                                                              \
		else                                                                                                               \
			locus_load_col(f, p, stride);                                                                              \
	}                                                                                                                          \
	LOCUS_DEVICE void store_matrix_sync(type *p, const fragment<accumulator, m, n, k, type> &f, unsigned stride,               \
					    layout_t order)                                                                        \
	{                                                                                                                          \
		if (order == mem_row_major)                                                                                        \
			locus_store_row(p, f, stride);                                                                             \
		else                                                                                                               \
			locus_store_col(p, f, stride);                                                                             \
	}
#define LOCUS_SUMS(type, ptx, count)                                                                                               \
	LOCUS_SUM(16, 16, 16, type, ptx, unsigned, "r", count)                                                                     \
	LOCUS_SUM(32, 8, 16, type, ptx, unsigned, "r", count)                                                                      \
	LOCUS_SUM(8, 32, 16, type, ptx, unsigned, "r", count)
LOCUS_SUMS(__half, "f16", 4)
LOCUS_SUMS(float, "f32", 8)
LOCUS_SUMS(int, "s32", 8)
LOCUS_SUM(16, 16, 8, float, "f32", unsigned, "r", 8)
LOCUS_SUM(8, 8, 4, double, "f64", double, "d", 2)
#undef LOCUS_SUM_ORDER
#undef LOCUS_SUM
#undef LOCUS_SUMS

/* ---- d = a * b + c ---- */

/* What "satf" asks of floats: infinities become the largest numbers, NaNs 0. Sums of integers saturate in PTX. */
LOCUS_DEVICE float locus_finite(float v) { return v != v ? 0.0f : fminf(fmaxf(v, -0x1.fffffep127f), 0x1.fffffep127f); }
LOCUS_DEVICE __half locus_finite(__half v)
{
	float f = __half2float(v);
	return __float2half(f != f ? 0.0f : fminf(fmaxf(f, -65504.0f), 65504.0f));
}
LOCUS_DEVICE double locus_finite(double v) { return v; } /* it has no "satf" */
template <class F> LOCUS_DEVICE void locus_make_finite(F &f)
{
	for (auto &x : f.x)
		x = locus_finite(x);
}

#define LOCUS_ASM_MMA(la, lb, m, n, k, types, nd, na, nb, nc, c_)                                                                  \
	__asm__ volatile("wmma.mma.sync.aligned." #la "." #lb ".m" #m "n" #n "k" #k types " " LOCUS_LIST_##nd(d) ", "              \
			 LOCUS_LIST_##na(a) ", " LOCUS_LIST_##nb(b) ", " LOCUS_LIST_##nc(c) ";"                                    \
			 : LOCUS_##nd(d, "=" c_) : LOCUS_##na(a, c_), LOCUS_##nb(b, c_), LOCUS_##nc(c, c_))
#define LOCUS_MMA_HEAD(la, lb, m, n, k, in, out, add, R, nd)                                                                       \
	LOCUS_DEVICE void mma_sync(fragment<accumulator, m, n, k, out> &to, const fragment<matrix_a, m, n, k, in, la##_major> &fa, \
				   const fragment<matrix_b, m, n, k, in, lb##_major> &fb,                                          \
				   const fragment<accumulator, m, n, k, add> &fc, bool saturate = false)                           \
	{                                                                                                                          \
		auto a = locus_registers_of<R>(fa);                                                                                \
		auto b = locus_registers_of<R>(fb);                                                                                \
		auto c = locus_registers_of<R>(fc);                                                                                \
		locus_registers<R, nd> d;
#define LOCUS_MMA_TAIL(m, n, k, out)                                                                                               \
		to = __builtin_bit_cast(fragment<accumulator, m, n, k, out>, d);
#define LOCUS_MMA(la, lb, m, n, k, in, out, add, types, R, c_, nd, na, nb, nc)                                                     \
	LOCUS_MMA_HEAD(la, lb, m, n, k, in, out, add, R, nd)                                                                       \
		LOCUS_ASM_MMA(la, lb, m, n, k, types, nd, na, nb, nc, c_);                                                         \
		LOCUS_MMA_TAIL(m, n, k, out)                                                                                       \
		if (saturate)                                                                                                      \
			locus_make_finite(to);                                                                                     \
	}
#define LOCUS_MMA_INTEGERS(la, lb, m, n, k, in, types, na, nb)                                                                     \
	LOCUS_MMA_HEAD(la, lb, m, n, k, in, int, int, unsigned, 8)                                                                 \
		if (saturate)                                                                                                      \
			LOCUS_ASM_MMA(la, lb, m, n, k, types ".satfinite", 8, na, nb, 8, "r");                                     \
		else                                                                                                               \
			LOCUS_ASM_MMA(la, lb, m, n, k, types, 8, na, nb, 8, "r");                                                  \
		LOCUS_MMA_TAIL(m, n, k, int)                                                                                       \
	}
/* All layouts of a and b. */
#define LOCUS_MMAS(MMA, ...) MMA(row, row, __VA_ARGS__) MMA(row, col, __VA_ARGS__) MMA(col, row, __VA_ARGS__) MMA(col, col, __VA_ARGS__)
#define LOCUS_MMAS_HALF(m, n, k)                                                                                                   \
	LOCUS_MMAS(LOCUS_MMA, m, n, k, __half, float, float, ".f32.f32", unsigned, "r", 8, 8, 8, 8)                                \
	LOCUS_MMAS(LOCUS_MMA, m, n, k, __half, float, __half, ".f32.f16", unsigned, "r", 8, 8, 8, 4)                               \
	LOCUS_MMAS(LOCUS_MMA, m, n, k, __half, __half, float, ".f16.f32", unsigned, "r", 4, 8, 8, 8)                               \
	LOCUS_MMAS(LOCUS_MMA, m, n, k, __half, __half, __half, ".f16.f16", unsigned, "r", 4, 8, 8, 4)
#define LOCUS_MMAS_BFLOAT(m, n, k, na, nb)                                                                                         \
	LOCUS_MMAS(LOCUS_MMA, m, n, k, __nv_bfloat16, float, float, ".f32.bf16.bf16.f32", unsigned, "r", 8, na, nb, 8)
#define LOCUS_MMAS_INTEGERS(m, n, k, na, nb)                                                                                       \
	LOCUS_MMAS(LOCUS_MMA_INTEGERS, m, n, k, signed char, ".s32.s8.s8.s32", na, nb)                                             \
	LOCUS_MMAS(LOCUS_MMA_INTEGERS, m, n, k, unsigned char, ".s32.u8.u8.s32", na, nb)
LOCUS_MMAS_HALF(16, 16, 16)
LOCUS_MMAS_HALF(32, 8, 16)
LOCUS_MMAS_HALF(8, 32, 16)
LOCUS_MMAS_BFLOAT(16, 16, 16, 4, 4)
LOCUS_MMAS_BFLOAT(32, 8, 16, 8, 2)
LOCUS_MMAS_BFLOAT(8, 32, 16, 2, 8)
LOCUS_MMAS_INTEGERS(16, 16, 16, 2, 2)
LOCUS_MMAS_INTEGERS(32, 8, 16, 4, 1)
LOCUS_MMAS_INTEGERS(8, 32, 16, 1, 4)
LOCUS_MMAS(LOCUS_MMA, 16, 16, 8, precision::tf32, float, float, ".f32.tf32.tf32.f32", unsigned, "r", 8, 4, 4, 8)
LOCUS_MMAS(LOCUS_MMA, 8, 8, 4, double, double, double, ".rn.f64.f64.f64.f64", double, "d", 2, 1, 1, 2)
#undef LOCUS_ASM_MMA
#undef LOCUS_MMA_HEAD
#undef LOCUS_MMA_TAIL
#undef LOCUS_MMA
#undef LOCUS_MMA_INTEGERS
#undef LOCUS_MMAS
#undef LOCUS_MMAS_HALF
#undef LOCUS_MMAS_BFLOAT
#undef LOCUS_MMAS_INTEGERS
#undef LOCUS_LIST_1
#undef LOCUS_LIST_2
#undef LOCUS_LIST_4
#undef LOCUS_LIST_8
#undef LOCUS_1
#undef LOCUS_2
#undef LOCUS_4
#undef LOCUS_8
}
}

#endif
