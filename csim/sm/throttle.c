/* An SM's side of its warp throttle. */
#include "sm/sm_impl.h"

static void set_active(struct sm *sm, uint64_t active)
{
	sm->throttle.active = active;
	for (unsigned s = 0; s < sm->m->sm.schedulers; s++)
		sm->throttle.own[s] = sm->own[s] & active;
}

void sm_throttle_init(struct sm *sm, struct arena *a)
{
	sm->throttle.policy = warp_throttle_of(sm->m);
	sm->throttle.policy->init(&sm->throttle.state, a, sm->m);
	set_active(sm, ~UINT64_C(0));
	sm->throttle.due = CYCLE_NEVER;
}

void sm_throttle_ask(struct sm *sm)
{
	const struct warp_throttle *p = sm->throttle.policy;
	uint64_t of_cta[SM_MAX_CTAS];
	struct warp_view v = {.cycle = sm->now,
			      .eligible = sm->running & ~sm->at_barrier,
			      .schedulers = sm->m->sm.schedulers,
			      .own = sm->own,
			      .n_ctas = sm->n_order,
			      .of_cta = of_cta};

	for (uint32_t i = 0; i < sm->n_order; i++)
		of_cta[i] = sm->cta[sm->order[i]].warps;
	set_active(sm, p->active(sm->throttle.state, &v));
	sm->throttle.due = p->next ? p->next(sm->throttle.state, sm->now) : CYCLE_NEVER;
}
