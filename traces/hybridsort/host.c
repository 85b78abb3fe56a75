/* A sort of n floats in [0, 1): 1,024 buckets, whose limits the host picks from a histogram, then merging within the
 * buckets. */
#include "workload/program.h"
#include "workload/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 1024, BUCKETS = 1024, HISTOGRAM_CTAS = 64, HISTOGRAM_THREADS = 96, LANES = 32, BAND = 128, QUAD = 4 };
enum { QUAD_THREADS = 256, MERGE_THREADS = 256, PACK_THREADS = 256 };

struct sort {
	uint32_t n, ctas, room; /* room: floats of all buckets, padded to whole quads */
	uint64_t value, bin, limit, where, share, size, start, packed, first_quad, end_quad, bucket[2], sorted;
	float *v_value, *v_limit, *v_bucket;
	uint32_t *v_bin, *v_size, *v_start, *v_packed, *v_first_quad, *v_end_quad;
};

static int ascending(const void *x, const void *y)
{
	const float *a = x, *b = y;

	return *a < *b ? -1 : *a > *b;
}

static int allocate(struct host *h, struct sort *s, struct err *e)
{
	/* At most three floats of padding a bucket. */
	uint64_t room = (s->n + UINT64_C(3) * BUCKETS + 3) / QUAD * QUAD;

	s->ctas = host_blocks(s->n, LANES * BAND);
	s->room = (uint32_t)room;
	if (!(s->v_value = host_alloc_f32(h, "value", s->n, &s->value, e)) ||
	    !(s->v_bin = host_alloc_u32(h, "bin", BINS, &s->bin, e)) ||
	    !(s->v_limit = host_alloc_f32(h, "limit", BUCKETS, &s->limit, e)) || !host_alloc_u32(h, "where", s->n, &s->where, e) ||
	    !host_alloc_u32(h, "share", (uint64_t)s->ctas * BUCKETS, &s->share, e) ||
	    !(s->v_size = host_alloc_u32(h, "size", BUCKETS, &s->size, e)) ||
	    !(s->v_start = host_alloc_u32(h, "start", BUCKETS, &s->start, e)) ||
	    !(s->v_packed = host_alloc_u32(h, "packed", BUCKETS, &s->packed, e)) ||
	    !(s->v_first_quad = host_alloc_u32(h, "first_quad", BUCKETS, &s->first_quad, e)) ||
	    !(s->v_end_quad = host_alloc_u32(h, "end_quad", BUCKETS, &s->end_quad, e)) ||
	    !(s->v_bucket = host_alloc_f32(h, "bucket", room, &s->bucket[0], e)) ||
	    !host_alloc_f32(h, "merged", room, &s->bucket[1], e) || !host_alloc_f32(h, "sorted", s->n, &s->sorted, e))
		return -1;
	return 0;
}

/* Limits between buckets that take n / BUCKETS values each, as far as the bins show; within a bin values are taken as
 * even. */
static void pick_limits(struct sort *s)
{
	double share = (double)s->n / BUCKETS, below = 0;
	unsigned b = 1;

	for (unsigned bin = 0; bin < BINS; below += s->v_bin[bin++])
		for (; b < BUCKETS && b * share <= below + s->v_bin[bin]; b++)
			s->v_limit[b - 1] = (float)((bin + (s->v_bin[bin] ? (b * share - below) / s->v_bin[bin] : 0)) / BINS);
	s->v_limit[BUCKETS - 1] = 1;
}

/* Where buckets start; returns the quads of the greatest one. */
static uint32_t place_buckets(struct sort *s)
{
	uint32_t at = 0, packed = 0, longest = 0;

	for (unsigned b = 0; b < BUCKETS; b++) {
		uint32_t quads = host_blocks(s->v_size[b], QUAD);

		s->v_start[b] = at;
		s->v_packed[b] = packed;
		s->v_first_quad[b] = at / QUAD;
		at += quads * QUAD;
		s->v_end_quad[b] = at / QUAD;
		packed += s->v_size[b];
		longest = quads > longest ? quads : longest;
	}
	for (uint32_t i = 0; i < s->room; i++)
		s->v_bucket[i] = INFINITY;
	return longest;
}

static int fill_buckets(struct host *h, struct sort *s, uint32_t *longest, struct err *e)
{
	const struct host_dim grid = {s->ctas, 1, 1}, block = {LANES, 1, 1};

	if (host_launch(h, "hybridsort_histogram", (struct host_dim){HISTOGRAM_CTAS, 1, 1},
			(struct host_dim){HISTOGRAM_THREADS, 1, 1}, 0, 3,
			(struct host_arg[]){host_u64(s->value), host_u64(s->bin), host_u32(s->n)}, e))
		return -1;
	pick_limits(s);
	if (host_launch(h, "hybridsort_count", grid, block, 0, 5,
			(struct host_arg[]){host_u64(s->value), host_u64(s->limit), host_u64(s->where), host_u64(s->share),
					    host_u32(s->n)},
			e) ||
	    host_launch(h, "hybridsort_offsets", (struct host_dim){BUCKETS / LANES, 1, 1}, block, 0, 3,
			(struct host_arg[]){host_u64(s->share), host_u64(s->size), host_u32(s->ctas)}, e))
		return -1;
	*longest = place_buckets(s);
	return host_launch(h, "hybridsort_scatter", grid, block, 0, 6,
			   (struct host_arg[]){host_u64(s->value), host_u64(s->where), host_u64(s->share), host_u64(s->start),
					       host_u64(s->bucket[0]), host_u32(s->n)},
			   e);
}

static int merge_buckets(struct host *h, struct sort *s, uint32_t longest, struct err *e)
{
	uint32_t quads = s->v_end_quad[BUCKETS - 1];
	unsigned in = 0;

	if (host_launch(h, "hybridsort_quads", (struct host_dim){host_blocks(quads, QUAD_THREADS), 1, 1},
			(struct host_dim){QUAD_THREADS, 1, 1}, 0, 2, (struct host_arg[]){host_u64(s->bucket[0]), host_u32(quads)},
			e))
		return -1;
	for (uint32_t length = 1; length < longest; length *= 2, in = 1 - in) {
		uint32_t pairs = host_blocks(longest, 2 * length), threads = pairs < MERGE_THREADS ? pairs : MERGE_THREADS;

		if (host_launch(h, "hybridsort_merge", (struct host_dim){host_blocks(pairs, threads), BUCKETS, 1},
				(struct host_dim){threads, 1, 1}, 0, 5,
				(struct host_arg[]){host_u64(s->bucket[in]), host_u64(s->bucket[1 - in]), host_u64(s->first_quad),
						    host_u64(s->end_quad), host_u32(length)},
				e))
			return -1;
	}
	return host_launch(h, "hybridsort_pack", (struct host_dim){BUCKETS, 1, 1}, (struct host_dim){PACK_THREADS, 1, 1}, 0, 5,
			   (struct host_arg[]){host_u64(s->bucket[in]), host_u64(s->sorted), host_u64(s->start),
					       host_u64(s->packed), host_u64(s->size)},
			   e);
}

static int run(struct host *h, struct err *e)
{
	uint32_t seed, skew, longest;
	struct host_random r;
	struct sort s;
	float *want;

	if (host_arg_u32(h, "n", 8 << 10, 256 << 10, 4 << 20, 1, 16 << 20, &s.n, e) ||
	    host_arg_u32(h, "skew", 1, 1, 1, 1, 8, &skew, e) || host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) ||
	    host_args_done(h, e))
		return -1;
	host_describe(h, "hybridsort %u floats", s.n);
	if (allocate(h, &s, e))
		return -1;
	r.state = seed;
	for (uint32_t i = 0; i < s.n; i++) {
		s.v_value[i] = 1;
		for (uint32_t k = 0; k < skew; k++)
			s.v_value[i] *= host_random_f32(&r);
	}
	want = host_scratch(h, s.n, sizeof *want);
	memcpy(want, s.v_value, s.n * sizeof *want);
	qsort(want, s.n, sizeof *want, ascending);
	if (fill_buckets(h, &s, &longest, e) || merge_buckets(h, &s, longest, e))
		return -1;
	return host_check_f32(h, "sorted", s.sorted, want, s.n, 0, e);
}

static const struct workload_option options[] = {
	{"n", "floats", "8K / 256K / 4M"},
	{"skew", "each is the product of so many random numbers", "1"},
	{"seed", "of the floats", "1"},
	{0},
};
const struct workload workload_hybridsort = {
	.name = "hybridsort",
	.summary = "a sort by buckets, then by merging in them",
	.suite = "Rodinia",
	.original = "Rodinia hybridsort",
	.grid = "64 x 96; n/4096 x 32, 32 x 32, n/4096 x 32; n/1024 x 256; (1 or more, 1024) x up to 256 per level, 1024 x "
		"256; 4 to 12 KB shared",
	.access = "bisection in shared memory, scatter; a list per thread, 16 bytes at a time",
	.differences = "Pads buckets with infinities to whole groups of four, and packs them again; keys are floats in [0, 1).",
	.pattern = "thrashing",
	.sharing = "low",
	.launches = "6 + 1 a level",
	.sizes = "8 K / 256 K / 4 M floats",
	.options = options,
	.run = run,
};
