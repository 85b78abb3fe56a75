// radixsort: 32-bit keys, four bits at a time from the least on. radixsort_local sorts each 1,024 keys by their digit
// in shared memory, a bit at a time, and counts how often each digit is there; the host sums the counts up;
// radixsort_scatter moves the keys to their places among all keys, in runs of equal digits.
#include "device.h"

enum : uint32_t { THREADS = 256, EACH = 4, KEYS = THREADS * EACH, DIGITS = 16 };

// What the threads before this one hold, and in `all` what all do: the sum of `mine` over the threads of the CTA.
static __device__ __forceinline__ uint32_t sum_before(uint32_t mine, uint32_t (*s)[THREADS], uint32_t &all)
{
	uint32_t t = threadIdx.x, from = 0, before;

	s[0][t] = mine;
	__syncthreads();
#pragma unroll 1
	for (uint32_t by = 1; by < THREADS; by *= 2, from = 1 - from) {
		s[1 - from][t] = s[from][t] + (t >= by ? s[from][t - by] : 0);
		__syncthreads();
	}
	before = s[from][t] - mine;
	all = s[from][THREADS - 1];
	__syncthreads();
	return before;
}

// count: [digit][CTA], so that its running sum says where each CTA's keys of a digit go; start: [CTA][digit], in the
// CTA's own keys.
extern "C" __global__ void radixsort_local(const uint32_t *key, uint32_t *sorted, uint32_t *count, uint32_t *start, uint32_t shift)
{
	__shared__ uint32_t k[KEYS], s[2][THREADS], digits[DIGITS];
	uint32_t t = threadIdx.x, first = blockIdx.x * KEYS, mine[EACH];

#pragma unroll
	for (uint32_t i = 0; i < EACH; i++)
		k[i * THREADS + t] = key[first + i * THREADS + t];
	if (t < DIGITS)
		digits[t] = 0;
	__syncthreads();
#pragma unroll 1
	for (uint32_t bit = shift; bit < shift + 4; bit++) {
		uint32_t zeros = 0, before, all;

#pragma unroll
		for (uint32_t i = 0; i < EACH; i++) {
			mine[i] = k[t * EACH + i];
			zeros += ~mine[i] >> bit & 1;
		}
		before = sum_before(zeros, s, all);
#pragma unroll
		for (uint32_t i = 0; i < EACH; i++) {
			uint32_t one = mine[i] >> bit & 1;

			k[one ? all + t * EACH + i - before : before] = mine[i];
			before += 1 - one;
		}
		__syncthreads();
	}
#pragma unroll
	for (uint32_t i = 0; i < EACH; i++) {
		uint32_t v = k[i * THREADS + t];

		sorted[first + i * THREADS + t] = v;
		atomicAdd(&digits[v >> shift & (DIGITS - 1)], 1u);
	}
	__syncthreads();
	if (t < DIGITS) {
		uint32_t below = 0;

		for (uint32_t d = 0; d < t; d++)
			below += digits[d];
		count[t * gridDim.x + blockIdx.x] = digits[t];
		start[blockIdx.x * DIGITS + t] = below;
	}
}

// offset: as count, summed up.
extern "C" __global__ void radixsort_scatter(const uint32_t *sorted, const uint32_t *offset, const uint32_t *start, uint32_t *key,
					     uint32_t shift)
{
	__shared__ uint32_t to[DIGITS];
	uint32_t t = threadIdx.x, first = blockIdx.x * KEYS;

	if (t < DIGITS)
		to[t] = offset[t * gridDim.x + blockIdx.x] - start[blockIdx.x * DIGITS + t];
	__syncthreads();
#pragma unroll
	for (uint32_t i = 0; i < EACH; i++) {
		uint32_t at = i * THREADS + t, v = sorted[first + at];

		key[to[v >> shift & (DIGITS - 1)] + at] = v;
	}
}
