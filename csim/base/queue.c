#include "base/queue.h"

#include "base/panic.h"

void queue_init(struct queue *q, struct arena *a, uint32_t cap, uint32_t item, uint64_t credit_delay)
{
	uint64_t ring = 1;

	PANIC_UNLESS(cap, "queue", 0);
	while (ring < cap)
		ring *= 2;
	*q = (struct queue){.cap = cap, .item = item, .mask = ring - 1, .credit_delay = credit_delay};
	q->arrival = arena_array(a, ring, sizeof *q->arrival);
	q->freed = arena_array(a, ring, sizeof *q->freed);
	q->data = arena_array(a, ring, item);
}

void *queue_push(struct queue *q, uint64_t arrival)
{
	uint64_t i = q->tail & q->mask;

	PANIC_UNLESS(q->tail - q->head < q->cap, "queue", arrival);
	q->arrival[i] = arrival;
	q->tail++;
	if (q->consumer_wake && *q->consumer_wake > arrival)
		*q->consumer_wake = arrival;
	return q->data + i * q->item;
}

void queue_pop(struct queue *q, uint64_t now)
{
	uint64_t i = q->head & q->mask, back = now + q->credit_delay;
	bool was_full = q->tail - q->head == q->cap;

	PANIC_UNLESS(q->head != q->tail, "queue", now);
	q->freed[i] = back;
	q->head++;
	if (was_full && q->producer_wake && *q->producer_wake > back)
		*q->producer_wake = back;
}
