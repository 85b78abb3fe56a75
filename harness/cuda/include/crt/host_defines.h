/* The keywords of CUDA C++ (programming guide, "C++ Language Extensions") as attributes of clang. */
#ifndef LOCUS_CUDA_HOST_DEFINES_H
#define LOCUS_CUDA_HOST_DEFINES_H
#define __HOST_DEFINES_H__ /* by this name Thrust asks whether it is there */

#if defined(__CUDA__) && defined(__clang__)
#define __host__	       __attribute__((host))
#define __device__	       __attribute__((device))
#define __global__	       __attribute__((global))
#define __shared__	       __attribute__((shared))
#define __constant__	       __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__	       __inline__ __attribute__((always_inline))
/* The device has a managed variable as any other; host code has it through a pointer. The driver finds the word in a
 * program's files, but not in -D. */
#if defined(__CUDA_ARCH__)
#define __managed__ __attribute__((device))
#elif defined(LOCUS_CUDA_MANAGED)
#define __managed__ __attribute__((device, managed))
#else
#define __managed__ _Pragma("GCC error \"__managed__ must be written in a file of the program's\"")
#endif
#elif !defined(__host__)
#define __host__
#define __device__
#define __forceinline__ __inline__ __attribute__((always_inline))
#endif

/* A parameter that is never written: it is read from where it is passed in any case. */
#define __grid_constant__
#define __noinline__	      __attribute__((noinline))
#define __align__(n)	      __attribute__((aligned(n)))
#define __builtin_align__(n)  __align__(n)
#define __cluster_dims__(...) _Pragma("GCC error \"__cluster_dims__ is not supported: clusters of CTAs need sm_90\"")

#endif
