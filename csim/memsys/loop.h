/* The run loop: parts on the core clock, and the memory system, stepped at the ticks at which they have something to
 * do.
 *
 * A part's next tick is in an array, in which queues lower it when they bring something (struct queue_end). The loop
 * goes to the smallest entry, and steps every part that is due at it; one that was woken between two core edges waits
 * for the next. The memory system is one part that keeps the times of its own parts; they are asked for anew when it
 * has been stepped, or a part that has queues to or from it.
 *
 * With several shares (base/share.h) each has an array of its own, and a host thread (memsys/crew.h) goes through the
 * ticks of its share in quanta: all begin at the smallest entry of all, and end `quantum` ticks later, or behind the
 * next tick of the part that may stop the loop, whichever comes first. So a stop is behind all that was due at its tick
 * and ahead of all else, as with one share. Which thread is how fast changes nothing. Where threads are no faster than
 * one (memsys/pace.h) that one goes through the shares in turn.
 */
#ifndef CSIM_MEMSYS_LOOP_H
#define CSIM_MEMSYS_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/due.h"
#include "base/queue.h"
#include "base/share.h"
#include "memsys/crew.h"
#include "memsys/memsys.h"
#include "memsys/pace.h"
#include "memsys/stepped.h"

typedef struct ticks loop_step(void *part, struct ticks now);

struct loop_part {
	loop_step *step;
	void *part;
	const char *name; /* for panics */
	bool apart;	  /* it has no queue to or from the memory system */
};

/* What a thread tells the others at the end of a quantum; by its parity. */
struct loop_word {
	struct ticks soonest; /* that something is due in its share, or in another for what it did */
	struct ticks stopper; /* likewise, to the part that may stop the loop */
	struct ticks until;
	bool leave; /* share 0: all stop here, though there is more to do */
};

struct loop_share {
	struct ticks *next; /* of each part, TIME_NEVER of others' */
	struct ticks below; /* the soonest of the memory system's, if it is known */
	bool below_known;
	struct ticks now; /* the tick that is being stepped, or was last */
	struct loop_word word[2];
	/* of share 0 */
	struct pace pace;
	uint64_t long_waits;	 /* of the crew, that pace knows of */
} __attribute__((aligned(128))); /* what one thread writes is in no line that others read all the time */

struct loop {
	struct ticks now, until; /* now: the last that was stepped; until: when loop_run stops */
	uint64_t period;	 /* of the core clock */
	uint32_t n, cap;	 /* cap: entries of next (base/due.h) */
	struct loop_part *part;
	struct loop_share *share;
	struct shares shares;
	struct ticks quantum;	     /* with several */
	const struct ticks *stopper; /* where the next tick of the part is that may call loop_stop; with several */
	struct crew *crew;	     /* NULL: the caller's thread steps all shares */
	bool always_crew;	     /* whatever the pace: for tests */
	struct memsys *memsys;	     /* keeps its own parts' times */
	bool reverse;
	stepped_name *stepped; /* NULL: nobody asks */
};

enum { LOOP_CHECK_CYCLES = 4096 /* between looks up from the work (memsys/driver.h) */ };

/* max: parts that will be added. shares: 1 .. SHARE_MAX. */
void loop_init(struct loop *l, struct arena *a, uint32_t max, uint64_t period, uint32_t shares);
/* Ahead of the first loop_run, in this process: as many threads as shares, if several are wanted and the host gives
 * them. */
void loop_start(struct loop *l, bool threads);
/* Ends the threads, if there are any. */
void loop_free(struct loop *l);

/* Adds a part to a share, due at tick 0. Returns the end that its queues have there. */
struct queue_end loop_add(struct loop *l, uint32_t share, loop_step *step, void *part, const char *name);

/* The part that loop_add returned this for has no queue to or from the memory system. */
void loop_keep_apart(struct loop *l, struct queue_end own);

/* The part that loop_add returned this for, of share 0, is the one that may call loop_stop. */
void loop_may_stop(struct loop *l, struct queue_end own);

/* Steps until no part has anything to do (false) or tick `until` is reached, which is not stepped (true). */
bool loop_run(struct loop *l, struct ticks until);

/* For a part of share 0 that is being stepped: the tick. */
static inline struct ticks loop_now(const struct loop *l)
{
	return l->share[0].now;
}

/* Likewise: loop_run returns when all that is due at this tick has been stepped. */
static inline void loop_stop(struct loop *l)
{
	l->until = (struct ticks){loop_now(l).n + 1};
}

#endif
