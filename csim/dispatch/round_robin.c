/* Round robin: CTAs in ascending order, to whichever SM is served next; but those of windows that are passed over. */
#include "dispatch/policy.h"

struct round_robin {
	uint32_t next_cta;
};

static int init(void **state, struct arena *a, const struct dispatch *d, const struct dispatch_program *p,
		const struct dispatch_hardware *hw, struct err *e)
{
	(void)d, (void)p, (void)hw, (void)e;
	*state = arena_alloc(a, sizeof(struct round_robin));
	return 0;
}

static void launch(void *state, const struct dispatch *d, const struct dispatch_program *p, bool own)
{
	struct round_robin *r = state;

	(void)d, (void)p, (void)own;
	r->next_cta = 0;
}

static uint32_t next(void *state, const struct dispatch *d, const struct dispatch_program *p, uint32_t sm)
{
	const struct dispatch_windows *w = dispatch_windows_of(d, p->launch);
	uint32_t ctas = trace_launch(d->trace, p->launch)->n_ctas;
	struct round_robin *r = state;

	(void)sm;
	if (w)
		r->next_cta = window_next_cta(w, r->next_cta, ctas);
	return r->next_cta < ctas ? r->next_cta++ : DISPATCH_NONE;
}

const struct dispatch_policy dispatch_round_robin = {.name = "round-robin", .init = init, .launch = launch, .next = next};
