/* The memory request prioritization buffer (Jia, Shaw, Martonosi, HPCA 2014), dwt-pric's comparator MRPB: requests to
 * the L1 wait in a queue a warp, and go on by warp instead of by age.
 *
 * Between coalescer and L1. Each core cycle the transaction at the load/store unit's head joins its warp's queue, if
 * that has room, and one that joined in an earlier cycle goes to the L1: the oldest of the lowest warp slot that has
 * any ("non-greedy, fixed order"). So a warp's requests stay in order, and while a low slot has requests it has the L1
 * to itself. A request that the L1 could not take is the next one to be tried; nothing overtakes it. The L1's other
 * half of the mechanism, that a load goes past it where all ways of its set are reserved ("bypass on associativity
 * stall"), is l1.front.bypass.
 *
 * Cycles are core cycles. Source: dwt-pric, section 5 and Table 4: a queue for each of 48 warps, 32 requests deep;
 * docs/studies/comparators.md.
 */
#ifndef CSIM_SM_LSU_MRPB_H
#define CSIM_SM_LSU_MRPB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "cache/l1.h"

enum { MRPB_MAX_WARPS = 64 };

struct mrpb_request {
	struct l1_access access;
	uint64_t number; /* by age */
};

struct mrpb_stats {
	uint64_t requests;  /* that joined a queue */
	uint64_t reordered; /* that went on before an older one */
	uint64_t full;	    /* cycles in which the head waited for room in its warp's queue */
};

struct mrpb {
	bool on;
	bool tried;	     /* the request that goes next has been shown to the L1, which may have failed it */
	unsigned warp;	     /* whose that is */
	uint32_t depth;	     /* requests a warp */
	uint64_t waiting;    /* warps that have requests */
	uint64_t joined;     /* requests so far: the next one's number */
	uint64_t full_since; /* cycle from which on the head has waited; UINT64_MAX: it does not */
	struct mrpb_queue {
		uint32_t first, n; /* a ring of depth */
	} queue[MRPB_MAX_WARPS];
	struct mrpb_request *request; /* warp * depth + position */
	struct mrpb_stats stats;
};

/* On if the machine has it (l1.front.policy). */
void mrpb_init(struct mrpb *m, struct arena *a, const struct machine *machine);

static inline bool mrpb_has_room(const struct mrpb *m, unsigned warp)
{
	return m->queue[warp].n < m->depth;
}

/* The head's transaction in cycle `now`: whether it has joined its warp's queue. */
bool mrpb_join(struct mrpb *m, uint64_t now, unsigned warp, const struct l1_access *a);

/* The request that goes to the L1 next, the same one until mrpb_take; NULL: there is none. */
const struct l1_access *mrpb_next(struct mrpb *m);
/* The L1 has taken it. */
void mrpb_take(struct mrpb *m);

/* Closes the counts at the end of a run of `cycles` cycles. */
void mrpb_finish(struct mrpb *m, uint64_t cycles);

#endif
