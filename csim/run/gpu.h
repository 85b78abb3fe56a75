/* The whole GPU, and one run of a trace on it.
 *
 * Components (SMs, networks, L2 slices, DRAM channels, dispatcher) talk through time-stamped queues only, in ticks of
 * the common clock (base/ticks.h); inside, each counts cycles of its own. The run loop keeps the next tick at which
 * each has anything to do, goes to the smallest of them, and steps those that are due; queues lower the receiver's
 * entry. A message takes at least a cycle, so the order in which components are stepped in one tick changes nothing
 * (gpu_config.reverse shows it).
 *
 * Launches run one after another: the next begins when the last CTA of the one before has ended and its traffic is
 * back; those of a program with streams may run at the same time (dispatch/concurrent.h). A launch takes no time of its
 * own. At its begin every L1 and constant cache is invalidated; the L2 keeps its lines. A run's length in core cycles
 * ends with the core cycle in which the dispatcher is notified of the last CTA's end.
 */
#ifndef CSIM_RUN_GPU_H
#define CSIM_RUN_GPU_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/stats.h"
#include "base/audit.h"
#include "dispatch/timeline.h"
#include "dispatch/windows.h"
#include "hw/port.h"
#include "machine/machine.h"
#include "memsys/stepped.h"
#include "plan/plan.h"
#include "trace/trace.h"

struct profile_row;
struct intervals;
struct request_paths;
struct gpu_sets;
struct gpu_checkpoints;
struct gpu_sampled;
struct pipelines;
struct warp_ends;

/* What each static instruction did to the SMs, over all launches (sm/profile.h). */
struct gpu_profile {
	uint32_t n;
	uint32_t *first;	 /* by kernel of the trace: the row of its first instruction; behind the last one: n */
	struct profile_row *row; /* n of them, and row[n]: what belongs to no instruction */
};

/* One to be filled by a run of this trace. */
void gpu_profile_init(struct gpu_profile *p, struct arena *a, const struct trace *t);

struct gpu;

/* A run calls `pause` once, when it comes to `cycle`: nothing of that cycle has been stepped, and no host thread is at
 * work (run/gpu_change.c). */
struct gpu_turn;
struct gpu_pause_hook {
	uint64_t cycle; /* core cycles */
	/* turn: how the run continues. On an error (e, -1) the run fails. */
	int (*pause)(void *ctx, const struct gpu *g, struct gpu_turn *turn, struct err *e);
	void *ctx;
};

struct gpu_turn {
	const struct machine *machine; /* that differs in live keys (machine/live.h), which gpu_may_change() allows;
					* NULL: as before */
	bool forked;		       /* in a process of its own, which has none of the host threads */
};

/* Whether a run can become that of this machine, which differs in live keys, where it is; else e says why not. */
int gpu_may_change(const struct gpu *g, const struct machine *to, struct err *e);

/* Of a launch, or of a window of its CTAs: it is simulated; it is not, but the L2 is as if it had run (run/gpu_warm.c);
 * nothing of it is seen. */
enum gpu_skip { GPU_SIMULATED, GPU_WARMS, GPU_PASSED };

struct gpu_config {
	const struct machine *machine; /* resolved */
	struct trace *trace;
	const struct hw_binder *binder;	   /* NULL: golden twins */
	const struct plan *plan;	   /* NULL: round robin, and pages as the machine has them by default */
	uint64_t max_cycles;		   /* core cycles after which the run is cut; 0: no limit */
	uint64_t max_insts;		   /* the run is cut after the cycle in which so many warp instructions are
					    * issued; 0: no limit */
	uint64_t max_thread_insts;	   /* likewise, of thread instructions: lanes that executed them */
	const volatile sig_atomic_t *stop; /* the run is cut soon after this is no longer 0; NULL: nobody stops it */
	bool no_skip;			   /* clocked hardware blocks are stepped in every cycle; the metrics do not
					    * change */
	const uint8_t *skipped;		   /* by launch: enum gpu_skip; NULL: all are simulated. Of one program, whose
					    * launches run one after another */
	bool reverse;			   /* steps the components in reverse order: for tests */
	uint32_t threads;		   /* host threads at most; 0: one */
	uint32_t shares;		   /* of the machine (memsys/loop.h); 0: one a thread. For tests, ... */
	bool always_threads;		   /* ... as this: also where one thread is faster */
	stepped_name *stepped;		   /* told what is being stepped, by one thread; NULL: nobody asks */
	bool totals_only;		   /* gpu_result.launch is not wanted: some 44 KB a launch */
	struct timeline *timeline;	   /* to be filled; NULL: none is wanted */
	struct warp_ends *warp_ends;	   /* likewise (sm/warp_ends.h) */
	struct gpu_profile *profile;	   /* likewise */
	struct intervals *intervals;	   /* likewise (run/intervals.h) */
	struct request_paths *paths;	   /* likewise (run/request_paths.h) */
	struct gpu_sets *sets;		   /* likewise (run/gpu_sets.h) */
	struct pipelines *pipelines;	   /* likewise (run/pipelines.h) */
	struct gpu_sampled *sampled;	   /* of gpu_run_sampled() alone (run/gpu_sampled.h) */

	const struct gpu_pause_hook *pause_hook; /* NULL: none */
	struct gpu_checkpoints *checkpoints;	 /* of gpu_run() (run/checkpoint.h); NULL: none */

	/* By launch, of one that is passed over, too: enum gpu_skip of each window's CTAs. NULL: none has windows. */
	const struct dispatch_windows *windows;

	/* Called once the machine is built, ahead of the first cycle; and now and then with the state of the run.
	 * Both may be NULL. */
	void (*begins)(void *ctx);
	void (*progress)(void *ctx, uint64_t cycles, uint64_t warp_insts, uint64_t total_warp_insts);
	void *watcher_ctx; /* of both */
};

struct gpu_launch {
	uint32_t index;	     /* in the trace */
	uint32_t window;     /* of its CTAs (docs/how-to/sample-long-programs.md); WINDOW_NONE: the launch as a whole */
	const char *kernel;  /* of the trace */
	const char *program; /* of the plan; NULL: the run has one alone */
	uint64_t warp_insts; /* that were executed, as the trace counts them */
	struct stats stats;  /* of this launch: metrics as the run's */
};

struct gpu_result {
	struct stats stats;
	struct gpu_launch *launch; /* in the order in which they ended; with a limit the last ones may be cut or
				    * missing. None on
				    * the CPU, nor where only totals are wanted */
	uint32_t n_launches;
	struct audit audit;
	uint64_t cycles, warp_insts;
	bool cut; /* a limit, or stop, ended the run: only the invariants that hold at any moment were checked */
};

/* Runs all launches of the trace. Fails (e, no result) on a CTA that cannot fit, a trace that cannot be read, a machine
 * that cannot be built. On success gpu_result_free() is due. */
int gpu_run(const struct gpu_config *c, struct gpu_result *result, struct err *e);

void gpu_result_free(struct gpu_result *r);

/* A section of the text output: the accesses and misses of each array, from the result's "buffer.*" rows. */
void gpu_print_arrays(const struct stats *s, FILE *to);

/* Likewise, hits by locality class, from the "l1.class.*" and "l2.class.*" rows, if there are any. */
void gpu_print_classes(const struct stats *s, FILE *to);

/* Likewise, on a machine of 2 to 12 modules (with the CPU): bytes from each to each, from the "traffic.*" rows;
 * "stack.*.busy". */
void gpu_print_traffic(const struct stats *s, FILE *to);

/* Likewise, a line a launch. */
void gpu_print_launches(const struct gpu_result *r, FILE *to);

#endif
