#include "plan/elements.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "trace/walk.h"

static void prepare(const struct plan_element_request *ctas, struct plan_elements by[TAF_ARRAYS])
{
	for (int i = 0; i < TAF_ARRAYS && ctas->n; i++)
		by[i].cta = xcalloc(ctas->n, sizeof *by[i].cta);
}

static void settle(const struct plan_element_request *ctas, struct plan_elements by[TAF_ARRAYS])
{
	for (int i = 0; i < TAF_ARRAYS; i++) {
		taf_footprint_settle(&by[i].all);
		for (uint32_t k = 0; k < ctas->n; k++)
			taf_footprint_settle(&by[i].cta[k]);
	}
}

void plan_elements_free(struct plan_elements by[TAF_ARRAYS], const struct plan_element_request *ctas)
{
	for (int i = 0; i < TAF_ARRAYS; i++) {
		taf_footprint_free(&by[i].all);
		for (uint32_t k = 0; k < ctas->n; k++)
			taf_footprint_free(&by[i].cta[k]);
		free(by[i].cta);
		by[i].cta = NULL;
	}
}

/* ---- from the trace ---- */

struct walk {
	const struct taf *taf;
	struct trace_cta cta;
	struct plan_elements *by;
	uint32_t apart; /* the CTA's number among those kept apart */
	bool is_apart;
	int last; /* the entry that was found last */
};

static bool holds(const struct taf_array *a, uint64_t addr)
{
	return a->valid && addr >= a->base && addr < a->limit;
}

static int entry_of(struct walk *w, uint64_t addr)
{
	if (holds(&w->taf->array[w->last], addr))
		return w->last;
	for (int i = 0; i < TAF_ARRAYS; i++)
		if (holds(&w->taf->array[i], addr))
			return w->last = i; /* the first of its array */
	return -1;
}

static void touch(struct walk *w, uint64_t addr, uint32_t bytes)
{
	int i = entry_of(w, addr);
	const struct taf_array *a = &w->taf->array[i < 0 ? 0 : i];
	uint64_t last;

	if (i < 0)
		return;
	last = (addr + bytes - 1 < a->limit ? addr + bytes - 1 : a->limit - 1) - a->base;
	taf_footprint_add(&w->by[i].all, (uint32_t)((addr - a->base) / a->size), (uint32_t)(last / a->size));
	if (w->is_apart)
		taf_footprint_add(&w->by[i].cta[w->apart], (uint32_t)((addr - a->base) / a->size), (uint32_t)(last / a->size));
}

static void see(void *ctx, const struct trace_access *x)
{
	struct walk *w = ctx;
	uint64_t lane[TRACE_WARP_SIZE];

	if (x->inst->space != SPACE_GLOBAL && x->inst->space != SPACE_TEX)
		return;
	trace_addr_expand(&w->cta, x->addr, x->mask, lane);
	for (uint32_t mask = x->mask; mask; mask &= mask - 1)
		touch(w, lane[__builtin_ctz(mask)], x->inst->width);
}

int plan_elements_real(const struct planner_request *req, const struct plan_element_request *ctas,
		       struct plan_elements by[TAF_ARRAYS], struct err *e)
{
	struct walk w = {.taf = req->taf, .by = by};
	int rc = 0;

	prepare(ctas, by);
	for (uint32_t l = 0; l < trace_n_launches(req->trace) && !rc; l++) {
		const struct trace_launch *launch = trace_launch(req->trace, l);
		bool same = !memcmp(launch->grid, req->taf->grid, sizeof launch->grid);

		for (uint32_t i = 0; i < launch->n_ctas && !rc; i++) {
			rc = trace_read_cta(req->trace, l, i, &w.cta, e);
			w.apart = i - ctas->first;
			w.is_apart = same && w.apart < ctas->n;
			if (!rc)
				trace_walk_cta(trace_kernel(req->trace, launch->kernel), &w.cta, see, &w);
		}
	}
	trace_cta_free(&w.cta);
	settle(ctas, by);
	return rc;
}

/* ---- beforehand ---- */

void plan_elements_estimated(const struct planner_request *req, const struct plan_element_request *ctas,
			     struct plan_elements by[TAF_ARRAYS])
{
	const struct taf *t = req->taf;
	struct taf_footprint f = {0};

	prepare(ctas, by);
	for (int i = 0; i < TAF_ARRAYS; i++) {
		for (uint32_t cta = 0; taf_is_first_entry(t, i) && cta < t->n_ctas; cta++) {
			taf_footprint_of(&f, t, req->extents, t->array[i].base, cta);
			for (uint64_t k = 0; k < f.n; k++) {
				taf_footprint_add(&by[i].all, f.range[k].first, f.range[k].last);
				if (cta - ctas->first < ctas->n)
					taf_footprint_add(&by[i].cta[cta - ctas->first], f.range[k].first, f.range[k].last);
			}
		}
	}
	taf_footprint_free(&f);
	settle(ctas, by);
}
