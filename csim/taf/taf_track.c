#include "taf/taf_track.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "taf/taf_walk.h"

struct extents { /* of one set, ascending and apart */
	unsigned n, max_n;
	struct {
		uint32_t min, max;
	} at[TAF_MAX_EXTENTS + 1];
	bool saturated;
};

/* ---- a value into a set's extents ---- */

static void remove_at(struct extents *x, unsigned i)
{
	memmove(&x->at[i], &x->at[i + 1], (x->n - i - 1) * sizeof x->at[0]);
	x->n--;
}

/* Joins interval i and the one above it. */
static void merge(struct extents *x, unsigned i)
{
	x->at[i].max = x->at[i + 1].max;
	remove_at(x, i + 1);
}

static unsigned closest(const struct extents *x)
{
	unsigned best = 0;

	for (unsigned i = 1; i + 1 < x->n; i++)
		if (x->at[i + 1].min - x->at[i].max < x->at[best + 1].min - x->at[best].max)
			best = i;
	return best;
}

static void insert(struct extents *x, uint32_t v)
{
	unsigned i = 0;

	while (i < x->n && x->at[i].max < v)
		i++;
	if (i < x->n && x->at[i].min <= v)
		return;
	memmove(&x->at[i + 1], &x->at[i], (x->n - i) * sizeof x->at[0]);
	x->at[i].min = x->at[i].max = v;
	x->n++;
	if (i + 1 < x->n && x->at[i + 1].min - v == 1)
		merge(x, i);
	if (i > 0 && v - x->at[i - 1].max == 1)
		merge(x, i - 1);
	if (x->n > x->max_n)
		merge(x, closest(x));
}

/* [min, max] into a set that keeps one extent. */
static void widen(struct extents *x, uint32_t min, uint32_t max)
{
	x->at[0].min = x->n && x->at[0].min < min ? x->at[0].min : min;
	x->at[0].max = x->n && x->at[0].max > max ? x->at[0].max : max;
	x->n = 1;
}

/* ---- the values of a range of elements ---- */

#define LEAST_AND_LARGEST(type)                                                                                                    \
	do {                                                                                                                       \
		const type *v = (const void *)values;                                                                              \
		type low = v[r.first], high = v[r.first];                                                                          \
		for (uint64_t i = r.first; i <= r.last; i++) {                                                                     \
			low = v[i] < low ? v[i] : low;                                                                             \
			high = v[i] > high ? v[i] : high;                                                                          \
		}                                                                                                                  \
		min = low;                                                                                                         \
		max = high;                                                                                                        \
	} while (0)

static void read_for_one(struct extents *x, const uint8_t *values, uint32_t size, struct taf_range r)
{
	uint64_t min, max;

	if (size == 8)
		LEAST_AND_LARGEST(uint64_t);
	else if (size == 4)
		LEAST_AND_LARGEST(uint32_t);
	else if (size == 2)
		LEAST_AND_LARGEST(uint16_t);
	else
		LEAST_AND_LARGEST(uint8_t);
	x->saturated |= max > UINT32_MAX;
	widen(x, (uint32_t)min, (uint32_t)max);
}

static uint64_t value_at(const uint8_t *values, uint32_t size, uint64_t i)
{
	uint64_t v = 0;

	memcpy(&v, values + i * size, size);
	return v;
}

static uint64_t count_saturated(const uint8_t *values, struct taf_range r)
{
	uint64_t n = 0;

	for (uint64_t i = r.first; i <= r.last; i++)
		n += value_at(values, 8, i) > UINT32_MAX;
	return n;
}

static void read_range(struct extents *x, const uint8_t *values, uint32_t size, struct taf_range r, struct taf_track_counts *counts)
{
	counts->reads += (uint64_t)r.last - r.first + 1;
	if (size == 8)
		counts->saturated += count_saturated(values, r);
	if (x->max_n == 1) {
		read_for_one(x, values, size, r);
		return;
	}
	for (uint64_t i = r.first; i <= r.last; i++) {
		uint64_t v = value_at(values, size, i);

		x->saturated |= v > UINT32_MAX;
		insert(x, (uint32_t)v);
	}
}

/* ---- a table ---- */

static void load(const struct taf_memory *m, uint64_t table, uint64_t first, struct extents *x)
{
	x->n = 0;
	x->saturated = false;
	for (unsigned i = 0; i < x->max_n; i++) {
		struct taf_extent one = taf_extent_get(m, table, first + i);

		if (!one.valid)
			break;
		x->at[x->n].min = one.min;
		x->at[x->n++].max = one.max;
	}
}

static void save(struct taf_memory *m, uint64_t table, uint64_t first, struct extents *x)
{
	if (x->saturated) {
		x->n = 1;
		x->at[0].min = 0;
		x->at[0].max = UINT32_MAX;
	}
	for (unsigned i = 0; i < x->max_n; i++)
		taf_extent_put(m, table, first + i,
			       i < x->n ? (struct taf_extent){true, x->at[i].min, x->at[i].max} : (struct taf_extent){0});
}

/* What CTA `cta` reads of the array by any of its entries, into its set's extents. Data-dependent entries are known by
 * the set: its first CTA stands for all. */
static void track_cta(struct taf_memory *m, const struct taf *t, const struct taf_array *p, const uint8_t *values, uint32_t cta,
		      bool first_of_set, struct taf_track_counts *counts)
{
	struct extents x = {.max_n = taf_extents_a_set(t)};
	uint64_t first = (uint64_t)taf_set_of(t, cta) * x.max_n;
	struct taf_range r;
	struct taf_walk w;

	load(m, p->extents, first, &x);
	for (int i = 0; i < TAF_ARRAYS; i++) {
		if (!t->array[i].valid || t->array[i].base != p->base || (t->array[i].type != TAF_TID_DEP && !first_of_set))
			continue;
		taf_walk_begin(&w, t, m, &t->array[i], cta);
		while (taf_walk_next(&w, &r))
			read_range(&x, values, p->size, r, counts);
	}
	save(m, p->extents, first, &x);
}

static void track_array(struct taf_memory *m, const struct taf *t, const struct taf_array *p, struct taf_track_counts *counts)
{
	uint8_t *values = xcalloc(p->limit - p->base, 1);
	bool *seen = xcalloc(t->n_sets, sizeof *seen);

	taf_stores_replay(&t->stores, p->base, p->limit, values);
	for (uint32_t cta = 0; cta < t->n_ctas; cta++) {
		bool *set = &seen[taf_set_of(t, cta)];

		track_cta(m, t, p, values, cta, !*set, counts);
		*set = true;
	}
	free(seen);
	free(values);
}

/* Are the tables there that the array's entries need? done: by entry. */
static bool can_track(const struct taf *t, const struct taf_array *p, const bool done[TAF_ARRAYS])
{
	for (int i = 0; i < TAF_ARRAYS; i++) {
		const struct taf_array *a = &t->array[i];

		if (a->valid && a->base == p->base && a->type != TAF_TID_DEP && !(done[a->start] && done[a->end]))
			return false;
	}
	return true;
}

void taf_track(struct taf_memory *m, const struct taf *t, struct taf_track_counts *counts)
{
	struct taf_track_counts mine = {0};
	bool done[TAF_ARRAYS] = {false};

	taf_memory_init(m, t);
	for (uint64_t c = 0; c < t->n_calls; c++)
		taf_memory_call(m, t, &t->call[c]);
	for (int round = 0; round < TAF_ARRAYS; round++) { /* a round for each level, at least */
		for (int i = 0; i < TAF_ARRAYS; i++) {
			const struct taf_array *p = &t->array[i];

			if (done[i] || !p->valid || !p->primary || !can_track(t, p, done))
				continue;
			track_array(m, t, p, &mine);
			for (int k = 0; k < TAF_ARRAYS; k++)
				done[k] |= t->array[k].valid && t->array[k].base == p->base;
		}
	}
	if (counts)
		*counts = mine;
}
