/* Victims by the hardware block of hw/twins/pin_replacement.h: between the tags of an L1 whose lines can be pinned and
 * the block's port.
 *
 * The block works in two stages. A lookup that misses in core cycle t asks for its victim in t and has the answer in
 * t + 1; what the access does to its line (use, take, drop) is the operation of t + 1. A line that comes in t is a
 * fill of t, ahead of that cycle's lookup. So the block sees all in the order of the cache, an operation and a fill a
 * cycle. What would be a second one in a cycle goes a cycle later, with all that follows it, until the block has
 * caught up.
 *
 * The block gives a way to each newcomer, and none to a load whose data structure the locality table lets pass the
 * cache by: whether such a line is allocated is the block's decision (l1.c), not the cache's.
 *
 * Cycles in which nothing comes are left out. Units: core cycles; ways and sets as the block counts them.
 */
#ifndef CSIM_CACHE_REPLACEMENT_H
#define CSIM_CACHE_REPLACEMENT_H

#include <stdbool.h>

#include "hw/clocked.h"
#include "hw/twins/pin_replacement.h"
#include "machine/machine.h"
#include "policy/cache_policy.h"

struct replacement {
	struct pin_replacement_port port;
	struct pin_replacement_in in; /* of the clock's cycle, whose edge is still to come */
	struct clocked clock;	      /* busy: `in` holds something, or a response waits */
	bool bypass;		      /* the lookup that comes next is of a load that the locality table lets pass */
	uint64_t now;		      /* core cycle of the latest lookup or reply; its clock may be beyond now + 1 */
	uint32_t victim;	      /* the last answer: its way, */
	uint8_t pin;		      /* and its line's pin */
	uint64_t ended;		      /* times that the timer ended all pins */
	uint64_t full;		      /* lines with a hard pin that made room, as all of their set had one */
};

/* owner: "sm3.l1". Fails if the cache is beyond what the block can be built for, or the binder cannot bind it. */
int replacement_init(struct replacement *r, const struct machine_cache *c, uint32_t timer, const char *owner,
		     const struct hw_binder *binder, struct err *e);

/* It is core cycle `now`: ahead of its replies and its lookup. */
void replacement_at(struct replacement *r, uint64_t now);
/* Whether the block gives a way of the set: not if all are reserved, or to a lookup that bypasses. *way: the victim. */
bool replacement_victim(struct replacement *r, uint32_t set, uint32_t *way);

void replacement_use(struct replacement *r, uint32_t set, uint32_t way);
void replacement_take(struct replacement *r, uint32_t set, uint32_t way, bool reserved);
/* The line that has just taken a way is pinned. */
void replacement_pin(struct replacement *r, enum cache_pin pin);
void replacement_fill(struct replacement *r, uint32_t set, uint32_t way);
void replacement_drop(struct replacement *r, uint32_t set, uint32_t way);
/* All lines that are not on their way. */
void replacement_drop_all(struct replacement *r);

/* What is still to be stepped, is: at the end of a run. */
void replacement_finish(struct replacement *r);

#endif
