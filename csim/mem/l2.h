/* One slice of the L2: a pipe, tags, MSHRs, and the way to its DRAM channel and back.
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
 * Lines are numbered inside the slice (mem/addrmap.h), the set index is taken from that number. Units: ticks; counts of L2
 * cycles. Source: dwt-pric, Table 1; docs/memory.md.
 */
#ifndef CSIM_MEM_L2_H
#define CSIM_MEM_L2_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/queue.h"
#include "machine/machine.h"
#include "mem/addrmap.h"
#include "mem/mshr.h"
#include "mem/net.h"
#include "mem/req.h"
#include "mem/tags.h"

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
};

struct l2_pipe { /* one place of the pipe */
	struct mem_req r;
	uint64_t ready; /* tick */
};

struct l2 {
	struct addrmap map;
	uint32_t period;
	uint64_t pipe_ticks, down_ticks; /* through the pipe; through the pipe to the channel */
	uint32_t slice, line_bytes, burst_bytes, write_allocate;
	bool enabled;

	struct queue *in; /* of struct mem_req, from the request network */
	struct net_link out;
	struct queue down, up; /* to the channel: struct dram_req; from it: struct dram_done */

	struct l2_pipe *pipe; /* ring */
	uint32_t pipe_cap;
	uint64_t pipe_head, pipe_tail;

	struct tags tags;
	struct mshr mshr;
	uint32_t *entry_slot;	 /* of an MSHR entry: the reserved way, until the fill */
	struct mem_req *waiting; /* by place in the MSHRs; with L2 disabled by token */
	uint32_t *free_token, n_free_token;
	uint32_t tokens;

	uint32_t answering, answered; /* MSHR entry (or token) whose requests are being answered, how many have been; UINT32_MAX */
	uint64_t busy_until;	      /* tick: an atomic holds the port */
	uint32_t why;		      /* enum l2_stall: why the request at the end of the pipe waits ... */
	uint64_t since;		      /* ... since when */
	bool stuck;		      /* ... and that nothing but a fill can change it */
	bool blocked;		      /* an answer waits for room in the reply network */
	uint64_t retry;		      /* tick at which a queue has room again, if that is known */

	struct l2_counts *buffer; /* by buffer of the program; the last one for none */
	uint32_t buffers;
	struct l2_stats stats;
};

/* slice: within its channel. in, out: the slice's ports of the two networks. pric: the set index's port, or NULL for linear.
 * buffers: of the program. l->down and l->up are made here for the channel. */
void l2_init(struct l2 *l, struct arena *a, const struct machine *m, uint32_t slice, struct queue *in, struct net_link out,
	     const struct pric_port *pric, uint32_t buffers);

/* Works at tick `now`; returns the next tick at which it has anything to do (TIME_NEVER: when something arrives). */
uint64_t l2_step(struct l2 *l, uint64_t now);

/* Counts the stall of a request that still waits, up to tick `now`: at the end of a run that a limit cuts. */
void l2_finish(struct l2 *l, uint64_t now);

/* Requests that have come and are not answered. */
static inline uint64_t l2_in_flight(const struct l2 *l)
{
	return l->stats.accepted - l->stats.answered;
}

/* Dirty lines that the slice holds. */
uint64_t l2_dirty_lines(const struct l2 *l);

#endif
