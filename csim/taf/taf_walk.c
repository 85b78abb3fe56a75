#include "taf/taf_walk.h"

#define INDICES (UINT64_C(1) << 32)

/* ---- counters ---- */

/* Begins a walk at `start`, with a counter for each stride that matters. */
static void begin(struct taf_walk *w, uint32_t start, const uint32_t n[4], const uint32_t stride[4])
{
	w->at = start;
	w->length = 1;
	w->n_counters = 0;
	w->more = true;
	for (int d = 0; d < 4; d++) {
		struct taf_counter c = {n[d], 0, stride[d]};
		unsigned i;

		if (c.n < 2 || !c.stride)
			continue;
		if (c.stride > INT32_MAX) { /* downwards: the same elements from the other end */
			w->at += (c.n - 1) * c.stride;
			c.stride = -c.stride;
		}
		for (i = w->n_counters++; i > 0 && w->counter[i - 1].stride > c.stride; i--)
			w->counter[i] = w->counter[i - 1];
		w->counter[i] = c;
	}
}

/* Joins the counters of the smallest strides into the range, as long as a step leaves no gap. */
static void join(struct taf_walk *w)
{
	unsigned joined = 0;

	while (joined < w->n_counters && w->counter[joined].stride <= w->length && w->length < INDICES) {
		w->length += (uint64_t)(w->counter[joined].n - 1) * w->counter[joined].stride;
		joined++;
	}
	if (w->length > INDICES)
		w->length = INDICES;
	w->n_counters -= joined;
	for (unsigned i = 0; i < w->n_counters; i++)
		w->counter[i] = w->counter[i + joined];
}

static void step(struct taf_walk *w)
{
	for (unsigned i = 0; i < w->n_counters; i++) {
		struct taf_counter *c = &w->counter[i];

		w->at += c->stride;
		if (++c->i < c->n)
			return;
		w->at -= c->n * c->stride;
		c->i = 0;
	}
	w->more = false;
}

/* Cuts [first, behind) to the array; false if nothing is left. */
static bool cut(const struct taf_walk *w, uint64_t first, uint64_t behind, struct taf_range *out)
{
	if (behind > w->elements)
		behind = w->elements;
	*out = (struct taf_range){(uint32_t)first, (uint32_t)behind - 1};
	return first < behind;
}

/* ---- relations ---- */

static void begin_tid(struct taf_walk *w, uint32_t cta)
{
	const struct taf *t = w->taf;
	const struct taf_array *a = w->array;
	uint32_t x = cta % t->grid[0], y = cta / t->grid[0] % t->grid[1], z = cta / t->grid[0] / t->grid[1];

	begin(w, a->c + a->m[3] * x + a->m[4] * y + a->m[5] * z, (uint32_t[4]){t->block[0], t->block[1], t->block[2], a->n},
	      (uint32_t[4]){a->m[0], a->m[1], a->m[2], a->ofs});
	join(w);
}

/* The least and the largest value in a set's extents of a primary array; false: it has none. */
static bool span(const struct taf_walk *w, uint32_t primary, uint32_t set, uint32_t *min, uint32_t *max)
{
	uint64_t k = taf_extents_a_set(w->taf);
	bool any = false;

	for (uint64_t i = set * k; i < (set + 1) * k; i++) {
		struct taf_extent x = taf_extent_get(w->memory, w->taf->array[primary].extents, i);

		if (!x.valid)
			continue;
		*min = any && *min < x.min ? *min : x.min;
		*max = any && *max > x.max ? *max : x.max;
		any = true;
	}
	return any;
}

/* Where the elements of a set end in a compressed array: where those of the next one begin. */
static uint64_t end_in_rows(const struct taf_walk *w, uint32_t set)
{
	uint32_t min, max;

	while (w->taf->in_order && ++set < w->taf->n_sets)
		if (span(w, w->array->end, set, &min, &max))
			return (uint32_t)(min + w->array->c_e);
	return w->elements;
}

static void begin_range(struct taf_walk *w, uint32_t set)
{
	const struct taf_array *a = w->array;
	uint32_t min, max, ignored;
	uint64_t end;

	if (!span(w, a->start, set, &min, &max))
		return;
	if (a->start == a->end)
		end = end_in_rows(w, set);
	else if (span(w, a->end, set, &ignored, &max))
		end = (uint32_t)(max + a->c_e);
	else
		return;
	w->at = min + a->c_s;
	w->length = end > w->at ? end - w->at : 0;
	w->n_counters = 0;
	w->more = w->length > 0;
}

/* The next extent that holds values, as a walk of its own. */
static bool next_extent(struct taf_walk *w)
{
	while (w->extent < w->last_extent) {
		struct taf_extent x = taf_extent_get(w->memory, w->taf->array[w->array->start].extents, w->extent++);
		uint32_t m = w->array->m[0];

		if (!x.valid)
			continue;
		if (x.max - x.min == UINT32_MAX) { /* what a wide value leaves: the whole array */
			begin(w, 0, (uint32_t[4]){UINT32_MAX}, (uint32_t[4]){1});
			w->length++;
		} else {
			begin(w, w->array->c + m * x.min, (uint32_t[4]){x.max - x.min + 1}, (uint32_t[4]){m});
		}
		join(w);
		return true;
	}
	return false;
}

/* ---- */

void taf_walk_begin(struct taf_walk *w, const struct taf *t, const struct taf_memory *memory, const struct taf_array *a,
		    uint32_t cta)
{
	uint32_t set = taf_set_of(t, cta);

	*w = (struct taf_walk){.taf = t, .memory = memory, .array = a, .elements = taf_elements(a)};
	if (!a->ready)
		return;
	if (a->type == TAF_TID_DEP) {
		begin_tid(w, cta);
	} else if (a->type == TAF_INDIR_RANGE) {
		begin_range(w, set);
	} else {
		w->extent = (uint64_t)set * taf_extents_a_set(t);
		w->last_extent = w->extent + taf_extents_a_set(t);
	}
}

bool taf_walk_next(struct taf_walk *w, struct taf_range *out)
{
	uint64_t first, behind;
	bool low, high;

	if (w->has_rest) {
		w->has_rest = false;
		*out = w->rest;
		return true;
	}
	while (w->more || next_extent(w)) {
		first = w->at;
		behind = first + w->length;
		step(w);
		high = cut(w, first, behind, out);
		low = behind > INDICES && cut(w, 0, behind - INDICES, &w->rest);
		if (high) {
			w->has_rest = low;
			return true;
		}
		if (low) {
			*out = w->rest;
			return true;
		}
	}
	return false;
}
