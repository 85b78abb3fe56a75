#include "taf/taf_invert.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "taf/taf_walk.h"

struct ranges {
	struct taf_range *at;
	uint64_t n, cap;
};

/* ---- neighbours ---- */

struct dimension {
	uint64_t step, n; /* |m|, threads */
};

static int by_step(const void *a, const void *b)
{
	const struct dimension *x = a, *y = b;

	return x->step < y->step ? -1 : x->step > y->step;
}

/* As the dimensions are added, smallest step first, each step must not leave a gap behind what is there. */
static bool threads_are_neighbours(const struct taf *t, const struct taf_array *a)
{
	struct dimension d[3];
	uint64_t length = 1;

	for (int i = 0; i < 3; i++)
		d[i] = (struct dimension){a->m[i] > INT32_MAX ? UINT64_C(0x100000000) - a->m[i] : a->m[i], t->block[i]};
	qsort(d, 3, sizeof d[0], by_step);
	for (int i = 0; i < 3; i++) {
		if (d[i].step > length && d[i].n > 1)
			return false;
		length += d[i].step * (d[i].n - 1);
	}
	return true;
}

/* ---- ranges apart ---- */

static void put(struct ranges *r, struct taf_range one)
{
	if (r->n == r->cap) {
		r->cap = r->cap ? 2 * r->cap : 1024;
		r->at = xrealloc(r->at, r->cap * sizeof *r->at);
	}
	r->at[r->n++] = one;
}

static int by_first(const void *a, const void *b)
{
	const struct taf_range *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

static void sort(struct ranges *r, uint64_t from)
{
	qsort(r->at + from, r->n - from, sizeof *r->at, by_first);
}

/* The ranges of one CTA, from r->at[from] on, may overlap: they become as few as possible. */
static void join(struct ranges *r, uint64_t from)
{
	uint64_t n = from;

	sort(r, from);
	for (uint64_t i = from; i < r->n; i++) {
		if (n > from && r->at[i].first <= r->at[n - 1].last)
			r->at[n - 1].last = r->at[i].last > r->at[n - 1].last ? r->at[i].last : r->at[n - 1].last;
		else
			r->at[n++] = r->at[i];
	}
	r->n = n;
}

static bool are_apart(struct ranges *r)
{
	if (r->n == 0)
		return true;
	sort(r, 0);
	for (uint64_t i = 1; i < r->n; i++)
		if (r->at[i].first <= r->at[i - 1].last)
			return false;
	return true;
}

bool taf_invertible(const struct taf *t, const struct taf_memory *memory, uint32_t entry)
{
	const struct taf_array *a = &t->array[entry];
	struct ranges all = {0};
	bool apart;

	if (a->type == TAF_TID_DEP && !threads_are_neighbours(t, a))
		return false;
	for (uint32_t cta = 0; cta < t->n_ctas; cta++) {
		uint64_t from = all.n;
		struct taf_range one;
		struct taf_walk w;

		taf_walk_begin(&w, t, memory, a, cta);
		while (taf_walk_next(&w, &one))
			put(&all, one);
		if (all.n > from)
			join(&all, from);
	}
	apart = are_apart(&all);
	free(all.at);
	return apart;
}
