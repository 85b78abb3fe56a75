/* Which launches of a trace may begin: those whose waits (struct trace_launch) have ended, in the order in which they
 * became ready; of several that became so in one tick, in the order of the trace. */
#ifndef CSIM_DISPATCH_LAUNCH_ORDER_H
#define CSIM_DISPATCH_LAUNCH_ORDER_H

#include <stdbool.h>

#include "base/arena.h"
#include "trace/trace.h"

struct launch_order_edge { /* a launch that waits for another; of each other, a list of these */
	uint32_t waiter, next;
};

struct launch_order {
	const struct trace *trace;
	uint32_t n;	     /* launches */
	uint32_t below;	     /* all launches below have ended */
	bool *ended;	     /* by launch */
	uint32_t *waits;     /* by launch: of trace_waits() those that have not ended, and one more for those below */
	uint32_t *waiting;   /* by launch: the first edge of those that wait for it by trace_waits() */
	uint32_t *at_number; /* by number: the first edge of the launches that wait for all below it */
	struct launch_order_edge *edge;
	uint32_t *ready; /* ready[begun .. n_ready) may begin, of them those from `sorted` on in any order */
	uint32_t n_ready, begun, sorted;
};

void launch_order_init(struct launch_order *o, struct arena *a, const struct trace *t);

/* It has ended; once. */
void launch_order_end(struct launch_order *o, uint32_t launch);

/* The next one that may begin, after all ends of this tick; UINT32_MAX: none. It has begun then. */
uint32_t launch_order_begin(struct launch_order *o);

#endif
