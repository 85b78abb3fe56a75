// invindex: an inverted index of the links of a text: for each link, where it stands, and its target's characters. A
// thread scans a chunk of whole lines of its own, byte by byte, twice: to count, and, knowing where its results go, to
// write them. Chunk i is the bytes from begins[i] to begins[i + 1].
#include "device.h"

enum { THREADS = 256, MARK = 9 /* bytes of <a href=" */ };

struct tally {
	uint32_t links, bytes; // and the bytes of their targets
};

// How much of the mark stands behind the byte c, when `matched` bytes of it stood before. Its first byte is in it but
// once, so a mismatch leaves nothing, or begins anew.
static __device__ __forceinline__ uint32_t match(uint32_t matched, uint8_t c)
{
	const uint64_t first_eight = 0x3d6665726820613cull; // <a href=, the first byte lowest
	uint8_t next = matched == MARK - 1 ? '"' : (uint8_t)(first_eight >> 8 * matched);

	return c == next ? matched + 1 : c == '<';
}

static __device__ __forceinline__ uint32_t end_of_target(const uint8_t *text, uint32_t at, uint32_t n)
{
#pragma unroll 1
	while (at < n && text[at] != '"')
		at++;
	return at;
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
extern "C" __global__ void invindex_count(const uint8_t *text, uint32_t n, const uint32_t *begins, uint32_t chunks, tally *before,
					  tally *of_cta)
{
	__shared__ tally s[2][THREADS];
	uint32_t i = blockIdx.x * THREADS + threadIdx.x, at = 0, end = 0, matched = 0;
	tally mine = {0, 0}, sum;

	if (i < chunks) {
		at = begins[i];
		end = begins[i + 1];
	}
#pragma unroll 1
	while (at < end) {
		matched = match(matched, text[at++]);
		if (matched == MARK) {
			uint32_t begins = at;

			at = end_of_target(text, begins, n);
			mine.links++;
			mine.bytes += at - begins;
			matched = 0;
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
extern "C" __global__ void invindex_emit(const uint8_t *text, uint32_t n, const uint32_t *begins, uint32_t chunks,
					 const tally *before, const tally *base, uint32_t *place, uint32_t *target, uint8_t *name)
{
	uint32_t i = blockIdx.x * THREADS + threadIdx.x, link, to, at, end, matched = 0;

	if (i >= chunks)
		return;
	link = before[i].links + base[blockIdx.x].links;
	to = before[i].bytes + base[blockIdx.x].bytes;
	at = begins[i];
	end = begins[i + 1];
#pragma unroll 1
	while (at < end) {
		matched = match(matched, text[at++]);
		if (matched == MARK) {
			place[link] = at - MARK;
			target[link++] = to;
#pragma unroll 1
			for (; at < n && text[at] != '"'; at++)
				name[to++] = text[at];
			matched = 0;
		}
	}
}
