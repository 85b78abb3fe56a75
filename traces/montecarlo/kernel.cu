// montecarlo: pi by counting random points in a quarter circle. Each thread has a generator of its own (a linear
// congruence, its increment odd and its own); a CTA adds its counts in shared memory by halves.
#include "device.h"

extern __shared__ uint32_t montecarlo_count[];

extern "C" __global__ void montecarlo(const uint32_t *seed, uint32_t *inside, uint32_t points)
{
	uint32_t t = blockIdx.x * blockDim.x + threadIdx.x;
	uint32_t state = seed[t], add = 2 * t + 1, hits = 0;

#pragma unroll 4
	for (uint32_t i = 0; i < points; i++) {
		uint32_t x, y;

		state = state * 1664525 + add;
		x = state >> 16;
		state = state * 1664525 + add;
		y = state >> 16;
		// x*x + y*y needs 33 bits; halving both squares keeps the comparison exact but for the lowest bit, in
		// both programs.
		hits += (x * x >> 1) + (y * y >> 1) < 0x80000000;
	}
	montecarlo_count[threadIdx.x] = hits;
#pragma unroll 1
	for (uint32_t half = blockDim.x / 2; half; half /= 2) {
		__syncthreads();
		if (threadIdx.x < half)
			montecarlo_count[threadIdx.x] += montecarlo_count[threadIdx.x + half];
	}
	if (threadIdx.x == 0)
		inside[blockIdx.x] = montecarlo_count[0];
}
