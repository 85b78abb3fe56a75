/* Searches for single keys and for ranges of keys in a tree over n records, a CTA a query. */
#include "workload/program.h"
#include "workload/random.h"

#include <string.h>

enum { ORDER = 256 };
static const uint32_t NONE = UINT32_MAX;

/* As in kernel.cu. */
struct node {
	uint32_t key[ORDER], value[ORDER];
};

struct tree {
	uint32_t n, height, root;
	uint32_t *key; /* of record i, ascending */
	uint64_t nodes;
};

static uint32_t record_of(uint32_t i)
{
	return 3 * i + 1;
}

/* Leaves first, then the level above them, and so on; the root is the last. */
static int build(struct host *h, struct tree *t, struct err *e)
{
	uint32_t below = host_blocks(t->n, ORDER), total = below, first = 0;
	struct node *node;

	for (uint32_t level = below; level > 1; total += level)
		level = host_blocks(level, ORDER);
	if (!(t->nodes = host_alloc(h, "tree", (uint64_t)total * sizeof *node, e)))
		return -1;
	node = host_bytes(h, t->nodes, (uint64_t)total * sizeof *node);
	memset(node, 0xff, (uint64_t)total * sizeof *node);
	for (uint32_t i = 0; i < t->n; i++) {
		node[i / ORDER].key[i % ORDER] = t->key[i];
		node[i / ORDER].value[i % ORDER] = record_of(i);
	}
	for (t->height = 1; below > 1; t->height++) {
		struct node *above = node + first + below;

		for (uint32_t i = 0; i < below; i++) {
			/* What is below the least key is sought in the first leaf, and not found. */
			above[i / ORDER].key[i % ORDER] = i ? node[first + i].key[0] : 0;
			above[i / ORDER].value[i % ORDER] = first + i;
		}
		first += below;
		below = host_blocks(below, ORDER);
	}
	t->root = total - 1;
	return 0;
}

/* How many keys are not above q: bisection of the sorted keys, which knows nothing of nodes. */
static uint32_t not_above(const struct tree *t, uint32_t q)
{
	uint32_t low = 0, high = t->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (t->key[middle] <= q)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int find(struct host *h, const struct tree *t, uint32_t queries, struct host_random *r, struct err *e)
{
	uint32_t *q, *found, *want = host_scratch(h, queries, sizeof *want);
	uint64_t query, record;

	if (!(q = host_alloc_u32(h, "query", queries, &query, e)) || !(found = host_alloc_u32(h, "record", queries, &record, e)))
		return -1;
	for (uint32_t i = 0; i < queries; i++) {
		uint32_t place;

		/* Half of them anything up to a little more than the greatest key, half of them keys. */
		q[i] = i % 2 ? host_random_below(r, t->key[t->n - 1] + 8) : t->key[host_random_below(r, t->n)];
		place = not_above(t, q[i]);
		want[i] = place && t->key[place - 1] == q[i] ? record_of(place - 1) : NONE;
		found[i] = NONE;
	}
	if (host_launch(h, "btree_find", (struct host_dim){queries, 1, 1}, (struct host_dim){ORDER, 1, 1}, 0, 5,
			(struct host_arg[]){host_u64(t->nodes), host_u32(t->height), host_u32(t->root), host_u64(query),
					    host_u64(record)},
			e))
		return -1;
	return host_check_u32(h, "record", record, want, queries, e);
}

static int count(struct host *h, const struct tree *t, uint32_t queries, struct host_random *r, struct err *e)
{
	uint32_t *from, *to, *want = host_scratch(h, queries, sizeof *want);
	uint64_t first, last, counted;

	if (!(from = host_alloc_u32(h, "first", queries, &first, e)) || !(to = host_alloc_u32(h, "last", queries, &last, e)) ||
	    !host_alloc_u32(h, "count", queries, &counted, e))
		return -1;
	for (uint32_t i = 0; i < queries; i++) {
		uint32_t place = host_random_below(r, t->n);

		from[i] = t->key[place];
		to[i] = from[i] + host_random_below(r, 10000);
		want[i] = not_above(t, to[i]) - place;
	}
	if (host_launch(h, "btree_count", (struct host_dim){queries, 1, 1}, (struct host_dim){ORDER, 1, 1}, 0, 6,
			(struct host_arg[]){host_u64(t->nodes), host_u32(t->height), host_u32(t->root), host_u64(first),
					    host_u64(last), host_u64(counted)},
			e))
		return -1;
	return host_check_u32(h, "count", counted, want, queries, e);
}

static int run(struct host *h, struct err *e)
{
	struct host_random r;
	uint32_t queries, seed;
	struct tree t;

	if (host_arg_u32(h, "n", 64 << 10, 1 << 20, 1 << 20, 1, 16 << 20, &t.n, e) ||
	    host_arg_u32(h, "queries", 200, 2000, 10000, 1, 65535, &queries, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) || host_args_done(h, e))
		return -1;
	host_describe(h, "btree %u records, %u queries", t.n, queries);
	r.state = seed;
	t.key = host_scratch(h, t.n, sizeof *t.key);
	for (uint32_t i = 0; i < t.n; i++)
		t.key[i] = (i ? t.key[i - 1] : 0) + 1 + host_random_below(&r, 8);
	if (build(h, &t, e) || find(h, &t, queries, &r, e))
		return -1;
	return count(h, &t, queries, &r, e);
}

static const struct workload_option options[] = {
	{"n", "records", "64K / 1M / 1M"},
	{"queries", "single keys, then as many ranges", "200 / 2000 / 10000"},
	{"seed", "of keys and queries", "1"},
	{0},
};
const struct workload workload_btree = {
	.name = "btree",
	.summary = "searches in a tree of 2 KB nodes",
	.suite = "Rodinia",
	.original = "Rodinia b+tree",
	.grid = "queries x 256, twice",
	.access = "pointer chase through 2 KB nodes",
	.differences = "Keys and values are words; the range query counts the keys of its range.",
	.pattern = "thrashing",
	.sharing = "high",
	.launches = "2",
	.sizes = "64 K / 1 M / 1 M records",
	.options = options,
	.run = run,
};
