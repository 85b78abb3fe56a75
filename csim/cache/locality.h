/* The locality table at an SM's L1: the model's end of the block of hw/twins/locality_table.h.
 *
 * Before a launch its entries are written, one a cycle; as a launch takes no time of its own, the block's clock is
 * ahead of the core's by these cycles. During the launch the load/store unit asks about a load's transaction a cycle
 * before it is its turn at the L1, and takes the answer when it has had it: the answer of one that is stuck waits in
 * the block.
 *
 *     locality_request(l, now, addr)     in cycle now; one answer at most is out, or is taken in the same cycle
 *     locality_answer(l, now, &a)    in a later cycle, any number of times
 *     locality_take(l, now)          it will not be needed any more
 *
 * Units: core cycles. Present when the run's plan says so (plan/plan.h).
 */
#ifndef CSIM_CACHE_LOCALITY_H
#define CSIM_CACHE_LOCALITY_H

#include <stdbool.h>

#include "hw/clocked.h"
#include "hw/twins/locality_table.h"
#include "plan/plan.h"

struct locality_counts { /* taken = unmatched + all of caching = unmatched + all of prefetch */
	uint64_t lookups, unmatched;
	uint64_t caching[4], prefetch[4]; /* by what the entry that matched says, in two bits each */
	uint64_t taken, written;	  /* answers; entries ahead of launches */
};

struct locality {
	bool on;
	const struct plan_launch *of; /* by launch */
	struct locality_table_port port;
	struct locality_table_in in;   /* of the clock's cycle, whose edge is still to come */
	struct clocked clock;	       /* of the L1; busy: `in` asks or takes, or an answer is out */
	uint64_t ahead;		       /* the block's own clock is so many cycles ahead of it */
	struct locality_table_out out; /* the last answer */
	uint64_t addr;		       /* that was asked about last */
	bool waiting;		       /* an answer is out */
	struct locality_counts count;
};

/* owner: "sm3.l1". of: of the plan, by launch. Fails as the binder does. */
int locality_init(struct locality *l, const struct plan_launch *of, const char *owner, const struct hw_binder *binder,
		  struct err *e);
/* No answer is out. */
void locality_begin_launch(struct locality *l, uint64_t now, uint32_t launch);
void locality_request(struct locality *l, uint64_t now, uint64_t addr);
void locality_answer(struct locality *l, uint64_t now, struct locality_answer *a);
void locality_take(struct locality *l, uint64_t now);
/* Lets the block see all that has been asked and taken ahead of core cycle `cycle`. */
void locality_finish(struct locality *l, uint64_t cycle);

#endif
