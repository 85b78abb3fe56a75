/* What cpu_run.c and cpu_metrics.c share and no one else sees. */
#ifndef CSIM_RUN_CPU_RUN_IMPL_H
#define CSIM_RUN_CPU_RUN_IMPL_H

#include "cpu/core_metrics.h"
#include "cpu/kernel_stream.h"
#include "dispatch/dispatch.h"
#include "cpu/cpu_memory.h"
#include "run/cpu_run.h"

struct cpu_system {
	const struct gpu_config *config;
	const struct machine *m;
	struct trace *trace;
	struct arena arena;
	struct kernel_code *code;
	struct kernel_stream *kernel; /* by core, as the next ones */
	struct cpu_core *core;
	struct cta_start_queue *start;
	struct cta_done_queue *done;
	uint32_t *limit; /* CTAs that a core has at a time, by launch */
	struct cpu_memory below;
	struct dispatch dispatch;
	struct ticks end; /* nothing is on its way any more, or the run was cut */
	uint64_t cycles;  /* CPU cycles of the run */
	bool cut;
};

/* cpu_run.c: the steps of cpu_run(). On an error cpu_free_system() is still due. */
int cpu_build(struct cpu_system *h, const struct gpu_config *c, struct err *e);
int cpu_simulate(struct cpu_system *h, struct err *e); /* and closes all counters */
void cpu_free_system(struct cpu_system *h);

/* All counters of the CPU (base/metrics.h). */
struct cpu_counts {
	struct cpu_core_counts core; /* of all cores */
	uint64_t thread_insts;
	struct cpu_l3_stats l3;
	uint64_t dirty_left; /* lines of the L3 newer than memory */
};

/* cpu_metrics.c: the counters at the end of a run; all metrics. */
struct cpu_counts cpu_count(const struct cpu_system *h);
void cpu_collect(const struct cpu_system *h, struct stats *to);
extern const struct metric_table cpu_l3_metrics; /* of struct cpu_counts */
/* cpu_invariants.c */
void cpu_audit(const struct cpu_system *h, struct audit *a);

#endif
