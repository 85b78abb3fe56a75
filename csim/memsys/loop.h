/* The run loop: parts on the core clock, and the memory system, stepped at the ticks at which they have something to
 * do.
 *
 * A part's next tick is in one array, in which queues lower it when they bring something (consumer_wake,
 * producer_wake). The loop goes to the smallest entry, and steps every part that is due at it; one that was woken
 * between two core edges waits for the next. The memory system is one part that keeps the times of its own parts; they
 * are asked for anew when it has been stepped, or a part that has queues to or from it.
 */
#ifndef CSIM_MEMSYS_LOOP_H
#define CSIM_MEMSYS_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/due.h"
#include "base/queue.h"
#include "memsys/memsys.h"

typedef struct ticks loop_step(void *part, struct ticks now);

struct loop_part {
	loop_step *step;
	void *part;
	const char *name; /* for panics */
	bool apart;	  /* it has no queue to or from the memory system */
};

struct loop {
	struct ticks now, until; /* until: when loop_run stops */
	uint64_t period;	 /* of the core clock */
	uint32_t n, cap;	 /* cap: entries of next (base/due.h) */
	struct ticks *next;
	struct loop_part *part;
	struct memsys *memsys; /* keeps its own parts' times */
	struct ticks below;    /* the soonest of these, if it is known */
	bool below_known;
	bool reverse;
};

enum { LOOP_CHECK_CYCLES = 4096 /* between looks up from the work (memsys/driver.h) */ };

/* max: parts that will be added. */
void loop_init(struct loop *l, struct arena *a, uint32_t max, uint64_t period);

/* Adds a part, due at tick 0. Returns where its next tick is, for the queues' wakes. */
struct ticks *loop_add(struct loop *l, loop_step *step, void *part, const char *name);

/* The part that loop_add returned this for has no queue to or from the memory system. */
void loop_keep_apart(struct loop *l, const struct ticks *next);

/* Steps until no part has anything to do (false) or tick `until` is reached, which is not stepped (true). */
bool loop_run(struct loop *l, struct ticks until);

/* For a part that is being stepped: loop_run returns when all that is due at this tick has been stepped. */
static inline void loop_stop(struct loop *l)
{
	l->until = (struct ticks){l->now.n + 1};
}

#endif
