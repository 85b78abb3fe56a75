#include "plan/cta_modules.h"

#include <string.h>

/* List i belongs to SM i mod n; a launch with lists for SMs has as many as there are. */
static const uint16_t *invert(const struct plan_lists *l, uint32_t n_ctas, const struct topology_view *s, struct arena *a)
{
	uint16_t *of = arena_array(a, n_ctas, sizeof *of);

	for (uint32_t k = 0; k < l->n; k++)
		for (uint32_t i = l->first[k]; i < l->first[k + 1]; i++)
			of[l->cta[i]] = s->module_of_sm[k % s->n_sms];
	return of;
}

void plan_modules_init(struct plan_modules *h, const struct plan *p, const struct planner_request *req, struct arena *a)
{
	*h = (struct plan_modules){.plan = p, .of = arena_array(a, p->n_launches, sizeof *h->of)};
	for (uint32_t i = 0; p->launch && i < p->n_launches; i++) {
		const struct plan_launch *l = &p->launch[i];

		if (l->dispatch != DISPATCH_LISTS && l->dispatch != DISPATCH_GROUPS)
			continue;
		if (i && p->launch[i - 1].lists == l->lists) /* as a rule all launches of a grid share them */
			h->of[i] = h->of[i - 1];
		else
			h->of[i] = invert(l->lists, trace_launch(req->trace, i)->n_ctas, req->topology, a);
	}
}

static bool same_grid(const struct trace_launch *l, const uint32_t grid[3])
{
	return !memcmp(l->grid, grid, sizeof l->grid);
}

/* The modules of a launch's CTAs; NULL if the run decides one. */
static uint16_t *map_of(const struct plan_modules *h, uint32_t launch, uint32_t n_ctas, struct arena *a)
{
	uint16_t *module = arena_array(a, n_ctas, sizeof *module);

	for (uint32_t i = 0; i < n_ctas; i++) {
		uint32_t at = plan_modules_at(h, launch, i);

		if (at == PLAN_NO_MODULE)
			return NULL;
		module[i] = (uint16_t)at;
	}
	return module;
}

static void add_map(struct plan_module_maps *maps, const uint16_t *map, uint32_t n_ctas)
{
	for (uint32_t i = maps->n; i-- > 0;)
		if (!memcmp(maps->of[i], map, n_ctas * sizeof *map))
			return;
	maps->of[maps->n++] = map;
}

/* A launch repeats the one before it, or the one before that, as a rule with the very same lists. */
static bool repeats(const struct plan *p, uint32_t launch, uint32_t before)
{
	return before <= launch && p->launch[launch].lists && p->launch[launch].lists == p->launch[launch - before].lists;
}

int plan_modules_of_grid(struct plan_module_maps *maps, const struct plan *p, const struct planner_request *req,
			 const uint32_t grid[3], struct err *e)
{
	struct plan_modules h;

	*maps = (struct plan_module_maps){.of = arena_array(req->arena, p->n_launches, sizeof *maps->of)};
	plan_modules_init(&h, p, req, req->arena);
	for (uint32_t i = 0; i < p->n_launches; i++) {
		const struct trace_launch *l = trace_launch(req->trace, i);
		const uint16_t *map;

		if (!same_grid(l, grid) || (p->launch && (repeats(p, i, 1) || repeats(p, i, 2))))
			continue;
		map = map_of(&h, i, l->n_ctas, req->arena);
		if (!map)
			return err_set(e, "--plan %s: does not assign CTAs to SMs; footprints by module need a planner that does",
				       p->name);
		add_map(maps, map, l->n_ctas);
	}
	if (!maps->n)
		return err_set(e, "--plan %s: no launch has the grid of %ux%ux%u CTAs that taf_paramSetup stated", p->name, grid[0],
			       grid[1], grid[2]);
	return 0;
}
