#include "base/queue.h"

#include "base/panic.h"

void *queue_ring_init(struct queue_ring *r, struct arena *a, uint32_t cap, size_t item, struct ticks credit_delay)
{
	uint64_t places = 1;

	PANIC_UNLESS(cap, "queue", 0);
	while (places < cap)
		places *= 2;
	*r = (struct queue_ring){.cap = cap, .mask = places - 1, .credit_delay = credit_delay};
	r->arrival = arena_array(a, places, sizeof *r->arrival);
	r->freed = arena_array(a, places, sizeof *r->freed);
	return arena_array(a, places, item);
}

uint64_t queue_ring_push(struct queue_ring *r, struct ticks arrival)
{
	uint64_t i = r->tail & r->mask;

	PANIC_UNLESS(r->tail - r->head < r->cap, "queue", arrival.n);
	PANIC_UNLESS(ticks_by(r->last, arrival), "queue", arrival.n);
	r->arrival[i] = r->last = arrival;
	r->tail++;
	if (r->consumer_wake && ticks_before(arrival, *r->consumer_wake))
		*r->consumer_wake = arrival;
	return i;
}

void queue_ring_pop(struct queue_ring *r, struct ticks now)
{
	uint64_t i = queue_ring_oldest(r);
	struct ticks back = ticks_add(now, r->credit_delay);
	bool was_full = r->tail - r->head == r->cap;

	PANIC_UNLESS(r->head != r->tail && ticks_by(r->arrival[i], now), "queue", now.n);
	r->freed[i] = back;
	r->head++;
	if (was_full && r->producer_wake && ticks_before(back, *r->producer_wake))
		*r->producer_wake = back;
}
