// tpacf: how often two points of the sky are so and so far apart, for one set of points (the data) and many random
// ones. A CTA has one pair of sets: the data with themselves, then with each random set, then each random set with
// itself. Points of the one set are staged in shared memory; each thread holds a point of the other, finds the bin of
// each scalar product by bisection, and counts in shared memory, in 128 tables of which two lanes share one.
#include "device.h"

enum : uint32_t { THREADS = 256, BINS = 20, TABLES = 128 };

// Scalar products at the limits between bins, falling; the host writes them.
__constant__ float tpacf_limit[BINS - 1];

// point: for each set n numbers x, n y, n z; the data are set 0. pairs: a row of BINS for each CTA.
extern "C" __global__ void tpacf(const float *point, uint32_t *pairs, uint32_t n, uint32_t sets)
{
	__shared__ float x[THREADS], y[THREADS], z[THREADS];
	__shared__ uint32_t count[BINS][TABLES];
	uint32_t t = threadIdx.x, b = blockIdx.x, table = t / 32 * 16 + t % 16;
	uint32_t one = b <= sets ? 0 : b - sets, other = b <= sets ? b : b - sets;
	const float *from = point + 3 * n * one, *to = point + 3 * n * other;

	for (uint32_t i = t; i < BINS * TABLES; i += THREADS)
		count[i / TABLES][i % TABLES] = 0;
#pragma unroll 1
	for (uint32_t tile = 0; tile < n; tile += THREADS) {
		uint32_t staged = min(n - tile, (uint32_t)THREADS);

		__syncthreads();
		if (t < staged) {
			x[t] = to[tile + t];
			y[t] = to[n + tile + t];
			z[t] = to[2 * n + tile + t];
		}
		__syncthreads();
#pragma unroll 1
		for (uint32_t i = t; i < n; i += THREADS) {
			float mx = from[i], my = from[n + i], mz = from[2 * n + i];
			// Of a set with itself each pair counts once.
			uint32_t j = one == other ? (i + 1 > tile ? i + 1 - tile : 0) : 0;

#pragma unroll 1
			for (; j < staged; j++) {
				float product = mx * x[j] + my * y[j] + mz * z[j];
				uint32_t low = 0, high = BINS - 1;

				while (low < high) {
					uint32_t middle = (low + high) / 2;

					if (product >= tpacf_limit[middle])
						high = middle;
					else
						low = middle + 1;
				}
				atomicAdd(&count[low][table], 1u);
			}
		}
	}
	__syncthreads();
	// A warp adds up a bin.
	for (uint32_t bin = t / 32; bin < BINS; bin += THREADS / 32) {
		uint32_t sum = 0;

#pragma unroll
		for (uint32_t i = 0; i < TABLES; i += 32)
			sum += count[bin][i + t % 32];
#pragma unroll
		for (uint32_t by = 16; by > 0; by /= 2)
			sum += __shfl_down_sync(0xffffffff, sum, by);
		if (t % 32 == 0)
			pairs[b * BINS + bin] = sum;
	}
}
