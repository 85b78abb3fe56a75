/* The profiles of a run's SMs as one, by instruction of the trace's kernels; their invariants. */
#include <inttypes.h>

#include "run/gpu_impl.h"
#include "sm/profile.h"

enum { MOST_BYTES = 1 << 30 /* of all SMs' rows */ };

void gpu_profile_init(struct gpu_profile *p, struct arena *a, const struct trace *t)
{
	*p = (struct gpu_profile){.first = arena_array(a, trace_n_kernels(t) + 1, sizeof *p->first)};
	for (uint32_t k = 0; k < trace_n_kernels(t); k++) {
		p->first[k] = p->n;
		p->n += trace_kernel(t, k)->n_inst;
	}
	p->first[trace_n_kernels(t)] = p->n;
	p->row = arena_array(a, (size_t)p->n + 1, sizeof *p->row);
}

uint32_t gpu_number_instructions(struct gpu *g)
{
	uint32_t n = 0;

	for (uint32_t k = 0; k < trace_n_kernels(g->trace); k++) {
		core_kernel_number(&g->kernels[k], n);
		n += trace_kernel(g->trace, k)->n_inst;
	}
	return n;
}

int gpu_profile_begin(struct gpu *g, struct err *e)
{
	struct gpu_profile *p = g->config->profile;

	if (!p)
		return 0;
	if (p->n >= LSU_MAX_ROWS || p->n > MOST_BYTES / (2 * sizeof *p->row) / g->m->sm.count)
		return err_set(e, "a profile of %" PRIu32 " instructions on %" PRIu32 " SMs takes more than 1 GiB", p->n,
			       g->m->sm.count);
	gpu_number_instructions(g);
	for (uint32_t s = 0; s < g->m->sm.count; s++)
		profile_use(&g->sm[s], &g->arena, p->n);
	return 0;
}

void gpu_profile_end(struct gpu *g)
{
	struct gpu_profile *p = g->config->profile;

	for (uint32_t s = 0; p && s < g->m->sm.count; s++)
		for (uint32_t i = 0; i <= p->n; i++)
			METRICS_ADD(&p->row[i], &g->sm[s].profile->row[i]);
}

static struct profile_row sum_of(const struct gpu_profile *p)
{
	struct profile_row sum = {0};

	for (uint32_t i = 0; i <= p->n; i++)
		METRICS_ADD(&sum, &p->row[i]);
	return sum;
}

static uint64_t of_all_schedulers(const struct sm_counts *t, unsigned why)
{
	uint64_t n = 0;

	for (unsigned s = 0; s < SM_MAX_SCHEDULERS; s++)
		n += t->sm.stalls[why][s];
	return n;
}

/* How many causes have other sums by instruction than by scheduler. */
static uint64_t differ(const struct sm_counts *t, const uint64_t by_inst[STALL_COUNT])
{
	uint64_t n = 0;

	for (unsigned why = STALL_ISSUED + 1; why < STALL_COUNT; why++)
		n += by_inst[why] != of_all_schedulers(t, why);
	return n;
}

void gpu_audit_profile(const struct gpu *g, const struct gpu_counts *c, bool ended, struct audit *a)
{
	const struct gpu_profile *p = g->config->profile;
	const struct sm_counts *t = &c->sm;
	struct profile_row sum;

	if (!p)
		return;
	sum = sum_of(p);
	audit_equal(a, "profile: issues, summed over instructions = issues of the schedulers", sum.issued,
		    of_all_schedulers(t, STALL_ISSUED));
	audit_equal(a, "profile: lanes, summed over instructions = thread instructions", sum.lanes, sm_thread_insts(&t->sm));
	audit_equal(a, "profile: stall causes whose cycles differ between waiting instructions and schedulers",
		    differ(t, sum.waits), 0);
	audit_equal(a, "profile: stall causes whose cycles differ between blocking instructions and schedulers",
		    differ(t, sum.holds), 0);
	audit_equal(a, "profile: L1 and constant-cache accesses, summed over instructions = of the caches",
		    sum.l1_hits + sum.l1_reserved + sum.l1_misses + sum.l1_past + sum.l1_writes,
		    t->l1.accesses + t->const_cache.accesses);
	audit_equal(a, "profile: loads, summed over instructions = loads", sum.loads, t->load.loads);
	audit_equal(a, "profile: load latency, summed over instructions = latency of loads", sum.load_cycles, t->load.cycles);
	audit_equal(a, "profile: replies, summed over instructions = replies of the L2 received by the SMs", sum.l2_accesses,
		    t->l1_stats.replies + t->const_cache_stats.replies + (g->gccs.n ? 0 : t->icache_stats.replies));
	if (ended && g->m->l2.enabled && !g->vm.on)
		audit_equal(a, "profile: DRAM reads, summed over instructions = lines that the L2 fetched",
			    sum.dram_reads + c->gcc.fetched, memsys_facts(g->memsys).fetches);
}
