/* What the files of the L1 say to one another; nobody else includes this. */
#ifndef CSIM_CACHE_L1_IMPL_H
#define CSIM_CACHE_L1_IMPL_H

#include "cache/l1.h"

/* ---- l1.c: an access, from the port to the miss queue ---- */

/* The one function by which the tags are asked. */
enum tags_result l1_look_up(struct l1 *l, uint64_t cycle, uint64_t line, uint32_t *slot);

struct l1_fetch { /* a line to be brought in, and for whom */
	uint64_t line;
	struct mshr_waiter who;
	uint16_t buffer;
	uint8_t mode, sectors; /* sectors: those to fetch */
};

/* Asks for a line that is neither there nor on its way, which has its way now (a victim of the lookup, evicted) or when
 * it comes: L1_MISS, or a fail that changes nothing. */
enum l1_result l1_fetch_line(struct l1 *l, const struct l1_fetch *f, const struct tags_lookup *at);

/* Packets that ask for so many sectors of a line. */
uint32_t l1_packets_for(const struct l1 *l, uint32_t sectors);

/* What is in the slot, if anything is, makes room; if it is dirty, there is room in the miss queue. */
void l1_evict(struct l1 *l, uint32_t slot);

static inline void l1_enqueue(struct l1 *l, const struct mem_req *r)
{
	struct mem_req *slot = miss_queue_push(&l->queue);

	*slot = *r;
	slot->cache = l->sender;
	slot->requester = l->requester;
}

/* ---- l1_prefetch.c ---- */

void l1_prefetch_init(struct l1 *l, struct arena *a, const struct machine *m, const struct prefetcher *p);
/* An access had the port, and that is how it went: asks the prefetcher for a proposal. */
void l1_prefetch_observe(struct l1 *l, uint64_t cycle, const struct l1_access *a, enum l1_result r);
/* A load has met a line that was prefetched, for the first time; waits for one that comes. */
void l1_prefetch_met(struct l1 *l, uint32_t slot);
void l1_prefetch_joined(struct l1 *l, uint32_t entry);

/* ---- l1_classes.c, in a cache that has them ---- */

/* An access has led to the newest proposal; the line of the oldest proposal, just taken, has been asked for; the newest
 * packet writes a line back. */
void l1_classes_propose(struct l1 *l, const struct l1_access *trigger);
void l1_classes_prefetch(struct l1 *l);
void l1_classes_write_back(struct l1 *l, uint64_t line);

#endif
