/* The planners of the Locality Descriptor: clusters of CTAs by Algorithm 1, on a machine of several modules zones of
 * CTAs and data by Algorithm 2, what caches keep and prefetch by Figure 11.
 *
 *   ldesc             all of it
 *   ldesc-sched       its CTAs, with pages where another planner or the machine puts them
 *   ldesc-placement   its pages, with CTAs where another planner or the machine puts them
 *   ldesc-cache       pins and bypass as the paper has them alone, which is more than Figure 11's
 *   ldesc-pref        prefetches, likewise
 *
 * Descriptors are the program's, or derived from its PTX (source=static, static_source.h). On a machine of one module
 * data stays where it is.
 *
 * Source: ldesc (Vijaykumar et al.), sections 4.2 to 4.6 and 5.1; docs/studies/ldesc.md.
 */
#include <stdlib.h>

#include "plan/ldesc/ldesc_plan.h"

static void keep_notes(struct plan *p, const struct ldesc_plan *f)
{
	char *text = NULL;
	size_t n;
	FILE *to;

	if (p->notes) /* of the other part */
		return;
	to = open_memstream(&text, &n);
	if (!to)
		abort();
	ldesc_plan_print(f, to);
	fclose(to);
	p->notes = arena_strdup(f->req->arena, text);
	free(text);
}

static void place_ctas(struct plan *p, const struct ldesc_plan *f)
{
	p->launch = arena_array(f->req->arena, p->n_launches, sizeof *p->launch);
	for (uint32_t i = 0; i < p->n_launches; i++)
		if (f->launch[i].lists)
			p->launch[i] = (struct plan_launch){.dispatch = DISPATCH_LISTS, .lists = f->launch[i].lists};
}

static void place_pages(struct plan *p, const struct ldesc_plan *f)
{
	if (!f->is_numa)
		return;
	plan_all_buffers(p, f->req, PLACE_DEFAULT);
	for (uint32_t i = 0; i < p->n_buffers; i++) {
		const struct ldesc_map *m = &f->map[i];
		struct plan_buffer *b = &p->buffer[i];

		if (m->bit == LDESC_UNPLACED)
			continue;
		if (m->bit == LDESC_XOR) {
			b->placement = PLACE_XOR;
			b->found.why = "no map keeps accesses local";
			continue;
		}
		b->found.why = m->bit == LDESC_PAGES ? "whole pages by its descriptor" : "address bits by its descriptor";
		if (m->bit != LDESC_PAGES) {
			b->placement = PLACE_BASE_BIT;
			b->base_bit = m->bit;
			continue;
		}
		b->placement = PLACE_STATIC;
		b->n_pages = m->n_pages;
		b->stack = arena_array(f->req->arena, m->n_pages, sizeof *b->stack);
		for (uint32_t k = 0; k < m->n_pages; k++)
			b->stack[k] = (uint16_t)topology_view_stack(f->req->topology, m->zone[k], k);
	}
}

/* ---- caches ---- */

enum { CHOICE_L2 = 1 /* in cache_options */ };

static const struct planner_option cache_options[] = {
	LDESC_SOURCE_OPTION,
	{"l2", "accesses without reuse bypass only the L1 (keep), or also the L2 (bypass)", {"keep", "bypass"}},
	{0}};

static void use_caching(struct plan *p, const unsigned *choice)
{
	p->locality.caching = true;
	p->locality.bypass_l2 = choice[CHOICE_L2] == 1;
}

/* ---- planners ---- */

static int make(struct plan *p, const struct planner_request *req, const unsigned *choice, struct err *e)
{
	struct ldesc_plan f;

	if (ldesc_plan_find(&f, p, req, choice, e) != 0)
		return -1;
	place_ctas(p, &f);
	place_pages(p, &f);
	ldesc_plan_fill_localities(p, &f, ldesc_choose);
	use_caching(p, choice);
	p->locality.prefetch = true;
	keep_notes(p, &f);
	return 0;
}

static int make_sched(struct plan *p, const struct planner_request *req, const unsigned *choice, struct err *e)
{
	struct ldesc_plan f;

	if (ldesc_plan_find(&f, p, req, choice, e) != 0)
		return -1;
	place_ctas(p, &f);
	keep_notes(p, &f);
	return 0;
}

static int make_placement(struct plan *p, const struct planner_request *req, const unsigned *choice, struct err *e)
{
	struct ldesc_plan f;

	if (ldesc_plan_find(&f, p, req, choice, e) != 0)
		return -1;
	place_pages(p, &f);
	keep_notes(p, &f);
	return 0;
}

static int make_cache(struct plan *p, const struct planner_request *req, const unsigned *choice, struct err *e)
{
	struct ldesc_plan f;

	if (ldesc_plan_find(&f, p, req, choice, e) != 0)
		return -1;
	ldesc_plan_fill_localities(p, &f, ldesc_choose_caching);
	use_caching(p, choice);
	keep_notes(p, &f);
	return 0;
}

static int make_pref(struct plan *p, const struct planner_request *req, const unsigned *choice, struct err *e)
{
	struct ldesc_plan f;

	if (ldesc_plan_find(&f, p, req, choice, e) != 0)
		return -1;
	ldesc_plan_fill_localities(p, &f, ldesc_choose_prefetch);
	p->locality.prefetch = true;
	keep_notes(p, &f);
	return 0;
}

const struct planner planner_ldesc = {
	.name = "ldesc",
	.summary = "CTA clusters, caching, prefetching and, on NUMA machines, page placement by locality descriptors",
	.slots = SLOT_PAGES | SLOT_CTAS | SLOT_CACHE | SLOT_PREFETCH,
	.options = cache_options,
	.analysis = ldesc_wants_analysis,
	.make = make,
};
const struct planner planner_ldesc_sched = {
	.name = "ldesc-sched",
	.summary = "CTAs placed as by ldesc; another planner places the pages",
	.slots = SLOT_CTAS,
	.options = ldesc_options,
	.analysis = ldesc_wants_analysis,
	.make = make_sched,
};
const struct planner planner_ldesc_placement = {
	.name = "ldesc-placement",
	.summary = "pages placed as by ldesc; another planner places the CTAs",
	.slots = SLOT_PAGES,
	.options = ldesc_options,
	.analysis = ldesc_wants_analysis,
	.make = make_placement,
};
const struct planner planner_ldesc_cache = {
	.name = "ldesc-cache",
	.summary = "pins and bypasses by locality descriptors only: soft pins for all data that threads share",
	.slots = SLOT_CACHE,
	.options = cache_options,
	.analysis = ldesc_wants_analysis,
	.make = make_cache,
};
const struct planner planner_ldesc_pref = {
	.name = "ldesc-pref",
	.summary = "prefetches by locality descriptors only: all data with reuse",
	.slots = SLOT_PREFETCH,
	.options = ldesc_options,
	.analysis = ldesc_wants_analysis,
	.make = make_pref,
};
