/* What the sub-cores of an SM share, and the queues of instructions that lead there.
 *
 * An SM is parted into sm.subcores: scheduler s, and the warp slots that are its own, belong to sub-core s mod
 * sm.subcores, and each sub-core has an equal share of the pipelines of a kind. What all of them share is the
 * load/store unit, and pipelines of which there are fewer than sub-cores (a GeForce's fp64). With subcore.queue N
 * instructions for these issue as long as their sub-core holds fewer than N of them, and go on in the order of issue.
 * In each core cycle, behind the schedulers, the queues are asked round robin, from the one on that follows the one
 * that was served last: the oldest instruction of a queue goes if its unit can take it, subcore.interval cycles at
 * least behind the one before it, and for the load/store unit subcore.ldst_interval behind that from any queue. An
 * instruction that finds nothing ahead goes in the cycle of its issue, so a queue alone changes no latency.
 *
 * Source: Huerta et al., "Analyzing Modern NVIDIA GPU cores", arXiv 2503.20481: four sub-cores, queues to the SM's
 * memory pipeline; docs/explanation/sm.md.
 */
#ifndef CSIM_SM_SUBCORE_H
#define CSIM_SM_SUBCORE_H

#include <stdbool.h>
#include <stdint.h>

#include "sm/operands.h"

enum { SUBCORE_MAX = 8, SUBCORE_MAX_QUEUE = 16 };

struct subcore_queue {
	uint32_t first, end; /* of its instructions, counted up indefinitely */
	struct operands_inst inst[SUBCORE_MAX_QUEUE];
};

struct subcores {
	bool on;				      /* there are queues */
	uint32_t room, mask, interval, ldst_interval; /* mask: of a queue's ring, which has a power of two of places */
	uint32_t last;				      /* queue that was served last */
	uint8_t of[SUBCORE_MAX];		      /* each scheduler's */
	uint64_t issued;			      /* instructions that came in */
	uint64_t ldst_next;			      /* cycle from which the load/store unit takes one */
	/* of the queues, what is looked at in each cycle: */
	uint8_t filled;		    /* those that hold some, a bit each, ... */
	uint8_t full;		    /* ... that have no room, ... */
	uint8_t at_ldst;	    /* ... whose oldest is for the load/store unit; */
	uint64_t next[SUBCORE_MAX]; /* cycle from which the oldest may go */
	struct subcore_queue queue[SUBCORE_MAX];
};

/* Of a machine with subcore.queue > 0; one that has not been initialised is off. */
void subcores_init(struct subcores *c, const struct machine *m);

static inline bool subcores_has_room(const struct subcores *c, unsigned scheduler)
{
	return !(c->full >> c->of[scheduler] & 1);
}

struct sm;

/* One that issues into its sub-core's queue, which has room. */
void subcore_issue(struct sm *sm, unsigned slot, const struct core_inst *in, uint32_t mask);
/* A core cycle of the queues, behind the schedulers. */
void subcore_step(struct sm *sm);
/* The next cycle in which one can go, as far as that is known; CYCLE_NEVER. */
uint64_t subcore_next(const struct sm *sm);

#endif
