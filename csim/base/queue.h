/* A time-stamped queue: the only way in which two components talk.
 *
 * One producer, one consumer. An element pushed at time t can be seen by the consumer from its arrival time on (t plus at least
 * one cycle of latency). Space is a credit: a pop gives one back, which the producer sees only from the pop's time plus
 * `credit_delay` on. So neither side ever sees what the other did in the same cycle, and the order in which components are
 * stepped does not matter. Times are ticks of the common clock. Elements are copied in and out; arrival times must not decrease.
 */
#ifndef CSIM_BASE_QUEUE_H
#define CSIM_BASE_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

#define TIME_NEVER UINT64_MAX

struct queue {
	uint32_t cap, item;	 /* elements; bytes of an element */
	uint64_t mask;		 /* of the ring, which has a power of two of places, at least cap */
	uint64_t head, tail;	 /* pops and pushes so far; the ring index is this & mask */
	uint64_t credit_delay;	 /* ticks */
	uint64_t *arrival;	 /* ring */
	uint64_t *freed;	 /* ring: when the slot's credit is back at the producer */
	unsigned char *data;	 /* ring */
	uint64_t *consumer_wake; /* where the consumer's next event time stands; lowered by a push; may be NULL */
	uint64_t *producer_wake; /* likewise for the producer, lowered by a pop of a queue that was full */
};

void queue_init(struct queue *q, struct arena *a, uint32_t cap, uint32_t item, uint64_t credit_delay);

/* Producer. Whether a credit is there at `now`; if not, *when is the time at which one will be (TIME_NEVER: not known yet). */
static inline bool queue_has_space(const struct queue *q, uint64_t now, uint64_t *when)
{
	if (q->tail < q->cap)
		return true;
	if (q->tail - q->head == q->cap) {
		*when = TIME_NEVER;
		return false;
	}
	*when = q->freed[(q->tail - q->cap) & q->mask];
	return *when <= now;
}

/* The same for n elements at once. */
static inline bool queue_has_space_for(const struct queue *q, uint32_t n, uint64_t now, uint64_t *when)
{
	uint64_t last = q->tail + n - 1;

	if (last < q->cap)
		return true;
	*when = last - q->head >= q->cap ? TIME_NEVER : q->freed[(last - q->cap) & q->mask];
	return *when <= now;
}
void *queue_push(struct queue *q, uint64_t arrival); /* returns the slot to fill; caller checked queue_has_space */

/* Consumer. The oldest element if it has arrived by `now`, else NULL. */
static inline const void *queue_front(const struct queue *q, uint64_t now)
{
	uint64_t i = q->head & q->mask;

	return q->head != q->tail && q->arrival[i] <= now ? q->data + i * q->item : (const void *)0;
}
static inline uint64_t queue_next_arrival(const struct queue *q)
{
	return q->head == q->tail ? TIME_NEVER : q->arrival[q->head & q->mask];
}
void queue_pop(struct queue *q, uint64_t now);

#endif
