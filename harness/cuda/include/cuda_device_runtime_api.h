/* What kernels call to launch kernels. It is declared for headers that name it, as Thrust's do; a kernel that comes to
 * call it is refused when it is launched. */
#ifndef LOCUS_CUDA_DEVICE_RUNTIME_API_H
#define LOCUS_CUDA_DEVICE_RUNTIME_API_H

#include "cuda_runtime_api.h"

#if defined(__CUDA__) && defined(__clang__)
extern "C" {
__device__ void *cudaGetParameterBuffer(size_t align, size_t bytes);
__device__ cudaError_t cudaLaunchDevice(void *function, void *params, dim3 grid, dim3 block, unsigned int shared,
					cudaStream_t stream);
__device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void);
}
#endif

#endif
