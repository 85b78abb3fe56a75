// mergesort: a stable sort of pairs of key and value. Pieces of 1,024 are sorted in shared memory; then, a level of
// merging at a time, binary searches in global memory cut each two sorted runs at every 256th place of the result, and
// a CTA merges such a stretch in shared memory.
#include "device.h"

enum { PIECE = 1024, STRETCH = 256, MERGERS = 128 };

// How many of the n ascending keys at s are below `key`, or not above it.
static __device__ __forceinline__ uint32_t rank(const uint32_t *s, uint32_t n, uint32_t key, bool count_equal)
{
	uint32_t low = 0;

#pragma unroll 1
	while (low < n) {
		uint32_t middle = (low + n) / 2;
		bool counts = count_equal ? s[middle] <= key : s[middle] < key;

		if (counts)
			low = middle + 1;
		else
			n = middle;
	}
	return low;
}

// PIECE / 2 threads: in each level a thread finds the place of one pair of a left run and one of the right run beside
// it. What is equal goes left before right.
extern "C" __global__ void mergesort_pieces(const uint32_t *key, const uint32_t *value, uint32_t *to_key, uint32_t *to_value)
{
	__shared__ uint32_t k[PIECE], v[PIECE];
	uint32_t t = threadIdx.x, base = blockIdx.x * PIECE;

#pragma unroll
	for (uint32_t half = 0; half < 2; half++) {
		uint32_t i = half * (PIECE / 2) + t;

		k[i] = key[base + i];
		v[i] = value[base + i];
	}
#pragma unroll 1
	for (uint32_t run = 1; run < PIECE; run *= 2) {
		uint32_t in_run = t & (run - 1), left = 2 * (t - in_run), right = left + run, key_l, key_r, value_l, value_r, to_l, to_r;

		__syncthreads();
		key_l = k[left + in_run];
		value_l = v[left + in_run];
		key_r = k[right + in_run];
		value_r = v[right + in_run];
		to_l = left + in_run + rank(k + right, run, key_l, false);
		to_r = left + in_run + rank(k + left, run, key_r, true);
		__syncthreads();
		k[to_l] = key_l;
		v[to_l] = value_l;
		k[to_r] = key_r;
		v[to_r] = value_r;
	}
	__syncthreads();
#pragma unroll
	for (uint32_t half = 0; half < 2; half++) {
		uint32_t i = half * (PIECE / 2) + t;

		to_key[base + i] = k[i];
		to_value[base + i] = v[i];
	}
}

// from_left[i]: how many pairs of the left run are among those that come before place i * STRETCH of the merged two
// runs. A thread a stretch; the answer is the least a with left[a] > right[d - 1 - a], d being the place.
extern "C" __global__ void mergesort_cut(const uint32_t *key, uint32_t *from_left, uint32_t run, uint32_t stretches)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, place = i * STRETCH, d = place & (2 * run - 1);
	const uint32_t *left = key + (place - d), *right = left + run;
	uint32_t low = d > run ? d - run : 0, high = min(d, run);

	if (i >= stretches)
		return;
#pragma unroll 1
	while (low < high) {
		uint32_t a = (low + high) / 2;

		if (left[a] <= right[d - 1 - a])
			low = a + 1;
		else
			high = a;
	}
	from_left[i] = low;
}

// The pairs of one stretch, those from the left run first, into shared memory; each then finds its place by its rank in
// the other run.
extern "C" __global__ void mergesort_merge(const uint32_t *key, const uint32_t *value, const uint32_t *from_left, uint32_t *to_key,
					   uint32_t *to_value, uint32_t run)
{
	__shared__ uint32_t k[STRETCH];
	uint32_t place = blockIdx.x * STRETCH, d = place & (2 * run - 1), left = place - d, right = left + run, v[2];
	uint32_t begin_l = from_left[blockIdx.x], begin_r = d - begin_l;
	uint32_t end_l = d + STRETCH == 2 * run ? run : from_left[blockIdx.x + 1], n_l = end_l - begin_l;

#pragma unroll
	for (uint32_t half = 0; half < 2; half++) {
		uint32_t i = half * MERGERS + threadIdx.x;
		uint32_t from = i < n_l ? left + begin_l + i : right + begin_r + (i - n_l);

		k[i] = key[from];
		v[half] = value[from];
	}
	__syncthreads();
#pragma unroll
	for (uint32_t half = 0; half < 2; half++) {
		uint32_t i = half * MERGERS + threadIdx.x, to = place;

		if (i < n_l)
			to += i + rank(k + n_l, STRETCH - n_l, k[i], false);
		else
			to += i - n_l + rank(k, n_l, k[i], true);
		to_key[to] = k[i];
		to_value[to] = v[half];
	}
}
