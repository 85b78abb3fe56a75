/* The driver of a run: lets the loop go from its begin until nothing is left to do, and looks up from the work now and
 * then.
 *
 * At a look, every LOOP_CHECK_CYCLES cycles or where a limit can first be reached, it asks whether something has
 * failed, reports progress, and cuts it at a limit or when it is told to stop. A run in which no work is done
 * for long is stuck. Who drives (the GPU, the CPU's cores, the tracking phase) builds the parts before, and
 * closes the counters after.
 *
 * Cycles are the loop's.
 */
#ifndef CSIM_MEMSYS_DRIVER_H
#define CSIM_MEMSYS_DRIVER_H

#include <signal.h>

#include "base/err.h"
#include "memsys/loop.h"

/* Without any work for so many cycles a run is stuck. Nothing waits for longer than some ten thousand of the slowest
 * clock (the largest latencies that a machine can have). */
enum { DRIVER_PATIENCE = 1 << 20 };

/* What a run counts may become `most` (0: no limit): it is cut after the cycle in which it does. */
struct driver_limit {
	uint64_t most, a_cycle; /* at most a_cycle are counted in a cycle: so the cut is exact */
	uint64_t (*count)(const void *run);
};

struct driver {
	struct loop *loop;
	const char *who; /* for panics */

	/* Of the run that is driven; what is optional may be NULL. */
	void *run;
	int (*failed)(const void *run, struct err *e);
	void (*paused)(void *run);	   /* optional: the loop has stopped, for a look or by loop_stop */
	const struct ticks *pause_at;	   /* optional: there too; paused() moves it on */
	uint64_t (*work)(const void *run); /* optional: grows with any work done. NULL: nobody minds a run that is
					    * stuck */
	struct ticks patience;
	int (*stuck)(const void *run, uint64_t since,
		     struct err *e);	    /* optional, since: a cycle; makes an error of it; without, it panics */
	uint64_t (*insts)(const void *run); /* for progress */

	/* Limits. 0, NULL: none. */
	uint64_t max_cycles;
	struct driver_limit warp_insts, thread_insts;
	const volatile sig_atomic_t *stop;

	void (*begins)(void *ctx);						      /* optional */
	void (*progress)(void *ctx, uint64_t cycles, uint64_t insts, uint64_t total); /* optional */
	void *watcher_ctx;							      /* of both */
	uint64_t total_insts;

	/* State; when the run has ended: how. */
	uint64_t cycle;	       /* of the last look */
	uint64_t done;	       /* the work done at the last look, ... */
	struct ticks moved_at; /* ... and the look at which that had grown */
	struct ticks end;      /* when nothing was left to do, or the run was cut */
	bool cut;
};

/* Ahead of driver_run, of a run that is at this cycle (0: at its begin). Fails if a limit has been reached. */
int driver_resume(struct driver *d, uint64_t cycle, struct err *e);

/* Fails as failed() and stuck() do. */
int driver_run(struct driver *d, struct err *e);

#endif
