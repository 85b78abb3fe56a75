/* Launches at the same time: whether a run has them, what its SMs must know, when each launch ran. */
#include "run/gpu_impl.h"

static bool is_planned(const struct plan *p)
{
	for (uint32_t i = 0; p && p->launch && i < p->n_launches; i++)
		if (p->launch[i].dispatch != DISPATCH_ROUND_ROBIN || p->launch[i].n_localities)
			return true;
	return p && (p->n_programs > 1 || plan_has_localities(p));
}

bool gpu_is_concurrent(const struct gpu *g)
{
	const struct machine *m = g->m;

	return m->launch.concurrent > 1 && !trace_is_in_order(g->trace) && !is_planned(g->config->plan) && !m->throttle.policy &&
	       m->l1.replacement != REPLACE_PIN && !machine_l2_at_sms(m);
}

/* Local memory of any kernel's warps is where that of the kernel with the most of it is. */
void gpu_share_sms(struct gpu *g)
{
	uint32_t words = 0;

	for (uint32_t k = 0; k < trace_n_kernels(g->trace); k++)
		if (words < g->kernels[k].local_words)
			words = g->kernels[k].local_words;
	for (uint32_t s = 0; s < g->m->sm.count; s++) {
		g->sm[s].shares = true;
		g->sm[s].words = words;
	}
}

void gpu_report_times(const struct gpu *g, uint32_t launch, struct stats *s)
{
	const struct concurrent *c = g->dispatch.concurrent;
	uint64_t period = g->m->clock.period[CLOCK_CORE];

	if (!c)
		return;
	stats_count(s, 0, "launch.began", cycles_in(c->times[launch].began, period), "core cycle",
		    "core cycle in which the launches it depends on had ended");
	if (c->order.ended[launch])
		stats_count(s, 0, "launch.ended", cycles_in(c->times[launch].ended, period), "core cycle",
			    "core cycle in which its last CTA ended");
}
