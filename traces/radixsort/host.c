/* A sort of n keys of 32 bits, four bits a pass, two launches each; between them the host sums up the counts of digits. */
#include "host/host.h"
#include "host/random.h"

#include <stdlib.h>
#include <string.h>

enum { THREADS = 256, KEYS = 1024, DIGITS = 16, DIGIT_BITS = 4 };

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

static int pass(struct host *h, const struct sort *s, uint32_t shift, struct err *e)
{
	const struct host_dim grid = {s->ctas, 1, 1}, block = {THREADS, 1, 1};
	uint32_t sum = 0;

	if (host_launch(h, "radixsort_local", grid, block, 0, 5,
			(struct host_arg[]){host_u64(s->key), host_u64(s->sorted), host_u64(s->count), host_u64(s->start),
					    host_u32(shift)},
			e))
		return -1;
	for (uint32_t i = 0; i < s->ctas * DIGITS; i++) {
		uint32_t here = s->v_count[i];

		s->v_count[i] = sum;
		sum += here;
	}
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
const struct workload workload_radixsort = {"radixsort",
					    "CUDA samples",
					    "streaming",
					    "none",
					    "4 / 16 / 16",
					    "8 K / 256 K / 256 K keys",
					    "a radix sort, four bits a pass",
					    options,
					    run};
