/* The level below an L2 slice, as the slice sees it: it asks for a line, writes one back, and takes what has come. Two
 * levels are there, and the slice does not know which it has:
 *
 *   l2_channel.c   the DRAM channel at which the slice is; it keeps that channel's lines, and numbers them within
 *                  itself
 *   l2_network.c   all channels, over the network between requesters and memory: the slice is at the SMs. Lines of all
 *                  memory share the slices of a module, and are found again by their physical address and the mode of
 *                  their page
 *
 * Both have a queue down and a queue up, which the slice looks at itself each cycle; what differs is called through
 * `ops`. A line is a number within the slice.
 */
#ifndef CSIM_CACHE_L2_L2_LOWER_H
#define CSIM_CACHE_L2_L2_LOWER_H

#include "cache/l2/channel_link.h"
#include "noc/crossbar.h"
#include "noc/route.h"

struct l2_lower;

struct l2_part { /* bytes of a line */
	uint64_t line, mask[2];
	uint8_t mode; /* of its page */
};

struct l2_lower_ops {
	/* The number within the slice of a request's line. */
	uint64_t (*line)(const struct l2_lower *l, const struct mem_req *r, struct ticks now);
	/* Asks for those bytes, whole bursts, of a line of a page with that mode; what comes has the token. */
	void (*fetch)(struct l2_lower *l, const struct l2_part *p, uint32_t token, struct ticks now);
	/* Writes such a line's dirty bytes; whole: all of the bursts that they are in, since all of these are there. */
	void (*write_back)(struct l2_lower *l, const struct l2_part *p, bool whole, struct ticks now);
	/* Takes what has come: its token, and the stamps of its way from REQ_AT_DRAM to before REQ_LEFT. */
	uint32_t (*take)(struct l2_lower *l, struct stamp at[REQ_STAMPS], struct ticks now);
	/* Takes the acknowledgements that are before the next line. NULL where write-backs are not acknowledged. */
	void (*take_acknowledgements)(struct l2_lower *l, struct ticks now);
};

struct l2_lower {
	const struct l2_lower_ops *ops;
	struct queue_ring *down, *up;
	uint64_t unacknowledged; /* write-backs */
};

/* Where the slice has its place: its number within its channel, or among so many that share a module. */
struct l2_lower_shape {
	struct route route; /* to memory; at a channel, of what comes */
	uint32_t slice, slices;
};

/* to: stays where it is. */
struct l2_lower *l2_channel_new(struct arena *a, const struct machine *m, const struct l2_lower_shape *s, struct channel_link *to);

/* below, replies: the slice's ports of the networks to memory; requester: as which it asks there. */
struct l2_lower *l2_network_new(struct arena *a, const struct machine *m, const struct l2_lower_shape *s, struct net_link below,
				struct mem_req_queue *replies, uint16_t requester);

/* When the next line, or an acknowledgement before it, is there. */
static inline struct ticks l2_lower_arrival(const struct l2_lower *l)
{
	return queue_ring_next_arrival(l->up);
}

static inline void l2_lower_settle(struct l2_lower *l, struct ticks now)
{
	if (l->unacknowledged)
		l->ops->take_acknowledgements(l, now);
}

#endif
