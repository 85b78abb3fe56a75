/* The pipe of an L2 slice, and of a port to memory: requests of a network go through it in order, one a cycle, to a
 * data port, which does one thing a cycle. Either it answers a request that waited for data that has come, which goes
 * first, or it looks up the request at the end of the pipe. A request that cannot go on holds up the pipe; the cycles
 * are counted by cause. What a lookup and an answer are says whoever owns the pipe: each step it asks for the port's
 * turn, does it, and reports it. Ahead of the pipe may be a coalescer of reads (cache/l2/l2_coalescer.h).
 *
 * Counts are of L2 cycles. Source: docs/explanation/memory.md.
 */
#ifndef CSIM_CACHE_L2_L2_PIPE_H
#define CSIM_CACHE_L2_L2_PIPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/panic.h"
#include "base/queue.h"
#include "cache/l2/l2_coalescer.h"
#include "machine/machine.h"
#include "noc/crossbar.h"
#include "noc/request.h"
#include "noc/sync.h"

enum l2_stall {
	L2_STALL_NONE,
	L2_STALL_LINE,	/* every way of the set waits for its fill */
	L2_STALL_ENTRY, /* no free MSHR entry */
	L2_STALL_MERGE, /* the line's MSHR entry is full */
	L2_STALL_DOWN,	/* no room on the way to DRAM */
	L2_STALL_REPLY, /* no room in the reply network */
	L2_STALL_PORT,	/* the port was taken: by a fill, an atomic or bytes */
	L2_STALLS
};

struct l2_stats {
	uint64_t accepted, answered; /* requests in, replies out */
	uint64_t reads, writes, atomics;
	uint64_t read_sectors, written_sectors;	  /* of 32 bytes, by reads and by writes */
	uint64_t stall[L2_STALLS];		  /* cycles that the request at the end of the pipe waited */
	uint64_t fetches, evictions, write_backs; /* of a slice */
	uint64_t sectors;			  /* that the fetches asked for */
	uint64_t bypasses;			  /* requests that a port to memory passed on */
	uint64_t flushes, flushed;		  /* times; dirty lines written back by them */
};

#define L2_NOBODY UINT32_MAX

enum l2_turn { L2_TURN_NONE, L2_TURN_ANSWER, L2_TURN_LOOKUP };

struct l2_stage {
	struct mem_req r;
	struct ticks ready;
};

struct l2_pipe {
	uint32_t period;
	struct ticks delay; /* through the pipe */
	struct mem_req_queue *in;
	struct net_link out;
	struct l2_coalescer *coalescer; /* NULL: there is none */
	const struct sync_board *sync;	/* of the run; NULL: nothing orders warps */

	struct l2_stage *stage; /* ring */
	uint32_t cap, mask;	/* cap: stages; mask: of the ring, which has a power of two of slots */
	uint64_t head, tail;

	struct stamp filled[REQ_STAMPS]; /* of the data that has come, from REQ_AT_DRAM on */
	uint32_t answering;		 /* for whom it has: the owner's number; L2_NOBODY */
	uint32_t port_bytes;		 /* that the data port moves a cycle; 0: all of a request's */
	uint32_t atomic_bytes;		 /* of an atomic's operands that are done a cycle; 0: all */
	struct ticks busy_until;	 /* an atomic, or the bytes of a request, hold the port */
	enum l2_stall why;		 /* why the request at the end of the pipe waits ... */
	struct ticks since;		 /* ... since when */
	bool stuck;			 /* ... and that nothing but a fill can change it, ... */
	struct ticks stuck_until;	 /* ... before this time */
	bool blocked;			 /* an answer waits for room in the reply network */
	struct ticks retry;		 /* when a queue has room again, if that is known */

	struct l2_stats stats;
};

/* in, out: of the networks at the requesters' side. delay: in L2 cycles; at most l2.latency requests are in it. */
void l2_pipe_init(struct l2_pipe *p, struct arena *a, const struct machine *m, struct mem_req_queue *in, struct net_link out,
		  uint32_t delay);

/* ---- a step: begin, then turn and take_in in the owner's order, then next; on L2 edges only ---- */

/* Counts what the request at the end of the pipe waited since the last step, up to `now`. One that came to the end
 * since then, and was not looked at, waited for the port. */
static inline void l2_pipe_count_wait(struct l2_pipe *p, struct ticks now)
{
	struct ticks from = p->since;

	if (!p->why && p->head == p->tail)
		return;
	if (!p->why)
		from = ticks_later(ticks_after(from, 1, p->period), p->stage[p->head & p->mask].ready);
	if (ticks_before(from, now))
		p->stats.stall[p->why ? p->why : L2_STALL_PORT] += cycles_up(ticks_between(from, now), p->period);
}

/* Replies of reads that were coalesced go out, as far as there is room. */
void l2_pipe_send_coalesced(struct l2_pipe *p, struct ticks now);

static inline void l2_pipe_begin(struct l2_pipe *p, struct ticks now)
{
	PANIC_UNLESS_COSTLY(ticks_is_edge(now, p->period), "l2_pipe", cycles_in(now, p->period));
	l2_pipe_count_wait(p, now);
	p->retry = TIME_NEVER;
	if (__builtin_expect(p->coalescer != NULL, 0) && l2_coalescer_answers(p->coalescer))
		l2_pipe_send_coalesced(p, now);
}

/* What the port does in this cycle. arrival: of the next data from below. */
enum l2_turn l2_pipe_turn(struct l2_pipe *p, struct ticks arrival, struct ticks now);

/* The request to look up; then, how that went. */
static inline const struct mem_req *l2_pipe_request(const struct l2_pipe *p)
{
	return &p->stage[p->head & p->mask].r;
}
static inline void l2_pipe_looked_up(struct l2_pipe *p, enum l2_stall why)
{
	p->why = why;
	p->head += why == L2_STALL_NONE;
}

/* Takes the next request in. */
void l2_pipe_take_in(struct l2_pipe *p, struct ticks now);

/* The next edge with anything to do that is known of now. */
struct ticks l2_pipe_next(const struct l2_pipe *p, enum l2_turn turn, struct ticks arrival, struct ticks now);

/* Counts the stall of a request that still waits, up to tick `now`: at the end of a run that a limit cuts. */
void l2_pipe_finish(struct l2_pipe *p, struct ticks now);

/* ---- for lookups and answers ---- */

/* Whether n requests can go down by that queue at `now`; if not, p->retry says when. */
bool l2_pipe_room_below(struct l2_pipe *p, const struct queue_ring *down, uint32_t n, struct ticks now);

/* Whether a reply can be sent; if not, p->retry says when. */
bool l2_pipe_reply_room(struct l2_pipe *p, struct ticks now);
/* found: what is told of the line. */
void l2_pipe_reply(struct l2_pipe *p, const struct mem_req *r, enum req_found found, struct ticks now);

/* How long an atomic holds the port. */
static inline uint32_t l2_pipe_atomic_cycles(const struct l2_pipe *p, const struct mem_req *atomic)
{
	uint32_t bytes = p->atomic_bytes ? p->atomic_bytes : atomic->bytes;

	return atomic->bytes > bytes ? (atomic->bytes + bytes - 1u) / bytes : 1;
}

/* The port is taken for so many cycles, this one included, or for longer already. */
static inline void l2_pipe_hold(struct l2_pipe *p, uint32_t cycles, struct ticks now)
{
	p->busy_until = ticks_later(p->busy_until, ticks_after(now, cycles, p->period));
}

static inline void l2_pipe_count(struct l2_pipe *p, const struct mem_req *r)
{
	p->stats.reads += r->kind == REQ_READ;
	p->stats.writes += r->kind == REQ_WRITE;
	p->stats.atomics += req_is_atomic(r);
	if (r->kind == REQ_READ)
		p->stats.read_sectors += (r->bytes + REQ_SECTOR - 1) / REQ_SECTOR;
	else if (r->kind == REQ_WRITE)
		p->stats.written_sectors += req_mask_sectors(r->mask);
}

#endif
