/* What a core of the host counts, as one struct of counters (base/metrics.h), and the metrics that are made of it. Names begin
 * with what the view gives as a prefix: "host." for all cores, "host.3." for one. */
#ifndef CSIM_CPU_CORE_METRICS_H
#define CSIM_CPU_CORE_METRICS_H

#include "base/metrics.h"
#include "cpu/core.h"

struct host_core_counts {
	uint64_t elapsed, cycles; /* host cycles of the run; of the cores */
	struct host_core_stats core;
	struct host_private_stats cache;
};

static inline struct host_core_counts host_core_count(const struct host_core *c, uint64_t cycles)
{
	return (struct host_core_counts){.cycles = cycles, .core = c->stats, .cache = c->cache.stats};
}

/* In enum host_stalls's order, a row each; the rest. */
extern const struct metric_table host_stall_metrics, host_inst_metrics, host_cache_metrics, host_detail_metrics;

#endif
