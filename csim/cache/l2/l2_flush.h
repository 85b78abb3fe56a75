/* The flush of an L2 slice at the SMs, at the end of a kernel: once the slice has nothing else in flight a dirty line a
 * cycle is written back, and when all are acknowledged every line is dropped. The dispatcher asks for it by a queue,
 * and is answered by another. Source: docs/explanation/memory.md.
 */
#ifndef CSIM_CACHE_L2_L2_FLUSH_H
#define CSIM_CACHE_L2_L2_FLUSH_H

#include "cache/l2/l2.h"

struct l2_flush {	  /* to the slice: flush; from it: it has */
	uint32_t program; /* that asks for it: the dispatcher's number */
};
QUEUE_OF(l2_flush);

struct l2_flusher {
	struct l2 *slice;
	struct l2_flush_queue asked, done;
	uint32_t at; /* slot */
};

/* The queues are made here, for the dispatcher. */
void l2_flusher_init(struct l2_flusher *f, struct arena *a, struct l2 *slice);

/* A step of a flush that is asked for, after the slice's own at the same tick. Returns the next tick at which there is
 * something to do, beside those at which something comes to the slice. */
struct ticks l2_flusher_step(struct l2_flusher *f, struct ticks now);

#endif
