#include "base/queue.h"

#include "base/panic.h"
#include "base/ring.h"

void *queue_ring_init(struct queue_ring *r, struct arena *a, uint32_t cap, size_t item, struct ticks credit_delay)
{
	uint64_t slots = ring_slots(cap);

	PANIC_UNLESS(cap, "queue", 0);
	*r = (struct queue_ring){.cap = cap, .mask = (uint32_t)slots - 1, .credit_delay = credit_delay};
	r->arrival = arena_array(a, slots, sizeof *r->arrival);
	r->freed = arena_array(a, slots, sizeof *r->freed);
	return arena_array(a, slots, item);
}
