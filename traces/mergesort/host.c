/* A stable sort of 2^log2n pairs: sorted pieces of 1,024, then two launches for each level of merging, from one buffer
 * to the other. */
#include "workload/program.h"
#include "workload/random.h"

#include <stdlib.h>

enum { PIECE = 1024, STRETCH = 256, CUTTERS = 256, MERGERS = 128 };

struct sort {
	uint32_t n, *key, *value;
	uint64_t from_key, from_value, key_of[2], value_of[2], from_left;
};

/* What a sort must give, found by the C library; values are numbers of places, so that equal keys stay in the order of
 * these. */
struct pair {
	uint32_t key, value;
};

static int by_key_then_value(const void *x, const void *y)
{
	const struct pair *a = x, *b = y;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return a->value < b->value ? -1 : a->value > b->value;
}

static void reference(struct host *h, const struct sort *s, uint32_t *key, uint32_t *value)
{
	struct pair *p = host_scratch(h, s->n, sizeof *p);

	for (uint32_t i = 0; i < s->n; i++)
		p[i] = (struct pair){s->key[i], s->value[i]};
	qsort(p, s->n, sizeof *p, by_key_then_value);
	for (uint32_t i = 0; i < s->n; i++) {
		key[i] = p[i].key;
		value[i] = p[i].value;
	}
}

static int allocate(struct host *h, struct sort *s, struct err *e)
{
	if (!(s->key = host_alloc_u32(h, "key", s->n, &s->from_key, e)) ||
	    !(s->value = host_alloc_u32(h, "value", s->n, &s->from_value, e)) ||
	    !host_alloc_u32(h, "sorted_key", s->n, &s->key_of[0], e) ||
	    !host_alloc_u32(h, "sorted_value", s->n, &s->value_of[0], e) ||
	    !host_alloc_u32(h, "other_key", s->n, &s->key_of[1], e) ||
	    !host_alloc_u32(h, "other_value", s->n, &s->value_of[1], e) ||
	    !host_alloc_u32(h, "from_left", s->n / STRETCH, &s->from_left, e))
		return -1;
	return 0;
}

/* Runs of `run` in the buffers `from` become runs of twice as many in the others. */
static int merge(struct host *h, const struct sort *s, uint32_t run, unsigned from, struct err *e)
{
	uint32_t stretches = s->n / STRETCH;

	if (host_launch(h, "mergesort_cut", (struct host_dim){host_blocks(stretches, CUTTERS), 1, 1},
			(struct host_dim){CUTTERS, 1, 1}, 0, 4,
			(struct host_arg[]){host_u64(s->key_of[from]), host_u64(s->from_left), host_u32(run), host_u32(stretches)},
			e))
		return -1;
	return host_launch(h, "mergesort_merge", (struct host_dim){stretches, 1, 1}, (struct host_dim){MERGERS, 1, 1}, 0, 6,
			   (struct host_arg[]){host_u64(s->key_of[from]), host_u64(s->value_of[from]), host_u64(s->from_left),
					       host_u64(s->key_of[1 - from]), host_u64(s->value_of[1 - from]), host_u32(run)},
			   e);
}

static int run(struct host *h, struct err *e)
{
	uint32_t log2n, keys, seed, *want_key, *want_value;
	struct host_random r;
	unsigned in = 0;
	struct sort s;

	if (host_arg_u32(h, "log2n", 13, 16, 22, 10, 24, &log2n, e) ||
	    host_arg_u32(h, "keys", 4 << 10, 64 << 10, 64 << 10, 1, UINT32_MAX, &keys, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) || host_args_done(h, e))
		return -1;
	s.n = UINT32_C(1) << log2n;
	host_describe(h, "mergesort %u pairs", s.n);
	if (allocate(h, &s, e))
		return -1;
	r.state = seed;
	for (uint32_t i = 0; i < s.n; i++) {
		s.key[i] = host_random_below(&r, keys);
		s.value[i] = i;
	}
	want_key = host_scratch(h, s.n, sizeof *want_key);
	want_value = host_scratch(h, s.n, sizeof *want_value);
	reference(h, &s, want_key, want_value);
	if (host_launch(h, "mergesort_pieces", (struct host_dim){s.n / PIECE, 1, 1}, (struct host_dim){PIECE / 2, 1, 1}, 0, 4,
			(struct host_arg[]){host_u64(s.from_key), host_u64(s.from_value), host_u64(s.key_of[0]),
					    host_u64(s.value_of[0])},
			e))
		return -1;
	for (uint32_t length = PIECE; length < s.n; length *= 2, in = 1 - in)
		if (merge(h, &s, length, in, e))
			return -1;
	if (host_check_u32(h, "key", s.key_of[in], want_key, s.n, e))
		return -1;
	return host_check_u32(h, "value", s.value_of[in], want_value, s.n, e);
}

static const struct workload_option options[] = {
	{"log2n", "of the pairs", "13 / 16 / 22"},
	{"keys", "different keys, at most", "4K / 64K / 64K"},
	{"seed", "of the keys", "1"},
	{0},
};
const struct workload workload_mergesort = {
	.name = "mergesort",
	.summary = "a stable sort of pairs",
	.suite = "CUDA samples",
	.original = "CUDA samples, mergeSort",
	.grid = "n/1024 x 512, then n/65536 x 256 and n/256 x 128 per level; 8 KB shared",
	.access = "merges in shared memory, binary searches in global memory",
	.differences = "Cuts runs at equal positions of the result (merge path), where the sample takes every 128th key.",
	.pattern = "streaming",
	.sharing = "low",
	.launches = "7 / 13 / 25",
	.sizes = "8 K / 64 K / 4 M pairs",
	.options = options,
	.run = run,
};
