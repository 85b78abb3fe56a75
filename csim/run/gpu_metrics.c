/* The metrics of a run: totals as rows that are printed, single SMs, schedulers and arrays as detail rows. */
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "machine/occupancy.h"
#include "run/energy.h"
#include "run/gpu_impl.h"

enum { KEY = 320 };

static bool is_of(const struct gpu *g, uint32_t program, uint32_t sm)
{
	return program == GPU_ALL || g->dispatch.n_programs == 1 || g->config->plan->program_of_sm[sm] == program;
}

struct gpu_counts gpu_count(const struct gpu *g, uint32_t program, uint64_t cycles, struct ticks end)
{
	struct gpu_counts c = {.memsys = memsys_count(g->memsys, end)};

	for (uint32_t s = 0; s < g->m->sm.count; s++)
		if (is_of(g, program, s)) {
			struct sm_counts sm = sm_count(&g->sm[s], cycles);

			METRICS_ADD(&c.sm, &sm);
		}
	c.sm.elapsed = cycles;
	gpu_vm_count(g, &c);
	gpu_gccs_count(g, &c);
	return c;
}

static bool multiplies(const struct gpu *g)
{
	return core_kernels_product(g->kernels, trace_n_kernels(g->trace)) > 0;
}

/* In an imported trace a branch has the lanes that take it alone. */
static bool has_lanes_of_branches(const struct trace *t)
{
	for (uint32_t i = 0; i < trace_n_kernels(t); i++) {
		const struct trace_lines *lines = trace_kernel(t, i)->lines;

		if (lines && lines->is_sass)
			return false;
	}
	return true;
}

unsigned gpu_energy_has(const struct gpu *g)
{
	bool links = g->memsys->topology.nodes > 1;

	return (links ? ENERGY_HAS_LINKS : 0) | (multiplies(g) ? ENERGY_HAS_PRODUCTS : 0) | energy_leaves_out(g->m, links);
}

unsigned gpu_has(const struct gpu *g)
{
	unsigned products = !multiplies(g) ? 0 : SM_HAS_PRODUCTS | (g->m->pipe.tensor ? SM_HAS_TENSOR_UNITS : 0);
	bool past = g->m->l1.bypass.policy || g->m->throttle.policy == THROTTLE_PCAL || g->m->l1.front.policy;

	return (g->m->module.count > 1 ? SM_HAS_MODULES : 0) | (g->vm.on ? SM_HAS_VM : 0) |
	       (g->m->throttle.policy ? SM_HAS_THROTTLE : 0) | (past ? SM_HAS_BYPASS : 0) |
	       (g->m->throttle.policy == THROTTLE_CCWS ? SM_HAS_CCWS : 0) | (g->m->l1.front.policy ? SM_HAS_MRPB : 0) |
	       (g->m->fetch.width ? SM_HAS_FETCH : 0) | (g->m->fetch.width && g->m->l0.c.bytes ? SM_HAS_L0 : 0) |
	       (g->m->operands.banks ? SM_HAS_OPERANDS : 0) | (g->m->l1.prefetch.policy ? SM_HAS_PREFETCH : 0) |
	       (g->m->l1.replacement == REPLACE_PIN ? SM_HAS_PINS : 0) | (g->sm[0].lsu.monitor.on ? SM_HAS_MONITOR : 0) |
	       (g->m->caches.locality_classes ? SM_HAS_CLASSES : 0) |
	       (machine_cache_sectors(&g->m->l1.c) > 1 ? SM_HAS_SECTORS : 0) | (g->sm[0].lsu.ports.on ? SM_HAS_PORTS : 0) |
	       (g->m->sm.fold ? SM_HAS_FOLDS : 0) | (plan_has_localities(g->config->plan) ? SM_HAS_LOCALITY : 0) | products |
	       (g->sync ? SM_HAS_WAITS : 0) | (has_lanes_of_branches(g->trace) ? SM_HAS_BRANCHES : 0);
}

static void report_time(const struct gpu *g, uint64_t cycles, struct stats *to)
{
	double us = (double)cycles * g->m->clock.period[CLOCK_CORE] / (double)g->m->clock.ticks_per_us;
	char clock[64];

	snprintf(clock, sizeof clock, "at %u MHz", g->m->clock.mhz[CLOCK_CORE]);
	stats_count(to, 0, "cycles", cycles, "core cycles", clock);
	stats_real(to, 0, "time", us, "us", "simulated time");
}

/* How many CTAs an SM holds and why, of the launch with the most instructions; by limit, of how many launches it is the
 * limit. */
static void report_occupancy(const struct gpu *g, struct stats *to)
{
	uint32_t n = trace_n_launches(g->trace), most = 0;
	uint64_t by[OCCUPANCY_LIMITS] = {0};
	char meaning[KEY];

	stats_count(to, 0, "launches", n, "", "kernel launches");
	if (n == 0)
		return;
	for (uint32_t i = 0; i < n; i++) {
		by[g->limited_by[i]]++;
		if (trace_launch(g->trace, i)->warp_insts > trace_launch(g->trace, most)->warp_insts)
			most = i;
	}
	snprintf(meaning, sizeof meaning, "CTAs that fit on an SM%s; limited by: %s", n > 1 ? ", in the longest launch" : "",
		 occupancy_limit_names[g->limited_by[most]]);
	stats_count(to, 0, "ctas.per_sm", g->limit[most], "", meaning);
	for (unsigned i = 0; i < OCCUPANCY_LIMITS; i++) {
		static const char *const keys[OCCUPANCY_LIMITS] = {"ctas", "warps", "threads", "registers", "shared"};
		char key[KEY];

		snprintf(key, sizeof key, "launches.limited_by.%s", keys[i]);
		stats_count(to, STAT_DETAIL, key, by[i], "", "launches whose CTAs per SM are limited by this resource");
	}
}

static void report_energy(const struct gpu *g, const struct gpu_counts *c, unsigned shown, struct stats *to)
{
	struct metric_view v = {.prefix = "", .shown = shown, .has = gpu_energy_has(g)};
	struct energy e;

	if (!energy_is_known(g->m))
		return;
	e = energy_of(g->m, c);
	metrics_rows(to, &energy_metrics, &v, &e);
}

static void array_energy(const struct gpu *g, const char *array, const struct l1_counts *l1, uint32_t buffer, struct stats *to)
{
	struct l2_counts l2 = memsys_buffer(g->memsys, buffer);
	char prefix[KEY];
	struct energy e;

	if (!energy_is_known(g->m))
		return;
	e = energy_of_array(g->m, l1, &l2);
	snprintf(prefix, sizeof prefix, "buffer.%.256s.", array);
	metrics_rows(to, &energy_metrics, &(struct metric_view){.prefix = prefix, .shown = OF_ARRAY}, &e);
}

static void detail_arrays(const struct gpu *g, uint32_t n, const char *const *name, struct stats *to)
{
	for (uint32_t b = 0; b <= n; b++) {
		struct sm_counts c = {0};

		for (uint32_t s = 0; s < g->m->sm.count; s++) {
			METRICS_ADD(&c.l1, &g->sm[s].lsu.l1.count[b]);
			METRICS_ADD(&c.load, &g->sm[s].lsu.loads.latency[b]);
		}
		if (!c.l1.accesses)
			continue;
		sm_array_rows(b < n ? name[b] : "(none)", &c, g->m->clock.period[CLOCK_CORE], to);
		array_energy(g, b < n ? name[b] : "(none)", &c.l1, b, to);
	}
}

void gpu_collect(const struct gpu *g, struct stats *to)
{
	struct gpu_counts c = gpu_count(g, GPU_ALL, g->cycles, g->end);
	struct metric_view v = {
		.prefix = "", .shown = OF_RUN | OF_RUN_DETAIL, .has = gpu_has(g), .period = g->m->clock.period[CLOCK_CORE]};
	uint32_t n = trace_counted_buffers(g->trace);
	const char **names = xcalloc(n + 1, sizeof *names);

	for (uint32_t b = 0; b < n; b++)
		names[b] = trace_buffer(g->trace, b)->name;
	report_time(g, g->cycles, to);
	metrics_rows(to, &sm_issue_metrics, &v, &c.sm);
	report_occupancy(g, to);
	metrics_rows(to, &sm_cta_metrics, &v, &c.sm);
	gpu_report_programs(g, to);
	gpu_report_groups(g, to);
	gpu_report_throttle(g, to);
	metrics_rows(to, &sm_memory_metrics, &v, &c.sm);
	if (g->gccs.n)
		metrics_rows(to, &gpu_gcc_metrics, &v, &c.gcc);
	gpu_vm_report(g, &c, to);
	memsys_report(g->memsys, to, names, g->end);
	report_energy(g, &c, OF_RUN | OF_RUN_DETAIL, to);
	for (uint32_t s = 0; s < g->m->sm.count; s++)
		sm_detail(&g->sm[s], g->cycles, v.has, to);
	detail_arrays(g, n, names, to);
	free(names);
}

void gpu_launch_rows(const struct gpu *g, const struct gpu_counts *c, struct stats *to)
{
	struct metric_view v = {.prefix = "", .shown = OF_LAUNCH, .has = gpu_has(g), .period = g->m->clock.period[CLOCK_CORE]};

	report_time(g, c->sm.elapsed, to);
	metrics_rows(to, &sm_issue_metrics, &v, &c->sm);
	metrics_rows(to, &sm_cta_metrics, &v, &c->sm);
	metrics_rows(to, &sm_memory_metrics, &v, &c->sm);
	if (g->gccs.n)
		metrics_rows(to, &gpu_gcc_metrics, &v, &c->gcc);
	if (g->vm.on)
		metrics_rows(to, &gpu_page_metrics, &v, c);
	if (g->vm.mover)
		metrics_rows(to, &gpu_move_metrics, &v, c);
	if (g->vm.on && g->m->vm.tlb)
		metrics_rows(to, &gpu_tlb_metrics, &v, c);
	memsys_launch_rows(g->memsys, &c->memsys, to);
	report_energy(g, c, OF_LAUNCH, to);
}
