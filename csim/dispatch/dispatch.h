/* The CTA dispatcher: sends the CTAs of a launch to the SMs that have room, launch after launch.
 *
 * A component on queues like any other: it learns that an SM has room from the "done" messages that the SM sends, and
 * starts a CTA by a message, each a core cycle on its way. In a core cycle it sends at most one CTA to each SM; it
 * begins with the SM after the one that it served last. A launch begins when all CTAs of the one before have ended,
 * and sends its first CTA launch.latency later. With L2 slices at the SMs (l2.side sm) a launch has ended when they
 * have also written back what is dirty and dropped all lines: the dispatcher asks each slice of the modules in use
 * and waits for all answers.
 *
 * Which CTA an SM gets is decided by a policy (dispatch/policy.h), which the plan names for each launch; without a plan
 * CTAs go round robin.
 *
 * Several programs of a plan run beside each other, each on its own SMs, as if it were alone with the dispatcher. The
 * launches of one that uses streams may run at the same time, on the same SMs (dispatch/concurrent.h).
 */
#ifndef CSIM_DISPATCH_DISPATCH_H
#define CSIM_DISPATCH_DISPATCH_H

#include <stdbool.h>

#include "base/queue.h"
#include "dispatch/timeline.h"
#include "dispatch/windows.h"
#include "hw/port.h"
#include "memsys/memsys.h"
#include "noc/cta_message.h"
#include "plan/plan.h"

struct dispatch;
struct dispatch_policy;

#define DISPATCH_NONE UINT32_MAX
struct dispatch_program {		      /* launches that follow one another */
	const struct dispatch_policy *policy; /* of the current launch */
	void *state[DISPATCH_COUNT];	      /* of each policy that a launch of the program names; else NULL */
	uint32_t launch, end_launch;	      /* the current one; it is end_launch when all have ended */
	struct ticks opens;		      /* from when on CTAs of the current one are sent */
	bool begun;			      /* the SMs do not know yet that it is the current one */
	uint32_t window;		      /* of the current launch, whose CTAs are sent; WINDOW_NONE: none yet */
	uint32_t to_end;		      /* CTAs of the current launch that are sent, ... */
	uint32_t ended;			      /* ... and that have ended */
	uint64_t *ended_set;		      /* of the current launch, a bit a CTA */
	struct ticks end;		      /* when its last CTA's, or slice's, message was taken */
	uint64_t modules;		      /* those of its SMs, as bits: whose slices at the SMs are flushed */
	uint32_t unflushed;		      /* of them, since it ended ... */
	bool flushing;			      /* ... and they were asked to */
};

struct dispatch_slice {
	struct l2_flush_queue *flush, *flushed;
	uint32_t module;
};

struct dispatch_hardware { /* for policies that are hardware blocks */
	const struct hw_binder *binder;
	struct ticks table_latency; /* from a request for an entry of a group table to its answer */
};

struct concurrent;
struct concurrent_config;

struct dispatch_config {
	uint32_t n_sms;		 /* on the CPU its cores take the place of SMs */
	uint64_t period;	 /* of the clock of dispatcher and SMs */
	uint32_t launch_latency; /* cycles of it, from a launch to its first CTA */
	uint32_t cta_latency;	 /* cycles of it, from a CTA's choice to its start, >= 1 */
	const struct trace *trace;
	const uint32_t *limit;			/* CTAs an SM holds, by launch */
	const uint8_t *skipped;			/* by launch: it is passed over; NULL: none is */
	const struct dispatch_windows *windows; /* by launch that goes round robin; NULL: all are sent whole */
	const struct plan *plan;		/* NULL: one program, round robin */
	struct cta_start_queue *start;		/* one per SM */
	struct cta_done_queue *done;		/* likewise */
	struct launch_begin_queue *begin;	/* likewise; NULL: SMs are not told of launches */
	const uint8_t *most;			/* with begin: warps of a scheduler at most, by launch */
	struct code_begin_queue *code;		/* one per GPC whose instruction cache is told of launches: */
	uint32_t n_gpcs;			/* 0: there are none */
	struct dispatch_hardware hardware;
	struct timeline *timeline;		    /* NULL: none is kept */
	const struct concurrent_config *concurrent; /* NULL: launches run one after another; else there is one program
						     * without a policy, and no slice at an SM */
};

struct dispatch {
	const struct plan *plan; /* NULL: one program, round robin */
	const struct trace *trace;
	const uint32_t *limit;
	const uint8_t *skipped;
	const struct dispatch_windows *windows;
	uint32_t n_sms;
	uint64_t period;
	uint32_t launch_latency;
	uint32_t cta_latency;
	struct cta_start_queue *start;
	struct cta_done_queue *done;
	struct launch_begin_queue *begin; /* NULL: SMs are not told of launches */
	const uint8_t *most;
	struct code_begin_queue *code; /* by GPC */
	uint32_t n_gpcs;

	uint32_t n_programs;
	struct dispatch_program *program;
	uint32_t first;		/* SM to serve first */
	uint32_t *live;		/* by SM */
	uint64_t sent, retired; /* CTAs, all launches */
	uint64_t ended_again;	/* CTAs that ended a second time: must stay 0 */
	struct ticks end;	/* when the last CTA's, or slice's, message was taken */

	uint32_t n_slices; /* at the SMs */
	struct dispatch_slice *slice;

	struct timeline *timeline;     /* NULL: none is kept */
	struct concurrent *concurrent; /* NULL: launches run one after another; else program[0].launch counts those that
					* have ended (dispatch/concurrent.h) */
};

/* Fails if a policy's hardware cannot be built. */
int dispatch_init(struct dispatch *d, struct arena *a, const struct dispatch_config *c, struct err *e);

/* The slices to flush at the end of each launch; own: the dispatcher's end of their queues. */
void dispatch_flush_slices(struct dispatch *d, struct arena *a, struct memsys *s, struct queue_end own);

/* Words of it that point to what does not change: to policies and to the plan. set: as the launches that have begun
 * have them. */
void dispatch_visit_outside(struct dispatch *d, void (*visit)(void *ctx, void *word), void *ctx);
void dispatch_set_outside(struct dispatch *d);

struct ticks dispatch_step(struct dispatch *d, struct ticks now);

/* The GPCs' instruction caches are told that the launch begins; one that has not taken what it was told before is
 * not. */
void dispatch_notify_gpcs(struct dispatch *d, uint32_t launch, struct ticks now);

/* NULL: the launch is sent whole. */
const struct dispatch_windows *dispatch_windows_of(const struct dispatch *d, uint32_t launch);

bool dispatch_finished(const struct dispatch *d);
/* The launch that ended when n others of its program had, or if none has, one that has not. */
uint32_t dispatch_ended(const struct dispatch *d, uint32_t n);
uint32_t dispatch_launch(const struct dispatch *d); /* one that has not ended, for messages */

#endif
