/* The longest match of a query's letters, from each start in it, in a text of n letters; a thread a query. The text is
 * random, the queries are pieces of it with a letter changed now and then. */
#include "workload/program.h"
#include "workload/random.h"
#include "workload/suffix_tree.h"

#include <string.h>

enum { BLOCK = 256, CHANGED = 64 };

/* As in kernel.cu. */
struct match {
	uint32_t at, length;
};

struct search {
	uint32_t n, queries, length, starts;
	uint64_t tree, text, query, found;
	uint8_t *v_text, *v_query;
	const struct match *v_found;
	const uint32_t *sorted;
};

static void fill(struct search *s, uint32_t seed)
{
	struct host_random r = {seed};

	for (uint32_t i = 0; i < s->n; i++)
		s->v_text[i] = (uint8_t)host_random_below(&r, SUFFIX_LETTERS);
	for (uint64_t q = 0; q < s->queries; q++) {
		uint32_t from = host_random_below(&r, s->n - s->length + 1);

		for (uint32_t i = 0; i < s->length; i++)
			s->v_query[q * s->length + i] = host_random_below(&r, CHANGED)
								? s->v_text[from + i]
								: (uint8_t)host_random_below(&r, SUFFIX_LETTERS);
	}
}

static uint32_t agree(const struct search *s, const uint8_t *letters, uint32_t n, uint32_t at)
{
	uint32_t i = 0;

	while (i < n && at + i < s->n && letters[i] == s->v_text[at + i])
		i++;
	return i;
}

/* Bisection of the sorted suffixes: the longest match is with one of the two between which the letters would be. */
static struct match longest(const struct search *s, const uint8_t *letters, uint32_t n)
{
	struct match best = {0, 0};
	uint32_t low = 0, high = s->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2, at = s->sorted[middle], same = agree(s, letters, n, at);

		/* The suffix is before the letters: it ends within them, or goes on with a lesser one. */
		if (same < n && (at + same == s->n || s->v_text[at + same] < letters[same]))
			low = middle + 1;
		else
			high = middle;
	}
	for (uint32_t k = low ? low - 1 : 0; k <= low && k < s->n; k++) {
		uint32_t same = agree(s, letters, n, s->sorted[k]);

		if (same > best.length)
			best = (struct match){s->sorted[k], same};
	}
	return best;
}

static int check(struct host *h, const struct search *s, struct err *e)
{
	uint64_t n = (uint64_t)s->queries * s->starts;
	struct match *want = host_scratch(h, n, sizeof *want);

	for (uint64_t q = 0; q < s->queries; q++)
		for (uint32_t i = 0; i < s->starts; i++) {
			const uint8_t *letters = s->v_query + q * s->length + i;
			const struct match *got = &s->v_found[q * s->starts + i];
			struct match *m = &want[q * s->starts + i];

			*m = longest(s, letters, s->length - i);
			/* Any position where as many letters match will do. */
			if (got->at < s->n && agree(s, letters, s->length - i, got->at) >= m->length)
				m->at = got->at;
			else if (!m->length)
				m->at = got->at;
		}
	return host_check_u32(h, "match", s->found, (const uint32_t *)want, 2 * n, e);
}

static int allocate(struct host *h, struct search *s, struct err *e)
{
	uint64_t found = (uint64_t)s->queries * s->starts * sizeof(struct match);

	if (!(s->text = host_alloc(h, "text", s->n, e)) ||
	    !(s->query = host_alloc(h, "query", (uint64_t)s->queries * s->length, e)) ||
	    !(s->found = host_alloc(h, "match", found, e)))
		return -1;
	s->v_text = host_bytes(h, s->text, s->n);
	s->v_query = host_bytes(h, s->query, (uint64_t)s->queries * s->length);
	s->v_found = host_bytes(h, s->found, found);
	return 0;
}

static int put_tree(struct host *h, struct search *s, struct err *e)
{
	struct suffix_node *node = host_scratch(h, UINT64_C(2) * s->n, sizeof *node);
	uint64_t nodes;

	s->sorted = suffix_sort(h, s->v_text, s->n);
	nodes = suffix_tree_build(h, s->v_text, s->n, s->sorted, node);
	if (!(s->tree = host_alloc(h, "tree", nodes * sizeof *node, e)))
		return -1;
	memcpy(host_bytes(h, s->tree, nodes * sizeof *node), node, nodes * sizeof *node);
	return 0;
}

static int run(struct host *h, struct err *e)
{
	uint32_t seed, least;
	struct search s;

	if (host_arg_u32(h, "n", 16 << 10, 256 << 10, 5227293, 64, 16 << 20, &s.n, e) ||
	    host_arg_u32(h, "queries", 1000, 50000, 50000, 1, 4 << 20, &s.queries, e) ||
	    host_arg_u32(h, "length", 25, 25, 25, 1, 64, &s.length, e) || host_arg_u32(h, "least", 20, 20, 20, 1, 64, &least, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) || host_args_done(h, e))
		return -1;
	if (least > s.length)
		return err_set(e, "--arg least=%u: a query has length=%u letters", least, s.length);
	s.starts = s.length - least + 1;
	host_describe(h, "mummer %u letters, %u queries", s.n, s.queries);
	if (allocate(h, &s, e))
		return -1;
	fill(&s, seed);
	if (put_tree(h, &s, e) ||
	    host_launch(h, "mummer", (struct host_dim){host_blocks(s.queries, BLOCK), 1, 1}, (struct host_dim){BLOCK, 1, 1}, 0, 7,
			(struct host_arg[]){host_u64(s.tree), host_u64(s.text), host_u64(s.query), host_u64(s.found),
					    host_u32(s.length), host_u32(s.starts), host_u32(s.queries)},
			e))
		return -1;
	return check(h, &s, e);
}

static const struct workload_option options[] = {
	{"n", "letters of the text", "16K / 256K / 5227293"},
	{"queries", "pieces of the text, with changes", "1000 / 50000 / 50000"},
	{"length", "letters of a query", "25"},
	{"least", "letters left from the last start in a query", "20"},
	{"seed", "of text and queries", "1"},
	{0},
};
const struct workload workload_mummer = {
	.name = "mummer",
	.summary = "matches of queries in a suffix tree",
	.suite = "Rodinia",
	.original = "Rodinia mummergpu",
	.grid = "queries/256 x 256",
	.access = "a chase down a suffix tree of 32-byte nodes and over suffix links",
	.differences = "The text is random, and queries are pieces of it with changes. The tree is in plain memory, not in "
		       "textures. The result is where the longest match of each start is, not all its positions.",
	.pattern = "thrashing",
	.sharing = "none",
	.launches = "1",
	.sizes = "16 K / 256 K / 5,227,293 letters",
	.options = options,
	.run = run,
};
