// particlefilter: guesses (particles) of where a bright disc in noisy frames is. For each frame four launches, a thread
// a particle: particlefilter_likelihood moves the particles and looks at the pixels of a disc around each;
// particlefilter_sum has one thread sum up the weights, particlefilter_normalize makes the running sums that stand for
// a distribution, and particlefilter_find draws from it: each thread searches the running sums from the start for its
// place. All in whole numbers.
#include "device.h"

enum : uint32_t { THREADS = 512, DISC_MAX = 128 };

struct filter {
	const int32_t *disc;  // (x, y) pairs of the pixels of a disc around (0, 0)
	const uint8_t *frame; // side x side
	uint32_t *x, *y;      // of the particles
	uint32_t *random;     // a generator's state a particle
	uint32_t *weight;
	uint32_t *block_sum; // of the weights, a CTA's
	uint32_t discs, side, n;
};

// A linear congruential generator (Knuth's, modulo 2^32); the upper bits are good enough for steps.
static __device__ __forceinline__ uint32_t step(uint32_t &state, uint32_t bound)
{
	state = state * 1664525 + 1013904223;
	return (state >> 16) * bound >> 16;
}

static __device__ __forceinline__ uint32_t clamp(uint32_t at, int32_t by, uint32_t side)
{
	return (uint32_t)min(max((int32_t)at + by, 0), (int32_t)side - 1);
}

// A pixel speaks for the disc by how much nearer it is to 228 than to 100, squared.
extern "C" __global__ void particlefilter_likelihood(filter f)
{
	__shared__ uint32_t sum[THREADS];
	uint32_t i = blockIdx.x * THREADS + threadIdx.x, weight = 0;

	if (i < f.n) {
		uint32_t state = f.random[i];
		uint32_t x = clamp(f.x[i], 1 + (int32_t)step(state, 5) - 2, f.side);
		uint32_t y = clamp(f.y[i], (int32_t)step(state, 5) - 4, f.side);
		int32_t likely = 0;

		f.random[i] = state;
		f.x[i] = x;
		f.y[i] = y;
#pragma unroll 1
		for (uint32_t k = 0; k < f.discs; k++) {
			uint32_t at = clamp(y, f.disc[2 * k + 1], f.side) * f.side + clamp(x, f.disc[2 * k], f.side);
			int32_t pixel = f.frame[at];

			likely += (pixel - 100) * (pixel - 100) - (pixel - 228) * (pixel - 228);
		}
		// Its mean over the disc is -16384 to 16384; the weight is at most 2^12.
		likely = max(likely / (int32_t)f.discs + 8192, 0) / 384;
		weight = (uint32_t)(likely * likely) + 1;
		f.weight[i] = weight;
	}
	sum[threadIdx.x] = weight;
#pragma unroll 1
	for (uint32_t half = THREADS / 2; half > 0; half /= 2) {
		__syncthreads();
		if (threadIdx.x < half)
			sum[threadIdx.x] += sum[threadIdx.x + half];
	}
	if (threadIdx.x == 0)
		f.block_sum[blockIdx.x] = sum[0];
}

// One thread; what comes before each CTA, and behind the last the whole.
extern "C" __global__ void particlefilter_sum(uint32_t *block_sum, uint32_t blocks)
{
	uint32_t sum = 0;

	if (blockIdx.x * blockDim.x + threadIdx.x > 0)
		return;
	for (uint32_t b = 0; b <= blocks; b++) {
		uint32_t mine = block_sum[b];

		block_sum[b] = sum;
		sum += mine;
	}
}

// Running sums within each CTA, on top of what comes before it.
extern "C" __global__ void particlefilter_normalize(const uint32_t *weight, const uint32_t *block_sum, uint32_t *running, uint32_t n)
{
	__shared__ uint32_t s[2][THREADS];
	uint32_t t = threadIdx.x, i = blockIdx.x * THREADS + t, from = 0;

	s[0][t] = i < n ? weight[i] : 0;
	__syncthreads();
#pragma unroll 1
	for (uint32_t by = 1; by < THREADS; by *= 2, from = 1 - from) {
		s[1 - from][t] = s[from][t] + (t >= by ? s[from][t - by] : 0);
		__syncthreads();
	}
	if (i < n)
		running[i] = block_sum[blockIdx.x] + s[from][t];
}

// Particle i of the next frame is the first whose running sum is above the i-th of n even steps through the whole,
// which begin at `first`.
extern "C" __global__ void particlefilter_find(const uint32_t *running, const uint32_t *x, const uint32_t *y, uint32_t *next_x,
					       uint32_t *next_y, uint32_t stride, uint32_t first, uint32_t n)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, place = i * stride + first, k;

	if (i >= n)
		return;
#pragma unroll 1
	for (k = 0; k < n - 1; k++)
		if (running[k] > place)
			break;
	next_x[i] = x[k];
	next_y[i] = y[k];
}
