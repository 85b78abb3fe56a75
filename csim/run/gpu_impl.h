/* What the files of csim/run about the GPU share and no one else sees. */
#ifndef CSIM_RUN_GPU_IMPL_H
#define CSIM_RUN_GPU_IMPL_H

#include "base/metrics.h"
#include "base/pool.h"
#include "sm/sm_metrics.h"
#include "dispatch/concurrent.h"
#include "dispatch/dispatch.h"
#include "run/energy.h"
#include "run/gpu.h"
#include "run/gpu_gcc.h"
#include "run/gpu_throttle.h"
#include "run/gpu_vm.h"
#include "run/intervals.h"
#include "memsys/loop.h"
#include "machine/carveout.h"
#include "machine/occupancy.h"
#include "memsys/memsys.h"
#include "memsys/memsys_metrics.h"

struct gpu_page_counts {
	uint64_t mapped, fgp, cgp, base_bit, xor, shared, table_bytes, groups, faults, first_touched;
};

struct gpu_move_counts { /* of data, by first touches */
	struct pager_counts pager;
	struct mover_counts movers;
};

/* All counters of the GPU (base/metrics.h). */
struct gpu_counts {
	struct sm_counts sm;
	struct mmu_stats mmu;
	struct gpu_page_counts pages;
	struct gpu_move_counts moves;
	struct gcc_counts gcc;
	struct memsys_counts memsys;
};

struct gpu_launch_counts {
	uint32_t launch, window, program; /* window: WINDOW_NONE: all of the launch */
	struct gpu_counts count;
};

struct gpu_launches {
	uint32_t *next;			 /* by program: the launch whose end has not been noted */
	uint32_t window;		 /* of that launch, of one program: whose CTAs are being sent */
	struct gpu_counts *since;	 /* by program: when the launch, or the window, before it ended */
	struct gpu_launch_counts *ended; /* all; where only totals are wanted, the last one */
	uint32_t n;
	struct gpu_counts past; /* of those that are not kept: their sum, ... */
	struct energy past_energy;
	uint64_t past_differ; /* ... and how many did other work than the trace has */
};

struct gpu_waits {	    /* whether anything but waits goes on (run/gpu_waits.c) */
	uint64_t done;	    /* work at the last look at which there was more, or something else on its way, ... */
	struct ticks since; /* ... which was then */
	struct err deadlock;
};

struct gpu {
	const struct gpu_config *config;
	struct machine *m; /* the run's own */
	struct trace *trace;
	struct arena arena;
	struct pool read;	 /* what SMs have read of the trace */
	struct l1_sets *l1_sets; /* by SM, if counts by set are wanted; NULL: they are not */
	struct core_kernel *kernels;
	uint32_t *limit;		  /* CTAs an SM holds, by launch */
	enum occupancy_limit *limited_by; /* by launch */
	struct carveout *carveout;	  /* by launch; NULL: L1 and shared memory are apart */
	struct cta_start_queue *start;	  /* by SM */
	struct cta_done_queue *done;	  /* likewise */
	struct sm *sm;
	struct dispatch dispatch;
	struct memsys *memsys;
	struct sync_board *sync; /* NULL: nothing orders warps */
	struct loop loop;
	struct gpu_vm vm;
	struct gpu_gccs gccs;
	struct gpu_throttle throttle;
	struct gpu_launches launches;
	struct gpu_waits waits;
	struct gpu_intervals *intervals; /* NULL: none are wanted */
	struct ticks pause;		 /* the next tick at which the loop stops: of these two, or for intervals */
	struct ticks pause_hook_at;	 /* TIME_NEVER: no more */
	struct ticks save_at;		 /* likewise: the next checkpoint */
	struct err pause_hook_error;	 /* why the run could not go on */
	struct ticks end;		 /* nothing is on its way any more, or the run was cut */
	uint64_t cycles;		 /* core cycles of the run */
	bool cut;
	struct err warming; /* a launch that is passed over cannot be read */
};

/* gpu.c: the steps of gpu_run(). On an error gpu_free() is still due. */
int gpu_build(struct gpu *g, const struct gpu_config *c, struct err *e);
int gpu_simulate(struct gpu *g, struct err *e); /* and closes all counters */
void gpu_free(struct gpu *g);

uint64_t gpu_warp_insts(const struct gpu *g); /* issued so far */

/* gpu_metrics.c: the counters in core cycle `cycles` of the run, at `end`, of a program's SMs (GPU_ALL: of all), which
 * have no CTA unless it is the run's end, and of the whole memory system. All metrics, in the order in which they are
 * printed; those of a launch. */
#define GPU_ALL UINT32_MAX
struct gpu_counts gpu_count(const struct gpu *g, uint32_t program, uint64_t cycles, struct ticks end);
unsigned gpu_has(const struct gpu *g);	      /* enum sm_has, or-ed */
unsigned gpu_energy_has(const struct gpu *g); /* enum energy_has, or-ed */
void gpu_launch_rows(const struct gpu *g, const struct gpu_counts *c, struct stats *s);
void gpu_collect(const struct gpu *g, struct stats *s);
/* metrics_vm.c: of struct gpu_counts. */
extern const struct metric_table gpu_page_metrics, gpu_move_metrics, gpu_tlb_metrics, gpu_module_metrics;
extern const struct metric_table gpu_group_metrics;    /* metrics_groups.c: of struct group_dispatch_counts */
extern const struct metric_table gpu_throttle_metrics; /* metrics_throttle.c */

/* gpu_warm.c: these CTAs of the launch have been passed over. Fails if the trace cannot be read. */
int gpu_warm_ctas(struct gpu *g, uint32_t launch, uint32_t first, uint32_t end, struct err *e);

/* gpu_launches.c: whether a launch has ended, or a window of its CTAs begun, that is not noted; notes it, before
 * anything happens at a later tick; notes the rest when all counters are closed. The metrics of each; their
 * invariants. */
void gpu_launches_init(struct gpu *g);
bool gpu_launch_ended(const struct gpu *g);
bool gpu_window_begins(const struct gpu *g);
void gpu_note_launches(struct gpu *g);
void gpu_close_launches(struct gpu *g);
void gpu_report_launches(const struct gpu *g, struct gpu_result *r);
void gpu_audit_launches(const struct gpu *g, const struct gpu_counts *total, bool ended, struct audit *a);

/* gpu_concurrent.c: whether launches run at the same time: the program uses streams, the machine has it so
 * (launch.concurrent), and nothing in this run wants SMs for a launch alone. */
bool gpu_is_concurrent(const struct gpu *g);
/* Their SMs; after these have been built. */
void gpu_share_sms(struct gpu *g);
/* When a launch began and ended: rows of a launch; nothing where launches run one after another. */
void gpu_report_times(const struct gpu *g, uint32_t launch, struct stats *s);

/* gpu_profile.c: numbers all instructions, one kernel behind the other, for who counts by them. Nothing more unless a
 * profile is wanted. Ahead of the first cycle; when all counters are closed. Fails if it is too large. */
uint32_t gpu_number_instructions(struct gpu *g);
int gpu_profile_begin(struct gpu *g, struct err *e);
void gpu_profile_end(struct gpu *g);
void gpu_audit_profile(const struct gpu *g, const struct gpu_counts *c, bool ended, struct audit *a);

/* gpu_change.c: the run's machine, as a plan's policies have it; where the loop stops next; when it has stopped, the
 * pause hook, if it is due. */
void gpu_own_machine(struct machine *m, const struct plan *p);
void gpu_set_pause(struct gpu *g);
void gpu_run_pause_hook(struct gpu *g);

/* gpu_checkpoint.c: nothing unless checkpoints are wanted. Ahead of the first cycle, once all is built: goes on from
 * the one that is to be resumed. When the loop has stopped: writes the one that is due, if one is. */
int gpu_checkpoints_begin(struct gpu *g, struct err *e);
void gpu_checkpoint_note(struct gpu *g);

/* gpu_fit.c: fails if a launch cannot end, since CTAs that wait for others take all places of the machine. */
int gpu_waits_fit(const struct gpu *g, struct err *e);

/* gpu_waits.c: nothing unless something orders warps. When the loop has stopped: whether all that is left waits for
 * what cannot come. */
void gpu_waits_note(struct gpu *g);
void gpu_audit_waits(const struct gpu *g, bool ended, struct audit *a);

/* gpu_intervals.c: nothing unless intervals are wanted. Ahead of the first cycle; fails if no metric has such a name.
 * When the loop has stopped: takes the sample that is due, if one is. When all counters are closed. */
int gpu_intervals_begin(struct gpu *g, struct err *e);
const struct ticks *gpu_intervals_due(const struct gpu *g); /* NULL: never */
void gpu_intervals_note(struct gpu *g);
void gpu_intervals_end(struct gpu *g);
/* interval_levels.c: what is so at present, of an SM and of the memory system. */
struct interval_levels {
	uint64_t running, allowed, ready, at_barrier, wait_memory; /* warps */
	uint64_t accesses, mshrs, miss_queue, bypassed;		   /* load/store unit, L1 */
	uint64_t requests, replies, in_slices, in_channels;	   /* memory system */
};
struct interval_levels gpu_sm_levels(const struct sm *sm);
struct interval_levels gpu_memsys_levels(const struct memsys *s);
extern const struct metric_table gpu_sm_levels_metrics, gpu_memsys_levels_metrics, gpu_channel_levels_metrics;

/* gpu_sets.c: nothing unless counts by set are wanted. Ahead of the first cycle; when all counters are closed;
 * invariants. */
int gpu_sets_begin(struct gpu *g, struct err *e);
void gpu_sets_end(struct gpu *g);
void gpu_audit_sets(const struct gpu *g, const struct gpu_counts *c, struct audit *a);

/* gpu_paths.c: nothing unless paths are wanted. Ahead of the first cycle, behind gpu_profile_begin(); when all counters
 * are closed; invariants. */
int gpu_paths_begin(struct gpu *g, struct err *e);
void gpu_paths_end(struct gpu *g);
void gpu_audit_paths(const struct gpu *g, const struct gpu_counts *c, struct audit *a);

/* pipelines.c: nothing unless pipelines are wanted. Ahead of the first cycle, behind all else that looks at SMs; when
 * the run has ended. */
void gpu_pipelines_begin(struct gpu *g);
void gpu_pipelines_end(struct gpu *g);

/* metrics_programs.c: nothing unless the plan has several programs. */
void gpu_report_programs(const struct gpu *g, struct stats *s);

/* metrics_groups.c: nothing unless the plan has launches in groups. ended: no limit cut the run. */
void gpu_report_groups(const struct gpu *g, struct stats *s);
void gpu_audit_groups(const struct gpu *g, bool ended, struct audit *a);

/* report_classes.c: nothing unless locality classes are counted. */
void gpu_audit_classes(const struct gpu *g, const struct gpu_counts *c, struct audit *a);

/* gpu_invariants.c: the invariants over a run's state. */
void gpu_audit(const struct gpu *g, struct audit *a);

#endif
