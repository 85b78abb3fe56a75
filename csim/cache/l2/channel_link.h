/* The way between a DRAM channel and what is at it (an L2 slice, or a port to memory): a pipe of dram.latency core
 * cycles down, which holds l2.miss_queue requests beside those in the pipe, and a queue up. The channel owns the other
 * ends.
 *
 * Source: docs/explanation/memory.md.
 */
#ifndef CSIM_CACHE_L2_CHANNEL_LINK_H
#define CSIM_CACHE_L2_CHANNEL_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/queue.h"
#include "dram/dram.h"
#include "machine/machine.h"
#include "noc/request.h"

struct channel_link {
	struct ticks delay; /* down */
	struct dram_req_queue down;
	struct dram_done_queue up;
};

void channel_link_init(struct channel_link *c, struct arena *a, const struct machine *m);

/* The caller checked that there is room. */
static inline void channel_link_send(struct channel_link *c, const struct dram_req *r, struct ticks now)
{
	*queue_push(&c->down, ticks_add(now, c->delay)) = *r;
}

/* Takes a read that has come: returns its token, and notes when it reached the channel and when it was begun. */
uint32_t channel_link_take(struct channel_link *c, struct stamp at[REQ_STAMPS], struct ticks now);

/* The bursts of a line that hold a byte of the mask. *whole: the mask has all bytes of each of them. */
uint8_t channel_link_bursts(uint32_t line_bytes, uint32_t burst_bytes, const uint64_t mask[2], bool *whole);

#endif
