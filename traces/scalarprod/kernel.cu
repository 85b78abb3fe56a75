// scalarprod: the scalar products of many pairs of vectors. A CTA of 256 threads takes a pair at a time: coalesced
// streams into
// 1024 partial sums in shared memory, then a tree over them.
#include "device.h"

enum { PARTIALS = 1024 };

extern "C" __global__ void scalarprod(const float *a, const float *b, float *product, uint32_t pairs, uint32_t n)
{
	__shared__ float partial[PARTIALS];

	for (uint32_t pair = blockIdx.x; pair < pairs; pair += gridDim.x) {
		const float *x = a + (uint64_t)pair * n, *y = b + (uint64_t)pair * n;

		for (uint32_t i = threadIdx.x; i < PARTIALS; i += blockDim.x) {
			float sum = 0;

			for (uint32_t j = i; j < n; j += PARTIALS)
				sum += x[j] * y[j];
			partial[i] = sum;
		}
#pragma unroll 1
		for (uint32_t half = PARTIALS / 2; half; half /= 2) {
			__syncthreads();
			for (uint32_t i = threadIdx.x; i < half; i += blockDim.x)
				partial[i] += partial[i + half];
		}
		if (threadIdx.x == 0)
			product[pair] = partial[0];
		// The next pair's partial sums must not overtake this one's last step.
		__syncthreads();
	}
}
