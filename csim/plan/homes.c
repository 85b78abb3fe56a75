#include "plan/homes.h"

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
