/* TAFE's planners: CTAs in the order in which they go through memory, and pages beside those who will read them.
 *
 * What a program says of its arrays (taf_register) and what a tracker found in them (extents) determine which pages
 * each CTA reads before it runs (taf/footprint.h). CTAs are put in row, column or depth order and split evenly over the
 * SMs; a page with one module as user goes there, one with several to the module nearest to all of them. Pages of
 * arrays that are not registered, and those that nobody reads, go round the stacks.
 *
 *   tafe        all of it
 *   tafe-tid    as if extents were not known: data-dependent arrays count as read by all modules
 *   tafe-pages  pages only, with CTAs where another planner puts them
 *
 * Source: tafe (Punniyamurthy and Gerstlauer), sections 5 and 6.3; docs/studies/tafe.md.
 */
#include "plan/tafe.h"

static const struct planner_option options[] = {
	{"extents", "extents per CTA in each table", {"1", "2", "4", "8", NULL}},
	{"per",
	 "granularity of extents: one per CTA, per group of neighbouring CTAs, or per module",
	 {"cta", "2", "4", "8", "16", "module", NULL}},
	{"shared", "pages with several users go to the nearest module, or to their users in turn", {"nearest", "turn", NULL}},
	{0},
};
enum { PER_MODULE = 5 };

static void want(const unsigned *choice, struct planner_needs *w)
{
	w->extents = 1u << choice[0];
	w->extents_by_module = choice[1] == PER_MODULE;
	w->group = w->extents_by_module ? 0 : 1u << choice[1];
}

static void want_no_extents(const unsigned *choice, struct planner_needs *w)
{
	(void)choice;
	w->extents = w->group = 1;
}

static int check(const struct plan *p, const struct planner_request *req, struct err *e)
{
	if (req->taf && req->taf->n_ctas)
		return 0;
	return err_set(e, "--plan %s: %s makes no TAFE calls (taf_register); nor does a recorded or imported trace", p->name,
		       trace_name(req->trace));
}

/* Modules of the CTAs of TAFE's grid. */
static const uint16_t *modules_in_order(const struct planner_request *req, const struct tafe_order *o)
{
	const struct taf *t = req->taf;
	uint16_t *module = arena_array(req->arena, t->n_ctas, sizeof *module);

	for (uint32_t i = 0; i < t->n_ctas; i++)
		module[tafe_order_cta(o, t->grid, i)] =
			req->topology->module_of_sm[tafe_order_sm(i, t->n_ctas, req->topology->n_sms)];
	return module;
}

/* by_module: extents are kept for modules, which wants CTAs in an order that is known beforehand (section 5.1). */
static int place_both(struct plan *p, const struct planner_request *req, bool by_module, struct tafe_pages how, struct err *e)
{
	struct tafe_order o = {{0, 1, 2}};
	const uint16_t *map;
	struct plan_module_maps modules = {1, &map};

	if (check(p, req, e) != 0)
		return -1;
	if (!by_module)
		o = tafe_order_of(req->taf);
	tafe_place_ctas(p, req, &o);
	map = modules_in_order(req, &o);
	how.modules = &modules;
	return tafe_place_pages(p, req, &how, e);
}

static int make(struct plan *p, const struct planner_request *req, const unsigned *choice, struct err *e)
{
	return place_both(p, req, choice[1] == PER_MODULE, (struct tafe_pages){.shared = (enum tafe_shared)choice[2]}, e);
}

static int make_tid(struct plan *p, const struct planner_request *req, const unsigned *choice, struct err *e)
{
	return place_both(p, req, false, (struct tafe_pages){.shared = (enum tafe_shared)choice[0], .only_tid = true}, e);
}

static int make_pages(struct plan *p, const struct planner_request *req, const unsigned *choice, struct err *e)
{
	struct plan_module_maps modules;
	struct tafe_pages how = {.shared = (enum tafe_shared)choice[2], .modules = &modules};

	if (check(p, req, e) != 0 || plan_modules_of_grid(&modules, p, req, req->taf->grid, e) != 0)
		return -1;
	return tafe_place_pages(p, req, &how, e);
}

const struct planner planner_tafe = {
	.name = "tafe",
	.summary = "CTAs in the order of their addresses, pages in the modules of the CTAs that read them (TAFE)",
	.slots = SLOT_PAGES | SLOT_CTAS,
	.options = options,
	.taf = want,
	.make = make,
};
const struct planner planner_tafe_tid = {
	.name = "tafe-tid",
	.summary = "tafe, assuming that all modules read data-dependent arrays (TAFE-TID)",
	.slots = SLOT_PAGES | SLOT_CTAS,
	.options = options + 2,
	.taf = want_no_extents,
	.make = make_tid,
};
const struct planner planner_tafe_pages = {
	.name = "tafe-pages",
	.summary = "pages placed as by tafe; another planner places the CTAs",
	.slots = SLOT_PAGES,
	.options = options,
	.taf = want,
	.make = make_pages,
};
