#include "locality/locality.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* The sets that each CTA is in. */
struct memberships {
	uint64_t *first; /* n_ctas + 1 */
	uint32_t *set;
};

static void memberships_of(struct memberships *p, const struct locality_readers *r)
{
	uint64_t n = r->first[r->n_sets], *next = xcalloc(r->n_ctas + (size_t)2, sizeof *next);

	p->set = xmalloc((n + 1) * sizeof *p->set);
	for (uint64_t i = 0; i < n; i++)
		next[r->cta[i] + 2]++;
	for (uint32_t i = 0; i < r->n_ctas; i++)
		next[i + 2] += next[i + 1];
	for (uint32_t s = 0; s < r->n_sets; s++)
		for (uint64_t i = r->first[s]; i < r->first[s + 1]; i++)
			p->set[next[r->cta[i] + 1]++] = s;
	p->first = next;
}

static void memberships_free(struct memberships *p)
{
	free(p->first);
	free(p->set);
}

/* ---- edges ---- */

/* A row in the making: sums by CTA, and which are not zero. */
struct row {
	uint64_t *sum, *bits;
	uint32_t least, most; /* words of bits that may be set */
};

static void row_add(struct row *r, uint32_t cta, uint64_t weight)
{
	r->sum[cta] += weight;
	r->bits[cta / 64] |= 1ull << cta % 64;
	r->least = cta / 64 < r->least ? cta / 64 : r->least;
	r->most = cta / 64 > r->most ? cta / 64 : r->most;
}

static void add_neighbours(struct row *row, const struct locality_readers *r, uint32_t set, uint32_t cta)
{
	const uint32_t *member = r->cta + r->first[set];
	uint64_t below = 0, above = r->first[set + 1] - r->first[set] - 1, last = above;

	while (below < above) {
		uint64_t middle = (below + above) / 2;

		if (member[middle] < cta)
			below = middle + 1;
		else
			above = middle;
	}
	if (below)
		row_add(row, member[below - 1], r->weight[set]);
	if (below < last)
		row_add(row, member[below + 1], r->weight[set]);
}

static void add_sets(struct row *row, const struct locality_readers *r, const struct memberships *p, uint32_t cta, uint32_t cap)
{
	for (uint64_t i = p->first[cta]; i < p->first[cta + 1]; i++) {
		uint32_t s = p->set[i];

		if (r->first[s + 1] - r->first[s] > cap) {
			add_neighbours(row, r, s, cta);
			continue;
		}
		for (uint64_t m = r->first[s]; m < r->first[s + 1]; m++)
			if (r->cta[m] != cta)
				row_add(row, r->cta[m], r->weight[s]);
	}
}

/* Empties the row. to NULL: only counts; else the row's edges go to to[] and weight[]. */
static uint64_t take_row(struct row *row, uint32_t *to, uint32_t *weight)
{
	uint64_t n = 0;

	for (uint32_t w = row->least; w <= row->most && w != UINT32_MAX; w++) {
		for (; row->bits[w]; row->bits[w] &= row->bits[w] - 1, n++) {
			uint32_t cta = w * 64 + (uint32_t)__builtin_ctzll(row->bits[w]);

			if (to) {
				to[n] = cta;
				weight[n] = row->sum[cta] < INT32_MAX ? (uint32_t)row->sum[cta] : INT32_MAX;
			}
			row->sum[cta] = 0;
		}
	}
	row->least = UINT32_MAX;
	row->most = 0;
	return n;
}

static struct row row_new(uint32_t n_ctas)
{
	return (struct row){.sum = xcalloc(n_ctas + (size_t)1, sizeof(uint64_t)),
			    .bits = xcalloc(n_ctas / 64 + 1, sizeof(uint64_t)),
			    .least = UINT32_MAX};
}

static void row_free(struct row *row)
{
	free(row->sum);
	free(row->bits);
}

/* Sets g->first. False if there are too many edges. */
static bool count_edges(struct locality_graph *g, const struct locality_readers *r, const struct memberships *p)
{
	struct row row = row_new(r->n_ctas);
	bool fits = true;

	for (uint32_t i = 0; i < r->n_ctas && fits; i++) {
		add_sets(&row, r, p, i, g->cap);
		g->first[i + 1] = g->first[i] + take_row(&row, NULL, NULL);
		fits = g->first[i + 1] <= LOCALITY_EDGES || g->cap == 1; /* with chains alone it is as small as it
									  * gets */
	}
	row_free(&row);
	return fits;
}

static void put_edges(struct locality_graph *g, const struct locality_readers *r, const struct memberships *p)
{
	struct row row = row_new(r->n_ctas);

	for (uint32_t i = 0; i < r->n_ctas; i++) {
		add_sets(&row, r, p, i, g->cap);
		take_row(&row, g->to + g->first[i], g->weight + g->first[i]);
	}
	row_free(&row);
}

void locality_graph_of(struct locality_graph *g, const struct locality_readers *r, uint32_t cap, struct arena *a)
{
	struct memberships p;

	*g = (struct locality_graph){.n = r->n_ctas, .cap = cap ? cap : LOCALITY_CAP};
	g->first = arena_array(a, r->n_ctas + (size_t)1, sizeof *g->first);
	memberships_of(&p, r);
	while (!count_edges(g, r, &p))
		g->cap /= 2;
	g->to = arena_array(a, g->first[g->n] + 1, sizeof *g->to);
	g->weight = arena_array(a, g->first[g->n] + 1, sizeof *g->weight);
	put_edges(g, r, &p);
	memberships_free(&p);
}

int locality_graph_make(struct locality_graph *g, const struct locality_source *from, uint32_t launch,
			const struct locality_options *o, struct arena *a, struct err *e)
{
	struct locality_readers r;

	if ((o->from_trace ? locality_readers_trace : locality_readers_static)(&r, from, launch, o->lines, e) != 0)
		return -1;
	locality_graph_of(g, &r, o->cap, a);
	locality_readers_free(&r);
	return 0;
}

/* ---- score ---- */

/* Which CTAs share with one CTA: a bit each. Sets of very many CTAs have theirs ready. */
struct score_row {
	uint64_t *bits, n_words;
	uint64_t **of_set; /* by set; NULL: its members are set one by one */
};

/* From this size on the bits take no more memory than the list of the members. */
static bool is_wide(const struct locality_readers *r, uint32_t set)
{
	return r->first[set + 1] - r->first[set] > 64 && r->first[set + 1] - r->first[set] >= r->n_ctas / 32;
}

static void set_members(uint64_t *bits, const struct locality_readers *r, uint32_t set)
{
	for (uint64_t m = r->first[set]; m < r->first[set + 1]; m++)
		bits[r->cta[m] / 64] |= 1ull << r->cta[m] % 64;
}

static uint64_t count(const uint64_t *bits, uint64_t n_words)
{
	uint64_t n = 0;

	for (uint64_t w = 0; w < n_words; w++)
		n += (uint64_t)__builtin_popcountll(bits[w]);
	return n;
}

/* CTAs that share with `cta`, without itself. */
static uint64_t partners(struct score_row *row, const struct locality_readers *r, const struct memberships *p, uint32_t cta)
{
	uint64_t n;

	memset(row->bits, 0, row->n_words * sizeof *row->bits);
	for (uint64_t i = p->first[cta]; i < p->first[cta + 1]; i++) {
		uint32_t s = p->set[i];

		if (r->first[s + 1] - r->first[s] == r->n_ctas)
			return r->n_ctas - 1;
		if (!row->of_set[s]) {
			set_members(row->bits, r, s);
			continue;
		}
		for (uint64_t w = 0; w < row->n_words; w++)
			row->bits[w] |= row->of_set[s][w];
	}
	n = count(row->bits, row->n_words);
	return n ? n - 1 : 0;
}

static void count_pairs(struct locality_score *s, const struct locality_readers *r)
{
	uint64_t n_words = r->n_ctas / 64 + 1;
	struct score_row row = {.n_words = n_words,
				.bits = xcalloc(n_words, sizeof *row.bits),
				.of_set = xcalloc(r->n_sets + (size_t)1, sizeof *row.of_set)};
	struct arena wide = {0};
	struct memberships p;

	for (uint32_t i = 0; i < r->n_sets; i++) {
		if (is_wide(r, i)) {
			row.of_set[i] = arena_array(&wide, n_words, sizeof *row.bits);
			set_members(row.of_set[i], r, i);
		}
	}
	memberships_of(&p, r);
	for (uint32_t i = 0; i < r->n_ctas; i++) {
		uint64_t n = partners(&row, r, &p, i);

		s->pairs += n;
		s->sharing += n != 0;
	}
	memberships_free(&p);
	arena_free(&wide);
	free(row.bits);
	free(row.of_set);
}

void locality_score(struct locality_score *s, const struct locality_readers *r)
{
	double n = r->n_ctas;

	*s = (struct locality_score){.ctas = r->n_ctas, .elements = r->alone, .references = r->alone};
	for (uint32_t i = 0; i < r->n_sets; i++) {
		s->shared_elements += r->weight[i];
		s->shared_references += r->weight[i] * (r->first[i + 1] - r->first[i]);
	}
	s->elements += s->shared_elements;
	s->references += s->shared_references;
	count_pairs(s, r);
	s->sp_score = n > 0 ? 1 - (double)s->pairs / (n * n) : 1;
}
