/* The level below an L2 slice, as the slice sees it: it asks for a line, writes one back, and takes what has come.
 * Three levels are there, and the slice does not know which it has:
 *
 *   l2_channel.c   the DRAM channel at which the slice is; it keeps that channel's lines, and numbers them within
 *                  itself
 *   l2_network.c   all channels, over the network between requesters and memory: the slice is at the SMs. Lines of all
 *                  memory share the slices of a module, and are found again by their physical address and the mode of
 *                  their page
 *   l2_across.c    l2.halves 2: the channel for lines of its own, and for those of the slice that it is paired with,
 *                  which have L2_FAR in their numbers, that slice
 *
 * All have a queue down and a queue up, which the slice looks at itself each cycle, the last one another two; what
 * differs is called through `ops`. A line is a number within the slice.
 */
#ifndef CSIM_CACHE_L2_L2_LOWER_H
#define CSIM_CACHE_L2_L2_LOWER_H

#include "cache/l2/channel_link.h"
#include "noc/crossbar.h"
#include "noc/route.h"

struct l2_lower;

#define L2_FAR (UINT64_C(1) << 62) /* in a line's number: it is the other half's */

struct l2_part { /* bytes of a line */
	uint64_t line, mask[2];
	uint64_t addr;	 /* of a byte of it, and ... */
	uint16_t buffer; /* ... that byte's buffer: of what is fetched */
	uint8_t mode;	 /* of its page */
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
	uint64_t unacknowledged;	     /* write-backs */
	struct queue_ring *across, *crossed; /* to the slice of the other half, and from it; NULL: the L2 is one */
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

/* own: the level below the slice's own lines; slice: its number in the machine; asked: of the slice that it is paired
 * with; came: from there. */
struct l2_lower *l2_across_new(struct arena *a, const struct machine *m, const struct l2_lower_shape *s, struct l2_lower *own,
			       uint32_t slice, struct net_link asked, struct mem_req_queue *came);

/* A read of a part of the line at that address (0: the sender adds it). A read of a whole line needs no mask. */
struct mem_req l2_read_of(const struct l2_part *p, uint64_t line_addr, uint32_t line_bytes, uint32_t token);

/* Takes the reply to such a read, as l2_lower_ops.take. */
uint32_t l2_take_reply(struct mem_req_queue *replies, struct stamp at[REQ_STAMPS], struct ticks now);

static inline bool l2_is_far(uint64_t line)
{
	return line & L2_FAR;
}

/* When the next line, or an acknowledgement before it, is there. */
static inline struct ticks l2_lower_arrival(const struct l2_lower *l)
{
	struct ticks up = queue_ring_next_arrival(l->up);

	return __builtin_expect(l->crossed != NULL, 0) ? ticks_earlier(up, queue_ring_next_arrival(l->crossed)) : up;
}

static inline void l2_lower_settle(struct l2_lower *l, struct ticks now)
{
	if (l->unacknowledged)
		l->ops->take_acknowledgements(l, now);
}

#endif
