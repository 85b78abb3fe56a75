/* What the files of the L1 say to one another; nobody else includes this. */
#ifndef CSIM_CACHE_L1_IMPL_H
#define CSIM_CACHE_L1_IMPL_H

#include "cache/l1.h"

static inline struct mshr_waiter l1_waiter(const struct l1_access *a)
{
	return (struct mshr_waiter){a->client, a->token};
}

/* l1_prefetch.c: a load has met a line that was prefetched, for the first time; waits for one that comes. */
void l1_prefetch_met(struct l1 *l, uint32_t slot);
void l1_prefetch_joined(struct l1 *l, uint32_t entry);

/* A load has met its line, there or on its way. */
static inline void l1_touch(struct l1 *l, uint32_t slot)
{
	if (__builtin_expect(l->prefetch.policy && l->prefetch.untouched[slot], 0))
		l1_prefetch_met(l, slot);
	tags_touch(&l->tags, slot);
}

/* The packet that has joined the miss queue last; it has not left. */
static inline struct mem_req *l1_newest_packet(struct l1 *l)
{
	return &l->queue[(l->queue_tail - 1) & l->queue_mask];
}

/* Room in the miss queue. What goes with an access goes at once, a victim's write-back in front; so that a queue for
 * one packet can ever take them, an empty queue takes all. */
static inline bool l1_room(const struct l1 *l, uint32_t packets)
{
	uint32_t waiting = l->queue_tail - l->queue_head;

	return waiting + packets <= l->queue_room || waiting == 0;
}

static inline void l1_enqueue(struct l1 *l, const struct mem_req *r)
{
	struct mem_req *slot = &l->queue[l->queue_tail++ & l->queue_mask];

	*slot = *r;
	slot->cache = l->sender;
	slot->requester = l->requester;
}

struct l1_fetch { /* a line to be brought in, and for whom */
	uint64_t line;
	struct mshr_waiter who;
	uint16_t buffer;
	uint8_t mode, sectors; /* sectors: those to fetch */
};

/* Of a whole line. */
static inline struct l1_fetch l1_fetch_for(const struct l1_access *a, uint64_t line)
{
	return (struct l1_fetch){line, l1_waiter(a), a->buffer, a->mode, 1};
}

/* l1.c */

/* The one function by which the tags are asked. */
enum tags_result l1_lookup(struct l1 *l, uint64_t cycle, uint64_t line, uint32_t *slot);
/* What is in the slot, if anything is, makes room; if it is dirty, the caller has checked for room in the miss
 * queue. */
void l1_evict(struct l1 *l, uint32_t slot);
/* Sends an access down as it is; the caller has checked for room. */
void l1_send_past(struct l1 *l, const struct l1_access *a);

/* Serves an access as if it had no hints. */
enum l1_result l1_any(struct l1 *l, uint64_t cycle, const struct l1_access *a);

/* l1_hints.c: an access with hints; one without, which waits for a line that is on its way; data have come, and the
 * line has the slot, which it has just taken or had before. */
enum l1_result l1_by_hints(struct l1 *l, uint64_t cycle, const struct l1_access *a);
void l1_hints_joined(struct l1 *l, const struct l1_access *a);
void l1_hints_filled(struct l1 *l, uint32_t entry, uint32_t slot, bool brought_in);

/* l1_misses.c */

/* Reserves the slot, a victim of the lookup, and asks for the line: L1_MISS, or a fail that changes nothing. */
enum l1_result l1_bring_in(struct l1 *l, const struct l1_fetch *f, uint32_t slot);
/* The same of a line that is neither there nor on its way, which has its way now or when it comes. */
enum l1_result l1_fetch_line(struct l1 *l, const struct l1_fetch *f, const struct tags_lookup *at);
/* Packets that ask for so many sectors of a line. */
uint32_t l1_packets_for(const struct l1 *l, uint32_t sectors);
/* A load that needs these sectors, of which not all are there: L1_MISS if it asks for any, L1_MERGED if all are on
 * their way, or a fail. */
enum l1_result l1_miss(struct l1 *l, const struct l1_access *a, const struct tags_lookup *at, uint32_t need);

/* l1_prefetch.c */
void l1_prefetch_init(struct l1 *l, struct arena *a, const struct machine *m, const struct prefetcher *p);
/* An access had the port, and that is how it went: asks the prefetcher for a proposal. */
void l1_prefetch_observe(struct l1 *l, uint64_t cycle, const struct l1_access *a, enum l1_result r);

/* l1_classes.c, in a cache that has them: an access, and how it went; it has led to the newest proposal; the line of
 * the oldest proposal, just taken, has been asked for; the newest packet writes a line back. */
void l1_classes_observe(struct l1 *l, const struct l1_access *a, enum l1_result r);
void l1_classes_propose(struct l1 *l, const struct l1_access *trigger);
void l1_classes_prefetch(struct l1 *l);
void l1_classes_write_back(struct l1 *l, uint64_t line);

/* l1_strict.c: the failure of an access that lacks a resource that the strict mode requires; L1_HIT: it lacks
 * nothing. */
enum l1_result l1_lacks(struct l1 *l, uint64_t cycle, const struct l1_access *a);

/* l1_policy.c: a load, in a cache with a policy, pins or a listener. */
enum l1_result l1_policy_load(struct l1 *l, uint64_t cycle, const struct l1_access *a);
/* An access had the port: notifies the prefetcher, the classes and the listener of its outcome. */
void l1_notify(struct l1 *l, uint64_t cycle, const struct l1_access *a, enum l1_result r);

#endif
