#include "taf/taf_sparsity.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "taf/taf_walk.h"

struct indices { /* of a CTA */
	uint32_t *at;
	uint64_t n, cap;
};

struct ranges { /* of primary arrays, of a CTA */
	struct taf_range *at;
	uint32_t n, cap;
};

static void add(struct indices *x, uint32_t index)
{
	if (x->n == x->cap) {
		x->cap = x->cap ? 2 * x->cap : 1024;
		x->at = xrealloc(x->at, x->cap * sizeof *x->at);
	}
	x->at[x->n++] = index;
}

/* What the relation makes of the primary array's elements in a range. */
static void add_range(struct indices *x, const struct taf_array *a, const uint8_t *values, uint32_t size, struct taf_range r)
{
	for (uint64_t i = r.first; i <= r.last; i++) {
		uint64_t v = 0;
		uint32_t index;

		memcpy(&v, values + i * size, size);
		index = a->m[0] * (uint32_t)v + a->c;
		if (v <= UINT32_MAX && index < taf_elements(a))
			add(x, index);
	}
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static bool sparsity_of(struct indices *x, double *sparsity)
{
	uint64_t different = 1;

	if (x->n == 0)
		return false;
	qsort(x->at, x->n, sizeof *x->at, by_number);
	for (uint64_t i = 1; i < x->n; i++)
		different += x->at[i] != x->at[i - 1];
	if (different < 2)
		return false;
	*sparsity = 1 - (double)different / (x->at[x->n - 1] - x->at[0]);
	return true;
}

/* The ranges of a CTA's extents in all primary arrays that are this one. */
static void find_ranges(struct ranges *ranges, const struct taf *t, const struct taf_memory *m, uint64_t base, uint32_t cta)
{
	struct taf_walk w;
	struct taf_range r;

	ranges->n = 0;
	for (int i = 0; i < TAF_ARRAYS; i++) {
		if (!t->array[i].valid || t->array[i].base != base)
			continue;
		taf_walk_begin(&w, t, m, &t->array[i], cta);
		while (taf_walk_next(&w, &r)) {
			if (ranges->n == ranges->cap) {
				ranges->cap = ranges->cap ? 2 * ranges->cap : 16;
				ranges->at = xrealloc(ranges->at, ranges->cap * sizeof *ranges->at);
			}
			ranges->at[ranges->n++] = r;
		}
	}
}

static bool are_same(const struct ranges *a, const struct ranges *b)
{
	if (a->n != b->n)
		return false;
	for (uint32_t i = 0; i < a->n; i++)
		if (a->at[i].first != b->at[i].first || a->at[i].last != b->at[i].last)
			return false;
	return true;
}

/* Where a module's CTAs share an extent, a CTA's ranges are the last one's, and as long as the array: what was found of
 * them is kept. */
struct taf_sparsity taf_sparsity_of(const struct taf *t, const struct taf_memory *m, int entry)
{
	const struct taf_array *a = &t->array[entry], *p = &t->array[a->start];
	uint8_t *values = xcalloc(p->limit - p->base, 1);
	struct taf_sparsity s = {0};
	struct indices x = {NULL, 0, 0};
	struct ranges now = {NULL, 0, 0}, last = {NULL, 0, 0};
	double sparsity = 0;
	bool has = false;

	taf_stores_replay(&t->stores, p->base, p->limit, values);
	for (uint32_t cta = 0; cta < t->n_ctas; cta++) {
		find_ranges(&now, t, m, p->base, cta);
		if (cta == 0 || !are_same(&now, &last)) {
			struct ranges swap = last;

			x.n = 0;
			for (uint32_t i = 0; i < now.n; i++)
				add_range(&x, a, values, p->size, now.at[i]);
			has = sparsity_of(&x, &sparsity);
			last = now;
			now = swap;
		}
		s.sum += has ? sparsity : 0;
		s.ctas += has;
	}
	free(now.at);
	free(last.at);
	free(x.at);
	free(values);
	return s;
}
