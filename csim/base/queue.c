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
