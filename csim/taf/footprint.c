#include "taf/footprint.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void taf_footprint_free(struct taf_footprint *f)
{
	free(f->range);
	*f = (struct taf_footprint){0};
}

void taf_footprint_clear(struct taf_footprint *f)
{
	f->n = 0;
}

/* Memory follows the result, not the ranges that are added: it grows where settling leaves it half full. */
static void make_room(struct taf_footprint *f)
{
	taf_footprint_settle(f);
	if (f->n < f->cap / 2)
		return;
	f->cap = f->cap ? 2 * f->cap : 64;
	f->range = xrealloc(f->range, f->cap * sizeof *f->range);
}

void taf_footprint_add(struct taf_footprint *f, uint32_t first, uint32_t last)
{
	if (f->n && f->range[f->n - 1].last + UINT64_C(1) == first) { /* as a rule they ascend */
		f->range[f->n - 1].last = last;
		return;
	}
	if (f->n == f->cap)
		make_room(f);
	f->range[f->n++] = (struct taf_range){first, last};
}

static int by_first(const void *x, const void *y)
{
	const struct taf_range *a = x, *b = y;

	return a->first < b->first ? -1 : a->first > b->first;
}

void taf_footprint_settle(struct taf_footprint *f)
{
	uint64_t n = 0;

	for (uint64_t i = 1; i < f->n; i++) {
		if (f->range[i].first < f->range[i - 1].first) {
			qsort(f->range, f->n, sizeof *f->range, by_first);
			break;
		}
	}
	for (uint64_t i = 0; i < f->n; i++) {
		if (n && f->range[i].first <= f->range[n - 1].last + UINT64_C(1)) {
			if (f->range[n - 1].last < f->range[i].last)
				f->range[n - 1].last = f->range[i].last;
		} else {
			f->range[n++] = f->range[i];
		}
	}
	f->n = n;
}

void taf_footprint_of(struct taf_footprint *f, const struct taf *t, const struct taf_memory *m, uint64_t base, uint32_t cta)
{
	struct taf_walk w;
	struct taf_range r;

	f->n = 0;
	for (int i = 0; i < TAF_ARRAYS; i++) {
		if (!t->array[i].valid || t->array[i].base != base)
			continue;
		taf_walk_begin(&w, t, m, &t->array[i], cta);
		while (taf_walk_next(&w, &r))
			taf_footprint_add(f, r.first, r.last);
	}
	taf_footprint_settle(f);
}

uint64_t taf_footprint_elements(const struct taf_footprint *f)
{
	uint64_t n = 0;

	for (uint64_t i = 0; i < f->n; i++)
		n += f->range[i].last - f->range[i].first + UINT64_C(1);
	return n;
}

bool taf_footprint_has(const struct taf_footprint *f, uint32_t index)
{
	uint64_t low = 0, high = f->n;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (f->range[middle].last < index)
			low = middle + 1;
		else
			high = middle;
	}
	return low < f->n && f->range[low].first <= index;
}

uint64_t taf_footprint_common(const struct taf_footprint *a, const struct taf_footprint *b)
{
	uint64_t common = 0;

	for (uint64_t i = 0, k = 0; i < a->n && k < b->n;) {
		uint32_t first = a->range[i].first > b->range[k].first ? a->range[i].first : b->range[k].first;
		uint32_t last = a->range[i].last < b->range[k].last ? a->range[i].last : b->range[k].last;

		common += first <= last ? last - first + UINT64_C(1) : 0;
		if (a->range[i].last < b->range[k].last)
			i++;
		else
			k++;
	}
	return common;
}

const struct taf_array *taf_array_at(const struct taf *t, uint64_t address)
{
	for (int i = 0; i < TAF_ARRAYS; i++)
		if (t->array[i].valid && address >= t->array[i].base && address < t->array[i].limit)
			return &t->array[i];
	return NULL;
}

bool taf_is_first_entry(const struct taf *t, int i)
{
	for (int k = 0; k < i; k++)
		if (t->array[k].valid && t->array[k].base == t->array[i].base)
			return false;
	return t->array[i].valid;
}

/* ---- who reads ---- */

static bool reads(const struct taf *t, const struct taf_memory *m, const struct taf_array *a, uint32_t cta, uint64_t first,
		  uint64_t last)
{
	struct taf_walk w;
	struct taf_range r;

	taf_walk_begin(&w, t, m, a, cta);
	while (taf_walk_next(&w, &r))
		if (r.first <= last && r.last >= first)
			return true;
	return false;
}

static bool reads_bytes(const struct taf *t, const struct taf_memory *m, uint32_t cta, uint64_t from, uint64_t to)
{
	for (int i = 0; i < TAF_ARRAYS; i++) {
		const struct taf_array *a = &t->array[i];
		uint64_t first = from > a->base ? from - a->base : 0, last = (to < a->limit ? to : a->limit) - a->base - 1;

		if (a->valid && from < a->limit && to > a->base && reads(t, m, a, cta, first / a->size, last / a->size))
			return true;
	}
	return false;
}

void taf_readers(const struct taf *t, const struct taf_memory *m, uint64_t from, uint64_t to, taf_visit *visit, void *ctx)
{
	for (uint32_t cta = 0; from < to && cta < t->n_ctas; cta++)
		if (reads_bytes(t, m, cta, from, to))
			visit(ctx, cta);
}

/* ---- pages ---- */

enum { UNITS = 64 };

struct pages { /* of one array */
	const struct taf_array *array;
	uint32_t page;
	uint64_t n;
	int32_t *step; /* by page: how many more ranges of the unit cover it than cover the one before; n + 1 */
};

static void cover(struct pages *p, const struct taf_range *r)
{
	uint64_t base = p->array->base, before = base / p->page;

	p->step[(base + (uint64_t)r->first * p->array->size) / p->page - before]++;
	p->step[(base + (uint64_t)r->last * p->array->size) / p->page - before + 1]--;
}

/* Adds the unit to the users of the pages that are covered, and clears the steps. */
static void take(struct pages *p, uint64_t unit, uint64_t *users)
{
	int32_t depth = 0;

	for (uint64_t i = 0; i < p->n; i++) {
		depth += p->step[i];
		users[i] |= depth ? UINT64_C(1) << unit : 0;
	}
	memset(p->step, 0, (p->n + 1) * sizeof *p->step);
}

/* CTAs in the order of their units, those of unit u from first[u] on. */
static void by_unit(uint32_t n, const uint16_t *unit, uint32_t first[UNITS + 1], uint32_t *cta)
{
	uint32_t at[UNITS];

	memset(first, 0, (UNITS + 1) * sizeof *first);
	for (uint32_t i = 0; i < n; i++)
		first[unit[i] + 1]++;
	for (uint32_t u = 0; u < UNITS; u++) {
		first[u + 1] += first[u];
		at[u] = first[u];
	}
	for (uint32_t i = 0; i < n; i++)
		cta[at[unit[i]]++] = i;
}

void taf_page_users(const struct taf *t, const struct taf_memory *m, uint64_t base, uint32_t page, const uint16_t *unit,
		    uint64_t *users)
{
	uint32_t first[UNITS + 1], *cta = xmalloc(t->n_ctas * sizeof *cta);
	struct pages p = {.page = page};
	struct taf_walk w;
	struct taf_range r;

	by_unit(t->n_ctas, unit, first, cta);
	for (int i = 0; i < TAF_ARRAYS; i++) {
		const struct taf_array *a = &t->array[i];
		bool by_set = a->type != TAF_TID_DEP;

		if (!a->valid || a->base != base)
			continue;
		p.array = a;
		p.n = (a->limit - 1) / page - base / page + 1;
		p.step = p.step ? p.step : xcalloc(p.n + 1, sizeof *p.step);
		for (uint32_t u = 0; u < UNITS; u++) {
			for (uint32_t k = first[u]; k < first[u + 1]; k++) {
				if (by_set && k > first[u] && taf_set_of(t, cta[k]) == taf_set_of(t, cta[k - 1]))
					continue;
				taf_walk_begin(&w, t, m, a, cta[k]);
				while (taf_walk_next(&w, &r))
					cover(&p, &r);
			}
			if (first[u] < first[u + 1])
				take(&p, u, users);
		}
	}
	free(p.step);
	free(cta);
}
