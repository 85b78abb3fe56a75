// hybridsort: floats are put into buckets of about equal size, then each bucket is sorted by merging, a list a thread.
//
// hybridsort_histogram counts values in bins, from which the host picks the limits of the buckets. hybridsort_count
// finds each value's bucket by bisection of the limits and its place within the CTA's share of it; hybridsort_offsets
// sums the shares of the CTAs; hybridsort_scatter moves the values. hybridsort_quads sorts each four values;
// hybridsort_merge merges two lists of quads a thread, in every level lists twice as long; hybridsort_pack puts the
// buckets together without the padding that made them whole quads.
#include "device.h"

enum : uint32_t { BINS = 1024, BUCKETS = 1024, WARPS = 3, LANES = 32, BAND = 128 };

// 96 threads: a table a warp.
extern "C" __global__ void hybridsort_histogram(const float *value, uint32_t *bin, uint32_t n)
{
	__shared__ uint32_t count[WARPS][BINS];
	uint32_t t = threadIdx.x, threads = WARPS * LANES;

	for (uint32_t i = t; i < WARPS * BINS; i += threads)
		count[i / BINS][i % BINS] = 0;
	__syncthreads();
	for (uint32_t i = blockIdx.x * threads + t; i < n; i += gridDim.x * threads)
		atomicAdd(&count[t / LANES][(uint32_t)(value[i] * BINS)], 1u);
	__syncthreads();
	for (uint32_t i = t; i < BINS; i += threads)
		atomicAdd(&bin[i], count[0][i] + count[1][i] + count[2][i]);
}

// How many limits are not above v; limit[BUCKETS - 1] is never looked at.
static __device__ __forceinline__ uint32_t bucket_of(const float *limit, float v)
{
	uint32_t low = 0;

#pragma unroll
	for (uint32_t half = BUCKETS / 2; half > 0; half /= 2)
		if (limit[low + half - 1] <= v)
			low += half;
	return low;
}

// 32 threads, BAND values each. where: the bucket in the lower 10 bits, above them the place in the CTA's share of it.
extern "C" __global__ void hybridsort_count(const float *value, const float *limit, uint32_t *where, uint32_t *share, uint32_t n)
{
	__shared__ float l[BUCKETS];
	__shared__ uint32_t count[BUCKETS];
	uint32_t t = threadIdx.x, first = blockIdx.x * LANES * BAND + t;

	for (uint32_t i = t; i < BUCKETS; i += LANES) {
		l[i] = limit[i];
		count[i] = 0;
	}
	__syncthreads();
#pragma unroll 1
	for (uint32_t i = 0; i < BAND; i++) {
		uint32_t at = first + i * LANES, b;

		if (at >= n)
			break;
		b = bucket_of(l, value[at]);
		where[at] = b | atomicAdd(&count[b], 1u) * BUCKETS;
	}
	__syncthreads();
	for (uint32_t i = t; i < BUCKETS; i += LANES)
		share[blockIdx.x * BUCKETS + i] = count[i];
}

// A thread a bucket: the shares of the CTAs become what comes before each; size[] is the whole.
extern "C" __global__ void hybridsort_offsets(uint32_t *share, uint32_t *size, uint32_t ctas)
{
	uint32_t b = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;

#pragma unroll 1
	for (uint32_t i = 0; i < ctas; i++) {
		uint32_t mine = share[i * BUCKETS + b];

		share[i * BUCKETS + b] = sum;
		sum += mine;
	}
	size[b] = sum;
}

// start: the first place of each bucket.
extern "C" __global__ void hybridsort_scatter(const float *value, const uint32_t *where, const uint32_t *share, const uint32_t *start,
					      float *to, uint32_t n)
{
	__shared__ uint32_t at[BUCKETS];
	uint32_t t = threadIdx.x, first = blockIdx.x * LANES * BAND + t;

	for (uint32_t i = t; i < BUCKETS; i += LANES)
		at[i] = start[i] + share[blockIdx.x * BUCKETS + i];
	__syncthreads();
#pragma unroll 1
	for (uint32_t i = 0; i < BAND; i++) {
		uint32_t from = first + i * LANES, w;

		if (from >= n)
			break;
		w = where[from];
		to[at[w % BUCKETS] + w / BUCKETS] = value[from];
	}
}

// ---- four floats, ascending ----

typedef float quad __attribute__((vector_size(16)));

static __device__ __forceinline__ void in_order(float &a, float &b)
{
	float low = fminf(a, b), high = fmaxf(a, b);

	a = low;
	b = high;
}

// What first ascends and then descends, or the other way round, in order.
static __device__ __forceinline__ quad sort_bitonic(float a, float b, float c, float d)
{
	in_order(a, c);
	in_order(b, d);
	in_order(a, b);
	in_order(c, d);
	return quad{a, b, c, d};
}

extern "C" __global__ void hybridsort_quads(quad *value, uint32_t quads)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= quads)
		return;
	quad q = value[i];
	float a = q[0], b = q[1], c = q[2], d = q[3];

	in_order(a, b);
	in_order(d, c);
	value[i] = sort_bitonic(a, b, c, d);
}

// Lists of `length` quads, from the start of each bucket (a row of the grid); start and end count quads. A thread
// merges two lists; of a list that has no other it makes a copy.
extern "C" __global__ void hybridsort_merge(const quad *from, quad *to, const uint32_t *start, const uint32_t *end, uint32_t length)
{
	uint32_t last = end[blockIdx.y];
	uint32_t left = start[blockIdx.y] + 2 * length * (blockIdx.x * blockDim.x + threadIdx.x), out = left, right, left_end;
	quad held;

	if (left >= last)
		return;
	left_end = right = min(left + length, last);
	last = min(right + length, last);
	if (right == last) {
		for (; left < left_end; left++)
			to[left] = from[left];
		return;
	}
	held = from[left++];
	quad next = from[right++];
#pragma unroll 1
	for (;;) {
		// The least four of eight are in order now; the others wait.
		to[out++] = sort_bitonic(fminf(held[0], next[3]), fminf(held[1], next[2]), fminf(held[2], next[1]), fminf(held[3], next[0]));
		held = sort_bitonic(fmaxf(held[0], next[3]), fmaxf(held[1], next[2]), fmaxf(held[2], next[1]), fmaxf(held[3], next[0]));
		if (left == left_end && right == last)
			break;
		// The list whose head is less goes on.
		bool from_left = right == last || (left < left_end && from[left][0] <= from[right][0]);

		next = from[from_left ? left : right];
		left += from_left;
		right += !from_left;
	}
	to[out] = held;
}

// A CTA a bucket.
extern "C" __global__ void hybridsort_pack(const float *from, float *to, const uint32_t *start, const uint32_t *packed,
					   const uint32_t *size)
{
	uint32_t b = blockIdx.x;

	for (uint32_t i = threadIdx.x; i < size[b]; i += blockDim.x)
		to[packed[b] + i] = from[start[b] + i];
}
