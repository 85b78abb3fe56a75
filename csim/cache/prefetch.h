/* Prefetches by data structure at an SM's L1: the model's end of the block of hw/twins/prefetch_unit.h.
 *
 * Before a launch the distances of its structures are written; when a CTA begins or ends on the SM the block is told of
 * its tile of each structure. As neither takes time of its own in this model, the block's clock is ahead of the core's
 * by these cycles. An access that has the L1's port in a cycle may trigger a prefetch; in a cycle without one, and in
 * which none waits, the L1 shows the block what it knows of the line in front, and the block decides:
 *
 *     prefetch_access(p, now, &a)           what becomes of the access's prefetch
 *     line = prefetch_line(p, now)          the line in front, while p->waiting; virtual
 *     prefetch_decide(p, now, &look)        it is fetched, or dropped: it does not wait any more
 *
 * Units: core cycles. Present when the run's plan prefetches (plan/plan.h).
 */
#ifndef CSIM_CACHE_PREFETCH_H
#define CSIM_CACHE_PREFETCH_H

#include <stdbool.h>

#include "hw/clocked.h"
#include "hw/twins/prefetch_unit.h"
#include "machine/machine.h"
#include "plan/plan.h"

struct prefetch {
	struct prefetch_unit_port port;
	struct prefetch_unit_in in;	  /* of the clock's cycle, whose edge is still to come */
	struct clocked clock;		  /* of the L1; busy: `in` holds something, or a line waits */
	uint64_t ahead;			  /* the block's own clock is so many cycles ahead of it */
	bool active;			  /* `in` holds something */
	uint32_t waiting;		  /* lines in the block's queue, with what `in` brings and takes */
	const struct plan_launch *launch; /* that runs, */
	const uint32_t *grid;		  /* and its grid; NULL: none yet */
};

enum prefetch_trigger_result { PREFETCH_NOT_TRIGGERED, PREFETCH_WAITS, PREFETCH_LOST /* the queue is full */ };

struct prefetch_look { /* of a line, at the L1 */
	bool known;    /* its page is; else the rest means nothing */
	bool there;    /* or on its way */
	bool way;      /* one of its set can be taken, */
	bool dirty;    /* whose line goes down first */
	uint32_t free_mshrs, free_queue;
};

enum prefetch_decision { PREFETCH_FETCH, PREFETCH_NO_PAGE, PREFETCH_NEEDLESS, PREFETCH_DROPPED };

/* depth: lines that can wait. owner: "sm3.l1". Fails as the binder does. */
int prefetch_init(struct prefetch *p, const struct machine *m, uint32_t depth, const char *owner, const struct hw_binder *binder,
		  struct err *e);
/* All CTAs have ended, nothing waits. */
void prefetch_begin_launch(struct prefetch *p, uint64_t now, const struct plan_launch *l, const uint32_t grid[3]);
void prefetch_begin_cta(struct prefetch *p, uint64_t now, uint32_t cta);
void prefetch_end_cta(struct prefetch *p, uint64_t now, uint32_t cta);

/* An access has the port. missed: a load that brings its line in. */
enum prefetch_trigger_result prefetch_access(struct prefetch *p, uint64_t now, const struct locality_answer *a, bool missed);
uint64_t prefetch_line(struct prefetch *p, uint64_t now);
enum prefetch_decision prefetch_decide(struct prefetch *p, uint64_t now, const struct prefetch_look *look);
/* What waits is dropped. */
void prefetch_drop_all(struct prefetch *p);

/* As l1_change() does. */
void prefetch_change(struct prefetch *p, const struct machine *m, uint64_t cycle);

/* Lets the block see all up to core cycle `cycle`: at the end of a run. */
void prefetch_finish(struct prefetch *p, uint64_t cycle);

#endif
