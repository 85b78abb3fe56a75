/* An SM whose machine changes while it runs (machine/live.h). What is read from the machine as it is needed has changed
 * with it; here is what the SM keeps of it. */
#include "policy/kernel_limits.h"
#include "sm/sm_impl.h"

bool sm_may_change(const struct sm *sm, const struct machine *to, uint32_t product)
{
	return !sm->operands.on || operands_reach(&sm->operands, to, product);
}

static int change_throttle(struct sm *sm, struct arena *a, struct err *e)
{
	const struct warp_throttle *p = warp_throttle_of(sm->m);

	if (p != sm->throttle.policy)
		sm_throttle_use(sm, a, p);
	else if (p->change)
		p->change(sm->throttle.state, sm->m);
	sm_throttle_stale(sm);
	return sm_throttle_find_limits(sm, a, e);
}

int sm_change(struct sm *sm, struct arena *a, struct err *e)
{
	for (unsigned s = 0; s < sm->m->sm.schedulers; s++) /* some schedulers remember a warp that has ended */
		sm->last[s] &= sm->running;
	l1_change(&sm->lsu.l1, sm->m, sm->counted);
	return change_throttle(sm, a, e);
}
