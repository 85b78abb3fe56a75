/* CUDA for the device side, without the CUDA toolkit: the keywords, built-in variables and functions that the kernels
 * of traces/ use, on top of clang's NVPTX builtins. A kernel includes this file and nothing else; traces/traces.mk has
 * the compiler's line.
 *
 * Only what is here is offered: a kernel that needs more adds it here. Names and meanings are those of the CUDA C++
 * Programming Guide, so that a kernel.cu also compiles with nvcc when this include is dropped.
 */
/* A function a line reads as the table that it is. */
/* clang-format off */
#ifndef LOCUS_DEVICE_H
#define LOCUS_DEVICE_H

#define __global__   __attribute__((global))
#define __device__   __attribute__((device))
#define __shared__   __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ inline __attribute__((always_inline))
#define DEVICE_FN static __device__ __forceinline__

typedef __INT32_TYPE__ int32_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;

/* ---- where a thread is: threadIdx.x reads %tid.x and so on; the objects themselves never exist ---- */

#define DEVICE_VECTOR(type, object, reg)                                                                                           \
	struct type {                                                                                                              \
		__declspec(property(get = get_x)) uint32_t x;                                                                      \
		__declspec(property(get = get_y)) uint32_t y;                                                                      \
		__declspec(property(get = get_z)) uint32_t z;                                                                      \
		DEVICE_FN uint32_t get_x(void) { return __nvvm_read_ptx_sreg_##reg##_x(); }                                        \
		DEVICE_FN uint32_t get_y(void) { return __nvvm_read_ptx_sreg_##reg##_y(); }                                        \
		DEVICE_FN uint32_t get_z(void) { return __nvvm_read_ptx_sreg_##reg##_z(); }                                        \
	};                                                                                                                         \
	extern const __device__ __attribute__((weak)) type object
DEVICE_VECTOR(device_thread_idx, threadIdx, tid);
DEVICE_VECTOR(device_block_idx, blockIdx, ctaid);
DEVICE_VECTOR(device_block_dim, blockDim, ntid);
DEVICE_VECTOR(device_grid_dim, gridDim, nctaid);
#undef DEVICE_VECTOR
enum { warpSize = 32 };

/* ---- votes and shuffles among the lanes of a warp ---- */

DEVICE_FN uint32_t __shfl_sync(uint32_t mask, uint32_t v, uint32_t lane) { return __nvvm_shfl_sync_idx_i32(mask, v, lane, 31); }
DEVICE_FN uint32_t __shfl_up_sync(uint32_t mask, uint32_t v, uint32_t by) { return __nvvm_shfl_sync_up_i32(mask, v, by, 0); }
DEVICE_FN uint32_t __shfl_down_sync(uint32_t mask, uint32_t v, uint32_t by) { return __nvvm_shfl_sync_down_i32(mask, v, by, 31); }
DEVICE_FN uint32_t __shfl_xor_sync(uint32_t mask, uint32_t v, uint32_t bits) { return __nvvm_shfl_sync_bfly_i32(mask, v, bits, 31); }
DEVICE_FN float __shfl_sync(uint32_t mask, float v, uint32_t lane) { return __nvvm_shfl_sync_idx_f32(mask, v, lane, 31); }
DEVICE_FN float __shfl_up_sync(uint32_t mask, float v, uint32_t by) { return __nvvm_shfl_sync_up_f32(mask, v, by, 0); }
DEVICE_FN float __shfl_down_sync(uint32_t mask, float v, uint32_t by) { return __nvvm_shfl_sync_down_f32(mask, v, by, 31); }
DEVICE_FN float __shfl_xor_sync(uint32_t mask, float v, uint32_t bits) { return __nvvm_shfl_sync_bfly_f32(mask, v, bits, 31); }

/* ---- atomics: the old value comes back. The address space is inferred: shared memory gives atom.shared ---- */

DEVICE_FN int32_t atomicAdd(int32_t *p, int32_t v) { return __nvvm_atom_add_gen_i(p, v); }
DEVICE_FN uint32_t atomicAdd(uint32_t *p, uint32_t v) { return (uint32_t)__nvvm_atom_add_gen_i((int *)p, (int)v); }
DEVICE_FN float atomicAdd(float *p, float v) { return __nvvm_atom_add_gen_f(p, v); }
DEVICE_FN int32_t atomicMin(int32_t *p, int32_t v) { return __nvvm_atom_min_gen_i(p, v); }
DEVICE_FN uint32_t atomicMin(uint32_t *p, uint32_t v) { return __nvvm_atom_min_gen_ui(p, v); }
DEVICE_FN int32_t atomicMax(int32_t *p, int32_t v) { return __nvvm_atom_max_gen_i(p, v); }
DEVICE_FN uint32_t atomicMax(uint32_t *p, uint32_t v) { return __nvvm_atom_max_gen_ui(p, v); }
DEVICE_FN uint32_t atomicOr(uint32_t *p, uint32_t v) { return (uint32_t)__nvvm_atom_or_gen_i((int *)p, (int)v); }
DEVICE_FN uint32_t atomicExch(uint32_t *p, uint32_t v) { return (uint32_t)__nvvm_atom_xchg_gen_i((int *)p, (int)v); }
DEVICE_FN uint32_t atomicCAS(uint32_t *p, uint32_t old, uint32_t v) { return (uint32_t)__nvvm_atom_cas_gen_i((int *)p, (int)old, (int)v); }

/* ---- arithmetic ---- */

DEVICE_FN int32_t min(int32_t a, int32_t b) { return a < b ? a : b; }
DEVICE_FN int32_t max(int32_t a, int32_t b) { return a > b ? a : b; }
DEVICE_FN uint32_t min(uint32_t a, uint32_t b) { return a < b ? a : b; }
DEVICE_FN uint32_t max(uint32_t a, uint32_t b) { return a > b ? a : b; }
DEVICE_FN float fminf(float a, float b) { return __nvvm_fmin_f(a, b); }
DEVICE_FN float fmaxf(float a, float b) { return __nvvm_fmax_f(a, b); }
DEVICE_FN float fabsf(float a) { return __nvvm_fabs_f(a); }
DEVICE_FN float fmaf(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
DEVICE_FN float sqrtf(float a) { return __nvvm_sqrt_rn_f(a); }
/* The fast forms: approximate, as CUDA's __expf and __logf are (2^x and log2 of the special-function unit). */
DEVICE_FN float __expf(float a) { return __nvvm_ex2_approx_f(a * 1.44269504088896341f); }
DEVICE_FN float __logf(float a) { return __nvvm_lg2_approx_f(a) * 0.69314718055994531f; }

#undef DEVICE_FN
#endif
