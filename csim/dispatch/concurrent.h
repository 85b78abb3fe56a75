/* Launches at the same time (launch.concurrent): the dispatcher's part when a program uses streams.
 *
 * A launch begins when those that it waits for have ended (dispatch/launch_order.h) and fewer than `most` launches are
 * there; it may send CTAs launch.latency later. Launches that have begun stand in a queue. Only the first that has CTAs
 * left sends any, in ascending order, to SMs that still have room; the next one begins to send when the
 * last CTA of it is sent. So a launch gets what those before it leave over. A CTA takes a CTA's place, warps, threads,
 * registers and shared memory of an SM, whichever launch it is of (machine/occupancy.h).
 *
 * An SM whose L1 and shared memory are one array keeps its carve-out as long as it has CTAs; idle, it takes that of the
 * launch whose CTA comes next. A CTA whose shared memory does not fit in the carve-out waits for it to be idle. The
 * first CTA of a launch on an SM finds no line in the L1 that stores of others may have changed: all are dropped, but
 * what is on its way or dirty (local memory of other CTAs).
 *
 * Source: Amert et al., "GPU Scheduling on the NVIDIA TX2: Hidden Details Revealed" (RTSS 2017), section 3: kernels at
 * the heads of their streams join one FIFO queue, a kernel leaves it when all of its CTAs are assigned, and its stream
 * when all have ended. Xu et al., "Warped-Slicer" (ISCA 2016), section 1, call it the left-over policy. Priorities of
 * streams, which have queues of their own on hardware, are not modelled.
 */
#ifndef CSIM_DISPATCH_CONCURRENT_H
#define CSIM_DISPATCH_CONCURRENT_H

#include "base/audit.h"
#include "base/ticks.h"
#include "dispatch/launch_order.h"
#include "machine/carveout.h"
#include "machine/occupancy.h"

struct dispatch;

struct concurrent_config { /* of a run whose launches may run at the same time */
	const struct machine *machine;
	uint32_t most;			 /* launches at a time, >= 1 */
	const struct carveout *carveout; /* by launch; NULL: L1 and shared memory are apart */
};

struct concurrent_launch { /* that has begun and has not ended */
	uint32_t launch;
	uint32_t sent, ended; /* CTAs */
	struct ticks opens;   /* from when on CTAs are sent */
	uint64_t *ended_set;  /* a bit a CTA */
	uint64_t *been;	      /* SMs that have had a CTA of it, a bit each */
};

struct concurrent_sm {
	struct cta_needs used; /* by the CTAs that it holds */
	uint64_t shared_bytes; /* its carve-out, or what the machine has */
};

struct concurrent_times { /* of a launch */
	struct ticks began, ended;
};

struct concurrent {
	uint32_t most, n;	       /* launches at a time; that are there */
	struct concurrent_launch *run; /* n of them, in the order in which they began, */
	uint32_t sending;	       /* of which this is the first with CTAs left to send; n: none has any */
	struct launch_order order;
	struct cta_needs *needs; /* by launch: a CTA's */
	struct cta_needs has;	 /* an SM */
	const struct carveout *carveout;
	struct concurrent_sm *sm;
	uint32_t *ended; /* launches, in the order in which they ended */
	uint32_t n_ended;
	struct concurrent_times *times; /* by launch */
	uint32_t most_seen;		/* launches at a time */
};

struct concurrent *concurrent_new(struct arena *a, const struct dispatch *d, const struct concurrent_config *c);

/* In place of what dispatch_step() does else. */
struct ticks concurrent_step(struct dispatch *d, struct ticks now);

/* Invariants: no launch began before what it waits for had ended, and no more than `most` were there. */
void concurrent_audit(const struct concurrent *c, struct audit *a);

#endif
