// histogram: 256 bins of bytes. A CTA counts in shared memory with atomics, four bytes a load, then adds its bins to
// the result with global ones.
#include "device.h"

enum { BINS = 256 };

extern "C" __global__ void histogram(const uint32_t *word, uint32_t *bin, uint32_t n)
{
	__shared__ uint32_t count[BINS];

	count[threadIdx.x] = 0;
	__syncthreads();
	for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		uint32_t w = word[i];

		atomicAdd(&count[w & 255], 1u);
		atomicAdd(&count[w >> 8 & 255], 1u);
		atomicAdd(&count[w >> 16 & 255], 1u);
		atomicAdd(&count[w >> 24], 1u);
	}
	__syncthreads();
	atomicAdd(&bin[threadIdx.x], count[threadIdx.x]);
}
