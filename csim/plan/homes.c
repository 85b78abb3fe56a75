#include "plan/homes.h"

#include <string.h>

/* List i belongs to SM i mod n; a launch with lists for SMs has as many as there are. */
static const uint16_t *invert(const struct plan_lists *l, uint32_t n_ctas, const struct plan_site *s, struct arena *a)
{
	uint16_t *of = arena_array(a, n_ctas, sizeof *of);

	for (uint32_t k = 0; k < l->n; k++)
		for (uint32_t i = l->first[k]; i < l->first[k + 1]; i++)
			of[l->cta[i]] = s->home_of_sm[k % s->n_sms];
	return of;
}

void plan_homes_init(struct plan_homes *h, const struct plan *p, const struct plan_ask *ask, struct arena *a)
{
	*h = (struct plan_homes){.plan = p, .of = arena_array(a, p->n_launches, sizeof *h->of)};
	for (uint32_t i = 0; p->launch && i < p->n_launches; i++) {
		const struct plan_launch *l = &p->launch[i];

		if (l->dispatch != DISPATCH_LISTS && l->dispatch != DISPATCH_GROUPS)
			continue;
		if (i && p->launch[i - 1].lists == l->lists) /* as a rule all launches of a grid share them */
			h->of[i] = h->of[i - 1];
		else
			h->of[i] = invert(l->lists, trace_launch(ask->trace, i)->n_ctas, ask->site, a);
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
