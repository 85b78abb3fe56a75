/* Affinity: a CTA runs only on SMs of the module that the plan has for it (CODA, Equation 1). A module without CTAs
 * left stays idle; there is no stealing. */
#include <string.h>

#include "dispatch/policy.h"

struct affinity {
	uint32_t *issued; /* CTAs of the launch that it got, by module */
};

static int init(void **state, struct arena *a, const struct dispatch *d, const struct dispatch_program *p,
		const struct dispatch_hardware *hw, struct err *e)
{
	struct affinity *s = arena_alloc(a, sizeof *s);

	(void)p, (void)hw, (void)e;
	s->issued = arena_array(a, d->plan->n_modules, sizeof *s->issued);
	*state = s;
	return 0;
}

static void launch(void *state, const struct dispatch *d, const struct dispatch_program *p, bool own)
{
	struct affinity *s = state;

	(void)p, (void)own;
	memset(s->issued, 0, d->plan->n_modules * sizeof *s->issued);
}

/* The module's CTA number `issued`: CTAs are distributed in rounds of `round` CTAs, of which this module has
 * blocks[module] from `first` on. */
static uint32_t next(void *state, const struct dispatch *d, const struct dispatch_program *p, uint32_t sm)
{
	struct affinity *s = state;
	const uint32_t *blocks = d->plan->launch[p->launch].blocks;
	uint32_t module = d->plan->module_of_sm[sm], issued = s->issued[module];
	uint64_t first = 0, round = 0, cta;

	if (!blocks[module])
		return DISPATCH_NONE;
	for (uint32_t h = 0; h < d->plan->n_modules; h++) {
		first += h < module ? blocks[h] : 0;
		round += blocks[h];
	}
	cta = issued / blocks[module] * round + first + issued % blocks[module];
	if (cta >= trace_launch(d->trace, p->launch)->n_ctas)
		return DISPATCH_NONE;
	s->issued[module]++;
	return (uint32_t)cta;
}

const struct dispatch_policy dispatch_affinity = {.name = "affinity", .init = init, .launch = launch, .next = next};
