/* A sort of n keys of 32 bits, four bits a pass, two launches each; between them the host sums up the counts of
 * digits. */
#include "workload/program.h"
#include "workload/random.h"
#include "workload/taf_api.h"

#include <stdlib.h>
#include <string.h>

enum { THREADS = 256, KEYS = 1024, DIGITS = 16, DIGIT_BITS = 4 };

/* Instructions of the paper's host program for a value (docs/studies/tafe.md, Cost of a value): rand() twice for a key.
 * Counts ahead of the first pass are ours, and taken as at hand. */
enum { RANDOM_INSTS = 110 };

struct sort {
	uint32_t n, ctas;
	uint64_t key, sorted, count, start;
	uint32_t *v_key, *v_count;
};

static int ascending(const void *x, const void *y)
{
	const uint32_t *a = x, *b = y;

	return *a < *b ? -1 : *a > *b;
}

static int allocate(struct host *h, struct sort *s, struct err *e)
{
	s->ctas = s->n / KEYS;
	if (!(s->v_key = host_alloc_u32(h, "key", s->n, &s->key, e)) || !host_alloc_u32(h, "sorted", s->n, &s->sorted, e) ||
	    !(s->v_count = host_alloc_u32(h, "count", (uint64_t)s->ctas * DIGITS, &s->count, e)) ||
	    !host_alloc_u32(h, "start", (uint64_t)s->ctas * DIGITS, &s->start, e))
		return -1;
	return 0;
}

/* Counts become where each CTA's keys of a digit go. */
static void sum_up(const struct sort *s)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < s->ctas * DIGITS; i++) {
		uint32_t here = s->v_count[i];

		s->v_count[i] = sum;
		sum += here;
	}
}

/* The first pass's places, which its scatter will use: the host counts the lowest digits ahead of the launch. The
 * kernel counts them again, and all later passes' places are known too late for an estimate. */
static int annotate_scatter(struct host *h, const struct sort *s, struct err *e)
{
	const struct taf_tid counts = {.m = {0, 0, 0, 1}, .ofs = s->ctas, .n = DIGITS};
	const uint64_t n_counts = (uint64_t)s->ctas * DIGITS;

	for (uint32_t i = 0; i < s->n; i++)
		s->v_count[s->v_key[i] % DIGITS * s->ctas + i / KEYS]++;
	sum_up(s);
	if (taf_register_tid_dep(h, s->count, n_counts, 4, counts, true, e) || taf_setRdy(h, s->count, e) ||
	    taf_register_indir(h, s->key, s->n, 4, s->count, 1, 0, false, e))
		return -1;
	host_store_array(h, s->count, 4, n_counts, s->v_count);
	return taf_setRdy(h, s->key, e);
}

static int annotate(struct host *h, const struct sort *s, struct err *e)
{
	const struct taf_tid own = {.m = {1, 0, 0, KEYS}, .ofs = THREADS, .n = KEYS / THREADS};
	const struct taf_tid starts = {.m = {0, 0, 0, DIGITS}, .ofs = 1, .n = DIGITS};

	if (taf_paramSetup(h, (struct host_dim){THREADS, 1, 1}, (struct host_dim){s->ctas, 1, 1}, e) ||
	    taf_tid_array(h, s->key, s->n, 4, own, e) || taf_tid_array(h, s->sorted, s->n, 4, own, e) ||
	    taf_tid_array(h, s->start, (uint64_t)s->ctas * DIGITS, 4, starts, e) || host_value_insts(h, RANDOM_INSTS, e))
		return -1;
	host_store_array(h, s->key, 4, s->n, s->v_key);
	if (host_value_insts(h, 0, e))
		return -1;
	return annotate_scatter(h, s, e);
}

static int pass(struct host *h, const struct sort *s, uint32_t shift, struct err *e)
{
	const struct host_dim grid = {s->ctas, 1, 1}, block = {THREADS, 1, 1};

	if (host_launch(h, "radixsort_local", grid, block, 0, 5,
			(struct host_arg[]){host_u64(s->key), host_u64(s->sorted), host_u64(s->count), host_u64(s->start),
					    host_u32(shift)},
			e))
		return -1;
	sum_up(s);
	return host_launch(
		h, "radixsort_scatter", grid, block, 0, 5,
		(struct host_arg[]){host_u64(s->sorted), host_u64(s->count), host_u64(s->start), host_u64(s->key), host_u32(shift)},
		e);
}

static int run(struct host *h, struct err *e)
{
	uint32_t bits, seed, *want;
	struct host_random r;
	struct sort s;

	if (host_arg_multiple(h, "n", 8 << 10, 256 << 10, 256 << 10, KEYS, 16 << 20, &s.n, e) ||
	    host_arg_multiple(h, "bits", 8, 32, 32, DIGIT_BITS, 32, &bits, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) || host_args_done(h, e))
		return -1;
	host_describe(h, "radixsort %u keys of %u bits", s.n, bits);
	if (allocate(h, &s, e))
		return -1;
	r.state = seed;
	for (uint32_t i = 0; i < s.n; i++)
		s.v_key[i] = (uint32_t)(host_random_u64(&r) >> 32) >> (32 - bits);
	want = host_scratch(h, s.n, sizeof *want);
	memcpy(want, s.v_key, s.n * sizeof *want);
	qsort(want, s.n, sizeof *want, ascending);
	if (annotate(h, &s, e))
		return -1;
	for (uint32_t shift = 0; shift < bits; shift += DIGIT_BITS)
		if (pass(h, &s, shift, e))
			return -1;
	return host_check_u32(h, "key", s.key, want, s.n, e);
}

static const struct workload_option options[] = {
	{"n", "keys, a multiple of 1024", "8K / 256K / 256K"},
	{"bits", "of a key, a multiple of 4", "8 / 32 / 32"},
	{"seed", "of the keys", "1"},
	{0},
};
const struct workload workload_radixsort = {
	.name = "radixsort",
	.summary = "a radix sort, four bits a pass",
	.suite = "CUDA samples",
	.original = "the radix sort of tafe (Harris, Sengupta, Owens)",
	.grid = "n/1024 x 256, two launches per pass; 6 KB shared",
	.access = "splits by a bit in shared memory, then a scatter in runs of equal digits",
	.differences = "Sums up the counts of digits in its host program, as tafe does (section 6); sorts keys without values.",
	.pattern = "streaming",
	.sharing = "none",
	.launches = "4 / 16 / 16",
	.sizes = "8 K / 256 K / 256 K keys",
	.options = options,
	.run = run,
};
