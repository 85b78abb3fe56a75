/* The metrics of a run on the CPU: totals as rows that are printed, single cores as detail rows. */
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "memsys/memsys_metrics.h"
#include "run/cpu_run_impl.h"

#define C(field) METRIC_OF(struct cpu_counts, field)

/* clang-format off */
static const struct metric rows[] = {
	{"cpu.l3.hits", "lines", "lines requested by CPU cores and found in the L3", METRIC_COUNT, OF_RUN, .a = C(l3.hits)},
	{"cpu.l3.hits_reserved", "lines", "lines requested by CPU cores and in flight to the L3", METRIC_COUNT, OF_RUN, .a = C(l3.reserved)},
	{"cpu.l3.misses", "lines", "lines that the L3 read from memory", METRIC_COUNT, OF_RUN, .a = C(l3.misses)},
	{"cpu.l3.hit_rate", "%", "L3 hits / lines requested by CPU cores", METRIC_PERCENT, OF_RUN, .a = C(l3.hits), .b = C(l3.accesses)},
	{"cpu.l3.miss_rate", "%", "L3 misses / lines requested by CPU cores", METRIC_PERCENT, OF_RUN, .a = C(l3.misses), .b = C(l3.accesses)},
	{"cpu.l3.write_backs", "lines", "dirty L3 lines written back to memory", METRIC_COUNT, OF_RUN, .a = C(l3.write_backs)},
	{"cpu.l3.dirty_left", "lines", "dirty L3 lines left at the end of the run", METRIC_COUNT, OF_RUN, .a = C(dirty_left)},
	{"cpu.l3.wait.way", "times", "times that an L3 request waited because every way of its set was being filled", METRIC_COUNT, OF_RUN, .a = C(l3.stuck[0])},
	{"cpu.l3.wait.mshr_entry", "times", "times that an L3 request waited because no MSHR entry was free", METRIC_COUNT, OF_RUN, .a = C(l3.stuck[1])},
	{"cpu.l3.wait.queue", "times", "times that an L3 request waited because the queue to memory was full", METRIC_COUNT, OF_RUN, .a = C(l3.stuck[2])},
};
/* clang-format on */

const struct metric_table cpu_l3_metrics = METRIC_TABLE(rows);

struct cpu_counts cpu_count(const struct cpu_system *h)
{
	struct cpu_counts c = {.l3 = h->below.l3.stats, .dirty_left = cpu_l3_dirty_lines(&h->below.l3)};

	for (uint32_t i = 0; i < h->m->cpu.count; i++) {
		struct cpu_core_counts core = cpu_core_count(&h->core[i], h->cycles);

		METRICS_ADD(&c.core, &core);
		c.thread_insts += h->kernel[i].stats.thread_insts;
	}
	c.core.elapsed = h->cycles;
	return c;
}

static void report_instructions(const struct cpu_system *h, const struct cpu_counts *c, const struct metric_view *v,
				struct stats *to)
{
	double us = (double)h->cycles * h->m->clock.period[CLOCK_CPU] / (double)h->m->clock.ticks_per_us;
	char clock[64];

	snprintf(clock, sizeof clock, "at %u MHz", h->m->clock.mhz[CLOCK_CPU]);
	stats_count(to, 0, "cycles", h->cycles, "CPU cycles", clock);
	stats_real(to, 0, "time", us, "us", "simulated time");
	stats_count(to, 0, "thread_insts", c->thread_insts, "", "thread instructions executed");
	metrics_rows(to, &cpu_inst_metrics, v, &c->core);
	stats_real(to, 0, "ipc.thread", h->cycles ? (double)c->thread_insts / (double)h->cycles : 0, "per cycle",
		   "thread instructions per CPU cycle, all cores");
	stats_count(to, 0, "launches", trace_n_launches(h->trace), "", "kernel launches");
	stats_count(to, 0, "ctas", c->core.core.pieces, "", "CTAs (thread blocks) completed");
	metrics_rows(to, &cpu_stall_metrics, v, &c->core);
}

void cpu_collect(const struct cpu_system *h, struct stats *to)
{
	struct cpu_counts c = cpu_count(h);
	uint32_t n = trace_counted_buffers(h->trace);
	const char **names = xcalloc(n + 1, sizeof *names);
	char prefix[64];

	for (uint32_t b = 0; b < n; b++)
		names[b] = trace_buffer(h->trace, b)->name;
	report_instructions(h, &c, &(struct metric_view){.prefix = "cpu.", .shown = OF_RUN}, to);
	metrics_rows(to, &cpu_cache_metrics, &(struct metric_view){.prefix = "cpu.", .shown = OF_RUN}, &c.core);
	metrics_rows(to, &cpu_l3_metrics, &(struct metric_view){.prefix = "", .shown = OF_RUN}, &c);
	memsys_report(h->below.memsys, to, names, h->end);
	for (uint32_t i = 0; i < h->m->cpu.count; i++) {
		struct cpu_core_counts one = cpu_core_count(&h->core[i], h->cycles);

		snprintf(prefix, sizeof prefix, "cpu.%u.", i);
		metrics_rows(to, &cpu_detail_metrics, &(struct metric_view){.prefix = prefix, .shown = OF_SM}, &one);
	}
	free(names);
}
