/* What cpu_run.c and cpu_metrics.c share and no one else sees. */
#ifndef CSIM_RUN_CPU_RUN_IMPL_H
#define CSIM_RUN_CPU_RUN_IMPL_H

#include "cpu/core.h"
#include "cpu/kernel_stream.h"
#include "dispatch/dispatch.h"
#include "cpu/cpu_memory.h"
#include "run/cpu_run.h"

struct host_system {
	const struct gpu_config *config;
	const struct machine *m;
	struct trace *trace;
	struct arena arena;
	struct host_code *code;
	struct host_kernel *kernel; /* by core, as the next ones */
	struct host_core *core;
	struct cta_start_queue *start;
	struct cta_done_queue *done;
	uint32_t *limit; /* CTAs that a core has at a time, by launch */
	struct host_below below;
	struct dispatch dispatch;
	uint64_t end;	 /* ticks: nothing is on its way any more, or the run was cut */
	uint64_t cycles; /* host cycles of the run */
	bool cut;
};

/* cpu_run.c: the steps of host_run(). On an error host_free() is still due. */
int host_build(struct host_system *h, const struct gpu_config *c, struct err *e);
int host_simulate(struct host_system *h, struct err *e); /* and closes all counters */
void host_free_system(struct host_system *h);

struct host_totals { /* over cores */
	struct host_core_stats core;
	struct host_private_stats cache;
	uint64_t thread_insts;
	uint64_t most_lookups; /* of the busiest core */
	uint64_t in_flight;    /* in reorder and store buffers, MSHRs, the L3 */
};
struct host_totals host_sum(const struct host_system *h);

/* cpu_metrics.c */
void host_collect(const struct host_system *h, struct stats *to);
/* cpu_invariants.c */
void host_audit(const struct host_system *h, struct audit *a);

#endif
