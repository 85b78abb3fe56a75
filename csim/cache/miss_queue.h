/* Packets of a cache that wait for the network, oldest first.
 *
 * What goes with one access goes at once, a victim's write-back ahead of the miss. So that a queue for one packet can
 * ever take them, an empty queue takes all.
 */
#ifndef CSIM_CACHE_MISS_QUEUE_H
#define CSIM_CACHE_MISS_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/ring.h"
#include "noc/request.h"

struct miss_queue {
	struct mem_req *packet; /* a ring of mask + 1, a power of two */
	uint32_t room, mask;
	uint32_t head, tail; /* counted up indefinitely */
};

/* room: packets that may wait; most: those of one access. */
static inline void miss_queue_init(struct miss_queue *q, struct arena *a, uint32_t room, uint32_t most)
{
	*q = (struct miss_queue){.room = room, .mask = (uint32_t)ring_slots((uint64_t)room + most) - 1};
	q->packet = arena_array(a, (size_t)q->mask + 1, sizeof *q->packet);
}

static inline uint32_t miss_queue_waiting(const struct miss_queue *q)
{
	return q->tail - q->head;
}

static inline bool miss_queue_has_room(const struct miss_queue *q, uint32_t packets)
{
	uint32_t waiting = miss_queue_waiting(q);

	return waiting + packets <= q->room || waiting == 0;
}

/* A place behind the others, which the caller fills. */
static inline struct mem_req *miss_queue_push(struct miss_queue *q)
{
	return &q->packet[q->tail++ & q->mask];
}

/* The oldest leaves; it stays readable until the next push. */
static inline const struct mem_req *miss_queue_pop(struct miss_queue *q)
{
	return &q->packet[q->head++ & q->mask];
}

/* The packet that has joined last; it has not left. */
static inline struct mem_req *miss_queue_newest(struct miss_queue *q)
{
	return &q->packet[(q->tail - 1) & q->mask];
}

#endif
