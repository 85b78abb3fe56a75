#include "cuda/wire_queue.h"

#include <string.h>

/* n <= WIRE_QUEUE_BYTES, from the ring's byte `at` on. */
static void copy_in(struct wire_queue *q, uint64_t at, const void *from, size_t n)
{
	size_t first = (size_t)(at % WIRE_QUEUE_BYTES), part = WIRE_QUEUE_BYTES - first;

	part = n < part ? n : part;
	memcpy(q->bytes + first, from, part);
	memcpy(q->bytes, (const char *)from + part, n - part);
}

static void copy_out(const struct wire_queue *q, uint64_t at, void *to, size_t n)
{
	size_t first = (size_t)(at % WIRE_QUEUE_BYTES), part = WIRE_QUEUE_BYTES - first;

	part = n < part ? n : part;
	memcpy(to, q->bytes + first, part);
	memcpy((char *)to + part, q->bytes, n - part);
}

/* The device sets `waits` and then reads `put`; this end sets `put` and then reads `waits`. In sequentially consistent
 * order one of them sees the other's, so no launch is left lying beside a device that waits. */
bool wire_queue_put(struct wire_queue *q, const struct wire_call *head, const void *behind, bool *ring)
{
	uint64_t put = atomic_load_explicit(&q->put, memory_order_relaxed);
	uint64_t room = WIRE_QUEUE_BYTES - (put - atomic_load_explicit(&q->taken, memory_order_acquire));

	*ring = false;
	if (head->bytes > WIRE_QUEUE_MAX_BEHIND || sizeof *head + head->bytes > room)
		return false;
	copy_in(q, put, head, sizeof *head);
	if (head->bytes)
		copy_in(q, put + sizeof *head, behind, head->bytes);
	atomic_store(&q->put, put + sizeof *head + head->bytes);
	*ring = atomic_load(&q->waits) && atomic_exchange(&q->waits, 0);
	return true;
}

enum wire_taken wire_queue_take(struct wire_queue_taker *t, struct wire_call *head)
{
	uint64_t there = atomic_load_explicit(&t->queue->put, memory_order_acquire) - t->taken;

	if (!there)
		return WIRE_TOOK_NONE;
	if (there > WIRE_QUEUE_BYTES || there < sizeof *head)
		return WIRE_TOOK_NONSENSE;
	copy_out(t->queue, t->taken, head, sizeof *head);
	if (head->bytes > WIRE_QUEUE_MAX_BEHIND || head->bytes > there - sizeof *head)
		return WIRE_TOOK_NONSENSE;
	copy_out(t->queue, t->taken + sizeof *head, t->behind, head->bytes);
	t->behind[head->bytes] = 0;
	t->taken += sizeof *head + head->bytes;
	atomic_store_explicit(&t->queue->taken, t->taken, memory_order_release);
	return WIRE_TOOK;
}

bool wire_queue_wait(struct wire_queue_taker *t)
{
	atomic_store(&t->queue->waits, 1);
	if (atomic_load(&t->queue->put) == t->taken)
		return true;
	wire_queue_wake(t);
	return false;
}

void wire_queue_wake(struct wire_queue_taker *t)
{
	atomic_store(&t->queue->waits, 0);
}
