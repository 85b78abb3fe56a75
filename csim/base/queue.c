#include "base/queue.h"

#include "base/panic.h"
#include "base/ring.h"

void *queue_ring_init(struct queue_ring *r, struct arena *a, uint32_t cap, size_t item, struct ticks credit_delay)
{
	uint64_t places = ring_places(cap);

	PANIC_UNLESS(cap, "queue", 0);
	*r = (struct queue_ring){.cap = cap, .mask = places - 1, .credit_delay = credit_delay};
	r->arrival = arena_array(a, places, sizeof *r->arrival);
	r->freed = arena_array(a, places, sizeof *r->freed);
	return arena_array(a, places, item);
}
