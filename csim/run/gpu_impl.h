/* What the files of csim/gpu share and no one else sees. */
#ifndef CSIM_RUN_GPU_IMPL_H
#define CSIM_RUN_GPU_IMPL_H

#include "sm/sm.h"
#include "dispatch/dispatch.h"
#include "run/gpu.h"
#include "run/gpu_vm.h"
#include "memsys/loop.h"
#include "machine/occupancy.h"
#include "memsys/memsys.h"

struct gpu {
	const struct gpu_config *config;
	const struct machine *m;
	struct trace *trace;
	struct arena arena;
	struct core_kernel *kernels;
	uint32_t *limit;		  /* CTAs an SM holds, by launch */
	enum occupancy_limit *limited_by; /* by launch */
	struct cta_start_queue *start;	  /* by SM */
	struct cta_done_queue *done;	  /* likewise */
	struct sm *sm;
	struct dispatch dispatch;
	struct memsys *memsys;
	struct loop loop;
	struct gpu_vm vm;
	uint64_t end;	 /* ticks: nothing is on its way any more, or the run was cut */
	uint64_t cycles; /* core cycles of the run */
	bool cut;
};

/* gpu.c: the steps of gpu_run(). On an error gpu_free() is still due. */
int gpu_build(struct gpu *g, const struct gpu_config *c, struct err *e);
int gpu_simulate(struct gpu *g, struct err *e); /* and closes all counters */
void gpu_free(struct gpu *g);

uint64_t gpu_warp_insts(const struct gpu *g); /* issued so far */

/* gpu_metrics.c: all figures, in the order in which they are printed. */
void gpu_collect(const struct gpu *g, struct stats *s);

/* metrics_programs.c: nothing unless the plan has several programs. */
void gpu_report_programs(const struct gpu *g, struct stats *s);

/* metrics_groups.c: nothing unless the plan has launches in groups. ended: no limit cut the run. */
void gpu_report_groups(const struct gpu *g, struct stats *s);
void gpu_audit_groups(const struct gpu *g, bool ended, struct audit *a);

/* gpu_invariants.c: the laws over a run's state. */
void gpu_audit(const struct gpu *g, struct audit *a);

#endif
