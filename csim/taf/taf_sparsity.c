#include "taf/taf_sparsity.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "taf/taf_walk.h"

struct indices { /* of a CTA */
	uint32_t *at;
	uint64_t n, cap;
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

static void add_sparsity(struct taf_sparsity *s, struct indices *x)
{
	uint64_t different = 1;

	if (x->n == 0)
		return;
	qsort(x->at, x->n, sizeof *x->at, by_number);
	for (uint64_t i = 1; i < x->n; i++)
		different += x->at[i] != x->at[i - 1];
	if (different < 2)
		return;
	s->sum += 1 - (double)different / (x->at[x->n - 1] - x->at[0]);
	s->ctas++;
}

struct taf_sparsity taf_sparsity_of(const struct taf *t, const struct taf_memory *m, int entry)
{
	const struct taf_array *a = &t->array[entry], *p = &t->array[a->start];
	uint8_t *values = xcalloc(p->limit - p->base, 1);
	struct taf_sparsity s = {0};
	struct indices x = {NULL, 0, 0};
	struct taf_range r;
	struct taf_walk w;

	taf_stores_replay(&t->stores, p->base, p->limit, values);
	for (uint32_t cta = 0; cta < t->n_ctas; cta++) {
		x.n = 0;
		for (int i = 0; i < TAF_ARRAYS; i++) {
			if (!t->array[i].valid || t->array[i].base != p->base)
				continue;
			taf_walk_begin(&w, t, m, &t->array[i], cta);
			while (taf_walk_next(&w, &r))
				add_range(&x, a, values, p->size, r);
		}
		add_sparsity(&s, &x);
	}
	free(x.at);
	free(values);
	return s;
}
