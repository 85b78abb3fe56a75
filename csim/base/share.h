/* A share: the parts of a machine that one host thread steps, and what they did to queues whose other end is in another
 * share.
 *
 * Shares run a quantum of ticks side by side, no longer than the shortest time from one to another, so that nothing
 * that a share does in a quantum can be seen elsewhere before the next one. What it pushes to other shares, and pops of
 * what came from there, it notes here; at the next quantum's begin each share takes in what the others have noted for
 * it. Between the two is a barrier (memsys/loop.h), so no two threads ever touch the same words at a time. Notes of one
 * quantum are read while those of the next are written: there are two sets, by the quantum's parity.
 *
 * A queue knows the shares of its two ends (base/queue.h). Where there is one share they are NULL, and all queues are
 * within it.
 */
#ifndef CSIM_BASE_SHARE_H
#define CSIM_BASE_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/ticks.h"

enum { SHARE_MAX = 16 };

struct queue_ring;

struct share_note {
	struct queue_ring *ring;
	bool pop; /* of an element of it; else a push */
};

struct share_notes {
	struct share_note *note;
	uint32_t n, cap;
};

struct share {
	struct region *region; /* of its notes (base/region.h); NULL: on the heap */
	uint32_t number, parity;
	struct ticks end;	 /* of the quantum */
	struct ticks soonest;	 /* when the first of what was noted in this quantum is seen elsewhere, ... */
	struct ticks watched_at; /* ... and when by the part whose next tick is at ... */
	const struct ticks *watched;
	struct share_notes out[2][SHARE_MAX]; /* by parity and by who is to take it in */
} __attribute__((aligned(128)));	      /* of two caches' lines and the neighbours that they fetch */

struct shares {
	uint32_t n;
	struct share *of; /* NULL: there is one, and nothing to note */
};

static inline struct share *shares_at(const struct shares *s, uint32_t i)
{
	return s->of ? &s->of[i] : NULL;
}

/* One end's wake and share. */
struct queue_end {
	struct ticks *wake; /* where the part's next event time is; may be NULL */
	struct share *share;
};

/* From here on notes are of the quantum that ends with tick end - 1. */
void share_begin(struct share *s, struct ticks end);

/* Notes that `from`, which is in a quantum, pushed an element to, or popped one of, a queue whose other end is `to`,
 * which sees that at `at`. */
void share_note(struct share *from, const struct queue_end *to, struct ticks at, struct queue_ring *ring, bool pop);

/* Takes in what the others noted for s in the quantum that they have all ended. */
void share_take_in(const struct share *s, const struct shares *all);

void shares_free(struct shares *s);

#endif
