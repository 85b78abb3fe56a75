/* What a core of the CPU counts, as one struct of counters (base/metrics.h), and the metrics that are made of it. Names
 * begin with what the view gives as a prefix: "cpu." for all cores, "cpu.3." for one. */
#ifndef CSIM_CPU_CORE_METRICS_H
#define CSIM_CPU_CORE_METRICS_H

#include "base/metrics.h"
#include "cpu/core.h"

struct cpu_core_counts {
	uint64_t elapsed, cycles; /* CPU cycles of the run; of the cores */
	struct cpu_core_stats core;
	struct private_caches_stats cache;
};

static inline struct cpu_core_counts cpu_core_count(const struct cpu_core *c, uint64_t cycles)
{
	return (struct cpu_core_counts){.cycles = cycles, .core = c->stats, .cache = c->cache.stats};
}

/* In enum cpu_stalls's order, a row each; the rest. */
extern const struct metric_table cpu_stall_metrics, cpu_inst_metrics, cpu_cache_metrics, cpu_detail_metrics;

#endif
