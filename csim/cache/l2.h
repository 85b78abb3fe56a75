/* One slice of the L2: a pipe, tags, MSHRs, and the way to memory and back.
 *
 *   request network -> pipe (l2.latency cycles, one request a cycle, in order) -> tag and data port -> reply network
 *                                                                                   |   ^
 *                                                       dram.latency pipe + channel v   | fills
 *
 * The port does one thing a cycle: it looks up the request at the end of the pipe, or, first, answers one of the requests that
 * waited for a line that has come. A hit is answered in the cycle of its lookup, a miss in the cycle of its fill (others that
 * waited for the same line in the cycles after). A request that cannot go on holds up the pipe; the cycles are counted by cause.
 *
 * Write-back, write-allocate, allocate on miss. A write is acknowledged at its lookup. A write of a whole line needs no fetch (by
 * `l2.write_allocate`); one of a part of it fetches the line and keeps its bytes in the reserved way until then. Only the
 * bursts with dirty bytes of a victim are written. An atomic is done here, 4 bytes of its operands a cycle, during which the
 * port takes nothing else; it is answered in the first of these cycles.
 *
 * With l2.enabled=false a request goes to the channel's pipe in the cycle in which it comes, and only for the bursts that it
 * needs; an atomic reads, then writes. Nothing orders a write behind an older read of the same line then.
 *
 * A slice stands in one of three places:
 *
 *   at its channel   l2.side memory, as drawn above; reached by all modules
 *   at the SMs       l2.side sm: serves the SMs of its module. Lines of all memory share it, tagged with their physical address;
 *                    each keeps the mode of its page, by which fetches and write-backs find their stack through the network
 *                    between requesters and memory. At the end of a kernel it is flushed: a dirty line a cycle is written
 *                    back, and when all are acknowledged every line is dropped
 *   as a port        l2.side sm, at a channel: no cache, what comes over the network goes to the channel as with l2.enabled=false
 *
 * Lines are numbered inside the slice (noc/route.h), the set index is taken from that number. Units: ticks; counts of L2
 * cycles. Source: dwt-pric, Table 1; docs/memory.md.
 */
#ifndef CSIM_CACHE_L2_H
#define CSIM_CACHE_L2_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/queue.h"
#include "dram/dram.h"
#include "machine/machine.h"
#include "noc/route.h"
#include "cache/mshr.h"
#include "noc/crossbar.h"
#include "noc/request.h"
#include "cache/tags.h"

enum l2_stall {
	L2_STALL_NONE,
	L2_STALL_LINE,	/* every way of the set waits for its fill */
	L2_STALL_ENTRY, /* no free MSHR entry */
	L2_STALL_MERGE, /* the line's MSHR entry is full */
	L2_STALL_DOWN,	/* no room on the way to DRAM */
	L2_STALL_REPLY, /* no room in the reply network */
	L2_STALL_PORT,	/* the port was taken by a fill or an atomic */
	L2_STALLS
};

struct l2_counts { /* accesses = hits + reserved + misses */
	uint64_t accesses, hits, reserved /* on a line that is on its way */, misses;
};

struct l2_stats {
	uint64_t accepted, answered; /* requests in, replies out */
	uint64_t reads, writes, atomics;
	uint64_t stall[L2_STALLS]; /* cycles that the request at the end of the pipe waited */
	uint64_t fetches, evictions, write_backs, bypasses /* requests with L2 disabled */;
	uint64_t flushes, flushed; /* times; dirty lines written back by them */
};

enum l2_place { L2_AT_CHANNEL, L2_AT_SMS, L2_PORT };

struct l2_flush {	  /* to a slice at the SMs: flush; from it: it has */
	uint32_t program; /* that asks for it: the dispatcher's number */
};
QUEUE_OF(l2_flush);

struct l2_pipe { /* one place of the pipe */
	struct mem_req r;
	uint64_t ready; /* tick */
};

struct l2 {
	struct route route;
	uint32_t period;
	uint64_t pipe_ticks, down_ticks; /* through the pipe; through the pipe to the channel */
	enum l2_place place;
	uint32_t slice, slices; /* its number within the channel, or among so many of the module */
	uint32_t line_bytes, burst_bytes;
	enum machine_write_allocate write_allocate;
	bool enabled;

	struct mem_req_queue *in; /* from the request network */
	struct net_link out;
	struct dram_req_queue down; /* to the channel */
	struct dram_done_queue up;  /* from it */

	/* at the SMs instead: */
	struct net_link below;	       /* to memory */
	struct mem_req_queue *replies; /* from memory */
	uint16_t requester;	       /* as which it asks */
	uint8_t *mode;		       /* of a line's page, by slot */
	uint64_t unacknowledged;       /* write-backs */
	struct l2_flush_queue flush, flushed;
	uint32_t flush_at; /* slot */

	struct l2_pipe *pipe; /* ring */
	uint32_t pipe_cap;
	uint64_t pipe_head, pipe_tail;

	struct tags tags;
	struct mshr mshr;
	uint32_t *entry_slot;	 /* of an MSHR entry: the reserved way, until the fill */
	struct mem_req *waiting; /* by place in the MSHRs; with L2 disabled by token */
	uint32_t *free_token, n_free_token;
	uint32_t tokens;

	uint32_t filled[REQ_STAMPS];  /* stamps of the line that has come, from REQ_AT_DRAM on */
	uint32_t answering, answered; /* MSHR entry (or token) whose requests are being answered, how many have been; UINT32_MAX */
	uint64_t busy_until;	      /* tick: an atomic holds the port */
	enum l2_stall why;	      /* why the request at the end of the pipe waits ... */
	uint64_t since;		      /* ... since when */
	bool stuck;		      /* ... and that nothing but a fill can change it */
	bool blocked;		      /* an answer waits for room in the reply network */
	uint64_t retry;		      /* tick at which a queue has room again, if that is known */

	struct l2_counts *buffer; /* by buffer of the program; the last one for none */
	uint32_t buffers;
	struct l2_stats stats;
};

struct l2_shape {
	enum l2_place place;
	uint32_t slice, slices;	  /* as in struct l2 */
	struct mem_req_queue *in; /* the slice's ports of the networks on the SMs' side */
	struct net_link out;
	struct route route;	      /* to memory; at a channel, of what comes */
	const struct pric_port *pric; /* the set index's port, or NULL for linear */
	uint32_t buffers;	      /* of the program */
	struct net_link below;	      /* at the SMs: its ports of the networks to memory */
	struct mem_req_queue *replies;
	uint16_t requester;
};

/* l->down and l->up are made here for the channel; at the SMs, l->flush and l->flushed for the dispatcher. */
void l2_init(struct l2 *l, struct arena *a, const struct machine *m, const struct l2_shape *s);

/* Works at tick `now`; returns the next tick at which it has anything to do (TIME_NEVER: when something arrives). */
uint64_t l2_step(struct l2 *l, uint64_t now);

/* Counts the stall of a request that still waits, up to tick `now`: at the end of a run that a limit cuts. */
void l2_finish(struct l2 *l, uint64_t now);

/* Requests that have come and are not answered, and write-backs that memory has not acknowledged. */
static inline uint64_t l2_in_flight(const struct l2 *l)
{
	return l->stats.accepted - l->stats.answered + l->unacknowledged;
}

/* Dirty lines that the slice holds. */
uint64_t l2_dirty_lines(const struct l2 *l);

#endif
