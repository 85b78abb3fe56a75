// invindex: an inverted index of the links of a text: for each link, where it stands, and its target's characters. A
// thread scans a chunk of bytes of its own, twice: to count, and, knowing where its results go, to write them.
#include "device.h"

enum { THREADS = 256, MARK = 9 /* bytes of <a href=" */ };

struct tally {
	uint32_t links, bytes; // and the bytes of their targets
};

// A link's target begins behind the mark; 0 if at `at` no link begins.
static __device__ __forceinline__ uint32_t target_at(const uint8_t *text, uint32_t at, uint32_t n)
{
	static const __constant__ uint8_t mark[MARK] = {'<', 'a', ' ', 'h', 'r', 'e', 'f', '=', '"'};

	if (n - at < MARK)
		return 0;
#pragma unroll 1
	for (uint32_t i = 0; i < MARK; i++)
		if (text[at + i] != mark[i])
			return 0;
	return at + MARK;
}

static __device__ __forceinline__ uint32_t length_at(const uint8_t *text, uint32_t from, uint32_t n)
{
	uint32_t end = from;

#pragma unroll 1
	while (end < n && text[end] != '"')
		end++;
	return end - from;
}

// Sums over the threads up to this one, in log2(256) steps from one half of s to the other.
static __device__ __forceinline__ tally sums_so_far(tally mine, tally (*s)[THREADS])
{
	uint32_t t = threadIdx.x, half = 0;

	s[0][t] = mine;
	__syncthreads();
#pragma unroll 1
	for (uint32_t by = 1; by < THREADS; by *= 2) {
		mine = s[half][t];
		if (t >= by) {
			mine.links += s[half][t - by].links;
			mine.bytes += s[half][t - by].bytes;
		}
		half ^= 1;
		s[half][t] = mine;
		__syncthreads();
	}
	return mine;
}

// before[i]: what the threads before thread i of its CTA found; of_cta: what the whole CTA found.
extern "C" __global__ void invindex_count(const uint8_t *text, uint32_t n, uint32_t chunk, tally *before, tally *of_cta)
{
	__shared__ tally s[2][THREADS];
	uint32_t i = blockIdx.x * THREADS + threadIdx.x, from = i * chunk;
	tally mine = {0, 0}, sum;

#pragma unroll 1
	for (uint32_t at = from; at < from + chunk && at < n; at++) {
		uint32_t target = target_at(text, at, n);

		if (target) {
			mine.links++;
			mine.bytes += length_at(text, target, n);
		}
	}
	sum = sums_so_far(mine, s);
	before[i].links = sum.links - mine.links;
	before[i].bytes = sum.bytes - mine.bytes;
	if (threadIdx.x == THREADS - 1)
		of_cta[blockIdx.x] = sum;
}

// One CTA turns what each CTA found into what the CTAs before it found; behind the last, the sum of all.
extern "C" __global__ void invindex_bases(tally *of_cta, uint32_t ctas)
{
	__shared__ tally s[2][THREADS];
	tally carry = {0, 0};

#pragma unroll 1
	for (uint32_t first = 0; first < ctas + 1; first += THREADS) {
		uint32_t i = first + threadIdx.x;
		tally mine = {0, 0}, sum;

		if (i < ctas)
			mine = of_cta[i];
		sum = sums_so_far(mine, s);
		if (i <= ctas) {
			of_cta[i].links = carry.links + sum.links - mine.links;
			of_cta[i].bytes = carry.bytes + sum.bytes - mine.bytes;
		}
		__syncthreads();
		s[0][threadIdx.x] = sum;
		__syncthreads();
		carry.links += s[0][THREADS - 1].links;
		carry.bytes += s[0][THREADS - 1].bytes;
		__syncthreads();
	}
}

// place[k]: where link k stands; target[k]: where its target begins in `name`.
extern "C" __global__ void invindex_emit(const uint8_t *text, uint32_t n, uint32_t chunk, const tally *before, const tally *base,
					 uint32_t *place, uint32_t *target, uint8_t *name)
{
	uint32_t i = blockIdx.x * THREADS + threadIdx.x, from = i * chunk;
	uint32_t link = before[i].links + base[blockIdx.x].links, to = before[i].bytes + base[blockIdx.x].bytes;

#pragma unroll 1
	for (uint32_t at = from; at < from + chunk && at < n; at++) {
		uint32_t begins = target_at(text, at, n);

		if (begins) {
			place[link] = at;
			target[link++] = to;
#pragma unroll 1
			for (uint32_t c = begins; c < n && text[c] != '"'; c++)
				name[to++] = text[c];
		}
	}
}
