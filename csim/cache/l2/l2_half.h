/* What a slice of an L2 of two halves has beside one of an L2 that is one (l2.halves).
 *
 * Each half has the slices of half of the channels, and is asked by half of the SMs: for all of memory. A slice is
 * paired with one of the other half. It keeps lines of its own channel, whose home it is, and copies of its pair's,
 * which share its ways with them:
 *
 *   a read of the other half's line    a hit on its copy; else the pair is asked for it, far_latency away
 *   a write or atomic of such a line   goes on to the pair, where it is done and answered; the copy is dropped
 *   a write or atomic of an own line   tells the pair, which drops its copy
 *
 * What the pair asks has a pipe of its own to the tags, ahead of what SMs ask, and wants nothing that waits for the
 * pair, so that neither half blocks the other: copies on their way have half of the MSHR entries at most and leave a
 * way of each set alone (a copy that finds no other is fetched past the slice); notices of writes are taken at once.
 *
 * A copy that is on its way when its line is written stays: times are modelled, not values.
 *
 * Units: far_latency in core cycles, all else in L2 cycles. Source: NVIDIA, "A100 Tensor Core GPU architecture" (two
 * partitions, each of which "caches data for memory accesses from SMs in the GPCs directly connected to the
 * partition"); the rest is ours, and agrees with the latencies over the footprint that were measured
 * (docs/explanation/memory.md, tests 444, 385).
 */
#ifndef CSIM_CACHE_L2_L2_HALF_H
#define CSIM_CACHE_L2_L2_HALF_H

#include "cache/l2/l2.h"

struct l2_notice { /* a line of the sender's was written */
	uint64_t line;
	uint64_t addr; /* the physical one */
};
QUEUE_OF(l2_notice);

struct l2_half_counts {
	struct l2_counts reads; /* of the pair's reads here; what they fetch is counted with their buffers */
	uint64_t passed_on;	/* writes and atomics that went on to the pair */
	uint64_t taken_over;	/* ... that came from there, and were taken in */
	uint64_t dropped;	/* copies that are gone by these, or by writes that went on */
};

struct l2_half {
	struct l2_pipe pipe;		   /* of what the pair asks */
	bool serving;			   /* the lookup is of that pipe's request */
	uint32_t copies, most;		   /* MSHR entries for copies, at most */
	struct mem_req_queue asked;	   /* from the pair, ... */
	struct mem_req_queue came;	   /* ... what it was asked for, ... */
	struct l2_notice_queue notices_in; /* ... and which of its lines were written */
	struct net_link to_pair;	   /* the pair's `asked` */
	struct l2_notice_queue *notices_out;
	struct ticks delay; /* far_latency */
	struct l2_half_counts counts;
};

/* Makes the queues of a slice; then, when both are made and before l2_init, joins it to its pair. slice, pair_slice:
 * the ends of queues there. */
void l2_half_init(struct l2_half *h, struct arena *a, const struct machine *m);
void l2_half_join(struct l2_half *h, struct l2_half *pair, struct arena *a, const struct machine *m, struct queue_end slice,
		  struct queue_end pair_slice);

/* In the place of l2_step. */
struct ticks l2_half_step(struct l2 *l, struct ticks now);

/* Requests and replies on their way to the slice, and the pair's reads in it. A run may end ahead of its last
 * notices. */
static inline uint64_t l2_half_waiting(const struct l2_half *h)
{
	uint64_t in_pipe = h->pipe.stats.accepted - h->counts.taken_over - h->pipe.stats.answered;

	return queue_count(&h->asked) + queue_count(&h->came) + in_pipe;
}

#endif
