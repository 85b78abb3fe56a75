#include "plan/homes.h"

#include <string.h>

static const uint16_t *invert(const struct plan_lists *l, uint32_t n_ctas, const uint16_t *home_of_sm, struct arena *a)
{
	uint16_t *of = arena_array(a, n_ctas, sizeof *of);

	for (uint32_t s = 0; s < l->n; s++)
		for (uint32_t i = l->first[s]; i < l->first[s + 1]; i++)
			of[l->cta[i]] = home_of_sm[s];
	return of;
}

void plan_homes_init(struct plan_homes *h, const struct plan *p, const struct plan_ask *ask, struct arena *a)
{
	*h = (struct plan_homes){.plan = p, .of = arena_array(a, p->n_launches, sizeof *h->of)};
	for (uint32_t i = 0; p->launch && i < p->n_launches; i++) {
		const struct plan_launch *l = &p->launch[i];

		if (l->dispatch != DISPATCH_LISTS)
			continue;
		if (i && p->launch[i - 1].lists == l->lists) /* as a rule all launches of a grid share them */
			h->of[i] = h->of[i - 1];
		else
			h->of[i] = invert(l->lists, trace_launch(ask->trace, i)->n_ctas, ask->site->home_of_sm, a);
	}
}

const uint16_t *plan_homes_of_grid(const struct plan *p, const struct plan_ask *ask, const uint32_t grid[3], struct err *e)
{
	struct plan_homes h;
	uint32_t launch = 0, n_ctas;
	uint16_t *home;

	while (launch < p->n_launches && memcmp(trace_launch(ask->trace, launch)->grid, grid, 3 * sizeof *grid) != 0)
		launch++;
	if (launch == p->n_launches) {
		err_set(e, "--plan %s: no launch has the grid of %ux%ux%u CTAs that taf_paramSetup told", p->name, grid[0], grid[1],
			grid[2]);
		return NULL;
	}
	plan_homes_init(&h, p, ask, ask->arena);
	n_ctas = trace_launch(ask->trace, launch)->n_ctas;
	home = arena_array(ask->arena, n_ctas, sizeof *home);
	for (uint32_t i = 0; i < n_ctas; i++) {
		uint32_t at = plan_homes_at(&h, launch, i);

		if (at == PLAN_NO_HOME) {
			err_set(e,
				"--plan %s: leaves CTAs to the run; footprints by module want a planner that gives each to an SM",
				p->name);
			return NULL;
		}
		home[i] = (uint16_t)at;
	}
	return home;
}
