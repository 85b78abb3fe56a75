// taftrack: TAFE's software tracker on the GPU (Punniyamurthy and Gerstlauer, PACT 2020, section 4.2): reads a primary
// array again and puts the least and the largest value that each CTA of the program will read into its extent table.
// Not a workload: the host's phase runs it (csim/gpu/host_reread_gpu.h).
//
// A block stands for a CTA of the program. taftrack_threads goes through the CTA's threads and iterations (TID_DEP);
// taftrack_extents through the elements that the extents of the array's own primary array tell (INDIR, INDIR_RANGE). An
// extent: a valid byte, minimum and maximum, little endian, seven in a line of 64 bytes.
#include "device.h"

enum { BLOCK = 128, EXTENT = 9, IN_A_LINE = 7, LINE = 64, INDIR = 1 };

struct array { // as the host fills it; 32-bit arithmetic wraps
	const uint8_t *values;
	uint8_t *table;
	const uint8_t *start, *end; // tables of the primary arrays
	uint64_t n;		    // elements
	uint32_t size;		    // bytes of an element
	uint32_t type;
	uint32_t m[6], c, ofs, iterations, c_s, c_e;
	uint32_t block[3], grid[3];
};

struct found { // low > high: nothing
	uint32_t low, high;
};

static __device__ uint32_t get32(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static __device__ void put32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static __device__ const uint8_t *extent(const uint8_t *table, uint32_t cta)
{
	return table + (uint64_t)(cta / IN_A_LINE) * LINE + cta % IN_A_LINE * EXTENT;
}

// A value over 32 bits makes the extent the whole range.
static __device__ void take(const struct array *a, uint64_t i, struct found *f)
{
	const uint8_t *at = a->values + i * a->size;
	uint64_t v = a->size == 4 ? *(const uint32_t *)at : a->size == 1 ? *at : a->size == 2 ? *(const uint16_t *)at : *(const uint64_t *)at;
	bool wide = v >> 32;

	f->low = wide ? 0 : min(f->low, (uint32_t)v);
	f->high = wide ? ~0u : max(f->high, (uint32_t)v);
}

// What the block's threads have found, into the extent, which other relations of the array may have filled before.
static __device__ void put(const struct array *a, struct found f)
{
	__shared__ uint32_t low[BLOCK], high[BLOCK];
	uint8_t *to = (uint8_t *)extent(a->table, blockIdx.x);
	uint32_t t = threadIdx.x;

	low[t] = f.low;
	high[t] = f.high;
	__syncthreads();
	for (uint32_t half = BLOCK / 2; half; half /= 2) {
		if (t < half) {
			low[t] = min(low[t], low[t + half]);
			high[t] = max(high[t], high[t + half]);
		}
		__syncthreads();
	}
	if (t != 0 || low[0] > high[0])
		return;
	put32(to + 1, to[0] ? min(low[0], get32(to + 1)) : low[0]);
	put32(to + 5, to[0] ? max(high[0], get32(to + 5)) : high[0]);
	to[0] = 1;
}

extern "C" __global__ void taftrack_threads(const struct array a)
{
	uint32_t cta = blockIdx.x, x = cta % a.grid[0], y = cta / a.grid[0] % a.grid[1], z = cta / a.grid[0] / a.grid[1];
	uint32_t first = a.c + a.m[3] * x + a.m[4] * y + a.m[5] * z, threads = a.block[0] * a.block[1] * a.block[2];
	struct found f = {~0u, 0};

	for (uint32_t i = 0; i < a.iterations; i++)
		for (uint32_t t = threadIdx.x; t < threads; t += BLOCK) {
			uint32_t row = t / a.block[0];
			uint32_t at = first + a.m[0] * (t % a.block[0]) + a.m[1] * (row % a.block[1]) + a.m[2] * (row / a.block[1]) +
				      i * a.ofs;

			if (at < a.n)
				take(&a, at, &f);
		}
	put(&a, f);
}

// Elements [first, behind) that exist.
static __device__ void take_range(const struct array *a, uint64_t first, uint64_t behind, struct found *f)
{
	if (behind > a->n)
		behind = a->n;
	for (uint64_t i = first + threadIdx.x; i < behind; i += BLOCK)
		take(a, i, f);
}

// m * v + c for all v of the extent.
static __device__ void take_indirect(const struct array *a, uint32_t low, uint32_t high, struct found *f)
{
	uint64_t count = (uint64_t)high - low + 1;
	uint32_t first = low + a->c;

	if (a->m[0] == 1) { // what passes 2^32 goes on at 0
		take_range(a, first, first + count, f);
		if (first + count > 1ull << 32)
			take_range(a, 0, first + count - (1ull << 32), f);
		return;
	}
	for (uint64_t k = threadIdx.x; k < count; k += BLOCK) {
		uint32_t i = a->m[0] * (low + (uint32_t)k) + a->c;

		if (i < a->n)
			take(a, i, f);
	}
}

// Where the CTA's rows end: where the next CTA's begin, with one array of bounds; else behind the largest end.
static __device__ uint64_t rows_end(const struct array *a, uint32_t cta)
{
	const uint8_t *end = extent(a->end, cta);

	if (a->start != a->end)
		return end[0] ? get32(end + 5) + a->c_e : 0;
	while (++cta < gridDim.x)
		if (*extent(a->end, cta))
			return get32(extent(a->end, cta) + 1) + a->c_e;
	return a->n;
}

extern "C" __global__ void taftrack_extents(const struct array a)
{
	const uint8_t *own = extent(a.start, blockIdx.x);
	struct found f = {~0u, 0};

	if (own[0] && a.type == INDIR)
		take_indirect(&a, get32(own + 1), get32(own + 5), &f);
	else if (own[0])
		take_range(&a, get32(own + 1) + a.c_s, rows_end(&a, blockIdx.x), &f);
	put(&a, f);
}
