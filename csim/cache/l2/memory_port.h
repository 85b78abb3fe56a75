/* A port to memory, without a cache: what comes over the network goes straight to the channel at which it is, for the
 * bursts that it needs. Used at the channels where L2 slices are at the SMs (l2.side sm), and in place of the slices
 * with l2.enabled=false.
 *
 *   request network -> channel pipe -> channel -> reply network
 *
 * A request goes to the channel in the cycle in which it comes. A write is acknowledged then; an atomic reads, then
 * writes. Nothing orders a write behind an older read of the same line. Source: docs/explanation/memory.md.
 */
#ifndef CSIM_CACHE_L2_MEMORY_PORT_H
#define CSIM_CACHE_L2_MEMORY_PORT_H

#include "cache/l2/channel_link.h"
#include "cache/l2/l2_pipe.h"
#include "noc/route.h"

struct memory_port {
	struct l2_pipe pipe; /* of no delay */
	struct route route;  /* of what comes */
	struct channel_link *to;
	uint32_t line_bytes, burst_bytes;
	struct mem_req *waiting; /* by the token under which the channel was asked */
	uint32_t *free_token, n_free_token;
};

/* in, out: of the networks. to: stays where it is. */
void memory_port_init(struct memory_port *m, struct arena *a, const struct machine *machine, const struct route *route,
		      struct mem_req_queue *in, struct net_link out, struct channel_link *to);

/* Works at tick `now`; returns the next tick at which it has anything to do (TIME_NEVER: when something arrives). */
struct ticks memory_port_step(struct memory_port *m, struct ticks now);

#endif
