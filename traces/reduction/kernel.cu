// reduction: each CTA of 256 threads adds up 256 values in shared memory, by the tree that divides the warps: in step s
// only the threads whose number is a multiple of 2s go on, so that the active lanes thin out in every warp.
#include "device.h"

enum { BLOCK = 256 };

extern "C" __global__ void reduction(const float *in, float *out, uint32_t n)
{
	__shared__ float part[BLOCK];
	uint32_t t = threadIdx.x, i = blockIdx.x * BLOCK + t;

	part[t] = i < n ? in[i] : 0;
	__syncthreads();
#pragma unroll 1
	for (uint32_t s = 1; s < BLOCK; s *= 2) {
		if (t % (2 * s) == 0)
			part[t] += part[t + s];
		__syncthreads();
	}
	if (t == 0)
		out[blockIdx.x] = part[0];
}
