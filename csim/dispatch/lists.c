/* Lists: an SM gets the CTAs of its own list in order; an SM whose list is empty stays idle. */
#include <string.h>

#include "dispatch/policy.h"

struct lists {
	uint32_t *issued; /* CTAs of the launch that it got, by SM */
};

static int init(void **state, struct arena *a, const struct dispatch *d, const struct dispatch_program *p,
		const struct dispatch_hardware *hw, struct err *e)
{
	struct lists *s = arena_alloc(a, sizeof *s);

	(void)p, (void)hw, (void)e;
	s->issued = arena_array(a, d->n_sms, sizeof *s->issued);
	*state = s;
	return 0;
}

static void launch(void *state, const struct dispatch *d, const struct dispatch_program *p, bool own)
{
	struct lists *s = state;

	(void)p, (void)own;
	memset(s->issued, 0, d->n_sms * sizeof *s->issued);
}

static uint32_t next(void *state, const struct dispatch *d, const struct dispatch_program *p, uint32_t sm)
{
	struct lists *s = state;
	const struct plan_lists *l = d->plan->launch[p->launch].lists;
	uint32_t at = l->first[sm] + s->issued[sm];

	if (at == l->first[sm + 1])
		return DISPATCH_NONE;
	s->issued[sm]++;
	return l->cta[at];
}

const struct dispatch_policy dispatch_lists = {.name = "lists", .init = init, .launch = launch, .next = next};
