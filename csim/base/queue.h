/* A time-stamped queue: the only way in which two components talk.
 *
 * One producer, one consumer. An element pushed at time t can be seen by the consumer from its arrival time on (t plus
 * at least one cycle of latency). Space is a credit: a pop gives one back, which the producer sees only from the pop's
 * time plus `credit_delay` on. So neither side ever sees what the other did in the same cycle, and the order in which
 * components are stepped does not matter. Times are struct ticks, of the common clock (base/ticks.h). Elements are
 * copied in and out; arrival times must not decrease.
 *
 * Its two ends may be in two shares (base/share.h), which two threads step: then each end sees what the other did from
 * the next quantum on, which is before the time from which on it counts.
 *
 * A queue is typed by what it carries. Beside the message is
 *
 *     QUEUE_OF(cta_start);                        declares struct cta_start_queue, a queue of struct cta_start
 *
 * and with a pointer q to such a queue
 *
 *     *queue_push(q, arrival) = (struct cta_start){...};
 *     const struct cta_start *m = queue_front(q, now);
 *
 * so that another struct there is an error or a warning of the compiler's (test 111). The operations are macros and
 * evaluate q more than once; what of a queue does not depend on its message, times and credits, is its `ring`.
 */
#ifndef CSIM_BASE_QUEUE_H
#define CSIM_BASE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/panic.h"
#include "base/share.h"
#include "base/ticks.h"

struct queue_ring {
	/* what the producer uses */
	struct ticks *arrival;	   /* ring */
	struct ticks *freed;	   /* ring: when the slot's credit is back at the producer */
	uint32_t cap;		   /* elements */
	uint32_t mask;		   /* of the ring, which has a power of two of slots, at least cap */
	uint64_t tail, taken;	   /* pushes so far, and the pops that are known of: the ring index is this & mask */
	struct ticks last;	   /* the latest push's arrival */
	struct queue_end producer; /* its wake is lowered by a pop of a queue that was full */
	/* what the consumer uses */
	uint64_t head, sent;	   /* pops so far, and the pushes that are known of */
	struct queue_end consumer; /* its wake is lowered by a push */
	/* Where the consumer of many queues keeps which of them hold something, and this queue's bit there: a push sets
	 * it, the consumer clears it when the queue is empty. filled may be NULL. */
	uint64_t *filled, filled_bit;
	struct ticks credit_delay;
};

#define QUEUE_OF(message)                                                                                                          \
	struct message##_queue {                                                                                                   \
		struct queue_ring ring;                                                                                            \
		union {                                                                                                            \
			struct message *slot;	    /* as the producer fills them, by ring index */                                \
			const struct message *sent; /* the same as the consumer sees them */                                       \
		};                                                                                                                 \
	}

/* ---- the typed queue ---- */

#define queue_init(q, arena, cap, credit_delay)                                                                                    \
	((q)->slot = queue_ring_init(&(q)->ring, arena, cap, sizeof *(q)->slot, credit_delay))

/* Producer. Whether a credit is there at `now`; if not, *when is the time at which one will be (TIME_NEVER: not
 * known yet). */
#define queue_has_space(q, now, when) queue_ring_has_space(&(q)->ring, now, when)

/* The slot to fill; the caller checked queue_has_space. */
#define queue_push(q, arrival) (&(q)->slot[queue_ring_push(&(q)->ring, arrival)])

/* Consumer. The oldest element if it has arrived by `now`, else NULL. */
#define queue_front(q, now) ((__typeof__((q)->sent))queue_ring_front(&(q)->ring, (q)->sent, sizeof *(q)->sent, now))

#define queue_next_arrival(q) queue_ring_next_arrival(&(q)->ring)

#define queue_pop(q, now) queue_ring_pop(&(q)->ring, now)

/* Consumer. Elements in it, arrived or not. */
#define queue_count(q) queue_ring_count(&(q)->ring)

/* ---- what does not depend on the message ---- */

/* Both ends. */
static inline void queue_ring_join(struct queue_ring *r, struct queue_end producer, struct queue_end consumer)
{
	r->producer = producer;
	r->consumer = consumer;
}

/* Returns the slots: zeroed, of `item` bytes each. */
void *queue_ring_init(struct queue_ring *r, struct arena *a, uint32_t cap, size_t item, struct ticks credit_delay);

static inline bool queue_ring_has_space(const struct queue_ring *r, struct ticks now, struct ticks *when)
{
	if (r->tail < r->cap)
		return true;
	if (r->tail - r->taken == r->cap) {
		*when = TIME_NEVER;
		return false;
	}
	*when = r->freed[(r->tail - r->cap) & r->mask];
	return ticks_by(*when, now);
}

/* The same for n elements at once. */
static inline bool queue_ring_has_space_for(const struct queue_ring *r, uint32_t n, struct ticks now, struct ticks *when)
{
	uint64_t last = r->tail + n - 1;

	if (last < r->cap)
		return true;
	*when = last - r->taken >= r->cap ? TIME_NEVER : r->freed[(last - r->cap) & r->mask];
	return ticks_by(*when, now);
}

static inline uint64_t queue_ring_oldest(const struct queue_ring *r)
{
	return r->head & r->mask;
}

/* The consumer learns of the next push that it does not know of. */
static inline void queue_ring_show_push(struct queue_ring *r)
{
	struct ticks arrival = r->arrival[r->sent++ & r->mask];

	if (r->filled)
		*r->filled |= r->filled_bit;
	if (r->consumer.wake && ticks_before(arrival, *r->consumer.wake))
		*r->consumer.wake = arrival;
}

/* Returns the index of the slot to fill. */
static inline uint64_t queue_ring_push(struct queue_ring *r, struct ticks arrival)
{
	uint64_t i = r->tail & r->mask;

	PANIC_UNLESS(r->tail - r->taken < r->cap, "queue", arrival.n);
	PANIC_UNLESS(ticks_by(r->last, arrival), "queue", arrival.n);
	r->arrival[i] = r->last = arrival;
	r->tail++;
	if (__builtin_expect(r->producer.share != r->consumer.share, 0))
		share_note(r->producer.share, &r->consumer, arrival, r, false);
	else
		queue_ring_show_push(r);
	return i;
}

/* The producer learns of the next pop that it does not know of. */
static inline void queue_ring_show_pop(struct queue_ring *r)
{
	struct ticks back = r->freed[r->taken & r->mask];
	bool was_full = r->tail - r->taken == r->cap;

	r->taken++;
	if (was_full && r->producer.wake && ticks_before(back, *r->producer.wake))
		*r->producer.wake = back;
}

static inline void queue_ring_pop(struct queue_ring *r, struct ticks now)
{
	uint64_t i = queue_ring_oldest(r);
	struct ticks back = ticks_add(now, r->credit_delay);

	PANIC_UNLESS(r->head != r->sent && ticks_by(r->arrival[i], now), "queue", now.n);
	r->freed[i] = back;
	r->head++;
	if (__builtin_expect(r->producer.share != r->consumer.share, 0))
		share_note(r->consumer.share, &r->producer, back, r, true);
	else
		queue_ring_show_pop(r);
}

/* The oldest of the slots, if it has arrived. */
static inline const void *queue_ring_front(const struct queue_ring *r, const void *slots, size_t item, struct ticks now)
{
	uint64_t i = queue_ring_oldest(r);

	return r->head != r->sent && ticks_by(r->arrival[i], now) ? (const unsigned char *)slots + i * item : NULL;
}

static inline struct ticks queue_ring_next_arrival(const struct queue_ring *r)
{
	return r->head == r->sent ? TIME_NEVER : r->arrival[queue_ring_oldest(r)];
}

/* For the producer. */
static inline bool queue_ring_is_full(const struct queue_ring *r)
{
	return r->tail - r->taken == r->cap;
}

/* For the consumer. */
static inline uint64_t queue_ring_count(const struct queue_ring *r)
{
	return r->sent - r->head;
}

#endif
