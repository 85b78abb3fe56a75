/* A run whose machine changes while it runs: the pause hook (run/gpu.h), and the change of each component. */
#include "run/gpu_impl.h"
#include "sm/inst/kernel.h"

/* A plan's policies of caches take the place of the machine's. */
void gpu_own_machine(struct machine *m, const struct plan *p)
{
	if (!plan_has_localities(p))
		return;
	if (p->locality.caching) { /* pins want the block, whichever buffers it pins beside them */
		m->l1.bypass.policy = BYPASS_LOCALITY;
		m->l1.replacement = REPLACE_PIN;
	}
	if (p->locality.bypass_l2)
		m->l2.bypass.policy = BYPASS_LOCALITY;
	if (p->locality.prefetch)
		m->l1.prefetch.policy = PREFETCH_LOCALITY;
}

/* ---- whether it may ---- */

/* Those that have learned nothing, and have no part in L1s. */
static bool is_simple(enum machine_throttle t)
{
	return t == THROTTLE_NONE || t == THROTTLE_SWT || t == THROTTLE_CTA;
}

static int may_change_throttle(const struct gpu *g, const struct machine *to, struct err *e)
{
	if (to->throttle.policy == g->m->throttle.policy)
		return 0;
	if (!is_simple(to->throttle.policy) || !is_simple(g->m->throttle.policy))
		return err_set(e, "throttle.policy: while a machine runs it can change between none, swt and cta only");
	if (g->dispatch.concurrent)
		return err_set(e, "throttle.policy: cannot change while launches run at the same time (launch.concurrent)");
	return 0;
}

static uint32_t longest_product(const struct gpu *g, const struct machine *m)
{
	uint32_t longest = 0;

	for (uint32_t k = 0; k < trace_n_kernels(g->trace); k++) {
		uint32_t n = core_kernel_product_on(m, trace_kernel(g->trace, k));

		longest = n > longest ? n : longest;
	}
	return longest;
}

int gpu_may_change(const struct gpu *g, const struct machine *to, struct err *e)
{
	if (g->config->binder)
		return err_set(e, "a machine with Verilog blocks cannot change while it runs");
	if (may_change_throttle(g, to, e) != 0)
		return -1;
	if (!sm_may_change(&g->sm[0], to, longest_product(g, to)))
		return err_set(e, "latency.*: cannot grow so much while a machine with operands.banks runs");
	return 0;
}

/* ---- the change ---- */

static void wake(struct ticks *next, struct ticks now)
{
	*next = ticks_earlier(*next, now);
}

/* What the SMs have skipped is counted by what they were. */
static int change(struct gpu *g, const struct machine *to, struct ticks now, struct err *e)
{
	uint64_t cycle = cycles_in(now, g->m->clock.period[CLOCK_CORE]);

	for (uint32_t s = 0; s < g->m->sm.count; s++)
		sm_count_up_to(&g->sm[s], cycle);
	*g->m = *to;
	gpu_own_machine(g->m, g->config->plan);
	for (uint32_t k = 0; k < trace_n_kernels(g->trace); k++)
		core_kernel_time(&g->kernels[k], g->m, trace_kernel(g->trace, k));
	for (uint32_t s = 0; s < g->m->sm.count; s++) {
		if (sm_change(&g->sm[s], &g->arena, e) != 0)
			return -1;
		wake(g->start[s].ring.consumer.wake, now);
	}
	for (uint32_t p = 0; g->throttle.on && p < g->throttle.programs; p++)
		if (g->throttle.coordinator[p].port.golden)
			coordinator_change(&g->throttle.coordinator[p], g->m);
	memsys_change(g->memsys, g->m, now);
	return 0;
}

void gpu_set_pause(struct gpu *g)
{
	const struct ticks *due = gpu_intervals_due(g);

	g->pause = ticks_earlier(g->pause_hook_at, g->save_at);
	if (due)
		g->pause = ticks_earlier(g->pause, *due);
}

void gpu_run_pause_hook(struct gpu *g)
{
	const struct gpu_pause_hook *m = g->config->pause_hook;
	struct ticks now = g->pause_hook_at;
	struct gpu_turn turn = {0};

	if (!m || ticks_is_never(now) || !ticks_equal(g->loop.until, now))
		return;
	g->pause_hook_at = TIME_NEVER;
	if (dispatch_finished(&g->dispatch)) /* the run is over, though some traffic is not */
		return;
	if (m->pause(m->ctx, g, &turn, &g->pause_hook_error) != 0)
		return;
	if (turn.forked && g->loop.crew) {
		crew_forget(g->loop.crew);
		g->loop.crew = NULL;
	}
	if (turn.machine)
		change(g, turn.machine, now, &g->pause_hook_error);
}
