/* Everything below the SMs: crossbars, L2 slices, links between modules, DRAM channels.
 *
 * A module has SMs, stacks of memory and a pair of crossbars, for requests and for replies. What is for another module
 * leaves through the ports of a link (noc/link.h), and goes hop by hop to the other module's crossbars:
 *
 *   SM --memsys_port--> request crossbar -> slice -> channel         l2.side: memory
 *   SM <-memsys_replies-- reply crossbar <- slice <- channel
 *                          |   ^
 *                          v   |  links to other modules
 *
 * With l2.side sm the slices are between two pairs of crossbars, and the links join the lower ones:
 *
 *   SM -> cache.request -> slice -> memory.request -> port -> channel
 *
 * With L2 disabled such ports take the place of the slices.
 *
 * Requesters are numbered: the SMs through all modules, then a page walker for each module if there are any (the ports
 * of a module's crossbar at the SMs' side), or the GPCs of the only one (gpc/gcc.h), likewise a page mover, then the
 * CPU. In the lower crossbars of l2.side sm the slices take the place of the first two.
 *
 * The parts talk only through time-stamped queues, so that they may be stepped in any order within a tick; each is
 * stepped only when it has something to do. The run loop asks memsys_next() of a share (an SM's push or pop may have
 * lowered it), and calls memsys_step() at that tick. With as many modules as shares a module's parts are in one, else
 * channels are spread over them, each with its slices, and crossbars.
 *
 * Each figure of the report names its unit. Formulas of all times: docs/explanation/memory.md,
 * docs/explanation/network.md.
 */
#ifndef CSIM_MEMSYS_MEMSYS_H
#define CSIM_MEMSYS_MEMSYS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/due.h"
#include "base/err.h"
#include "base/share.h"
#include "base/stats.h"
#include "hw/port.h"
#include "machine/machine.h"
#include "machine/topology.h"
#include "dram/dram.h"
#include "cache/l2/l2_flush.h"
#include "cache/l2/l2_half.h"
#include "cache/l2/memory_port.h"
#include "memsys/stepped.h"
#include "noc/link.h"
#include "noc/crossbar.h"

struct memsys_pair {
	struct net request, reply;
};

struct memsys_module {
	uint32_t first_sm, sms;	      /* walker: of the module's own ports, the one behind the SMs' */
	uint32_t first_slice, slices; /* also of what `dest` names */
	struct memsys_pair *memory;   /* its requests end at the channels' slices or ports; joined by links */
	struct memsys_pair *at_sms;   /* that at which the SMs are: the same, or with l2.side sm a second one */
};

struct memsys {
	struct machine m;
	struct route route; /* of the CPU, and of whoever asks memsys_destination() */
	struct topology topology;
	struct link_nodes nodes;
	/* of the whole machine; requesters: of the crossbars with links */
	uint32_t sms, requesters, slices, channels, buffers;
	uint32_t pairs;
	struct memsys_pair *pair; /* of all modules, one or two each */
	struct memsys_module *module;
	struct l2 *slice;		   /* NULL with L2 disabled */
	struct l2_half *half;		   /* l2.halves 2: of each slice; else NULL */
	struct l2_flusher *flusher;	   /* l2.side sm: of each slice; else NULL */
	struct memory_port *port;	   /* l2.side sm, or L2 disabled: at each that `dest` names; else NULL */
	struct channel_link *channel_link; /* of each slice or port that is at a channel */
	struct l2_pipe **pipe;		   /* of each slice or, with L2 disabled, of the port that is in its place */
	struct dram *channel;
	struct link *link;	       /* as the topology numbers them */
	struct mem_req_queue *cpu_out; /* requests, by the CPU's port: one a link */
	struct mem_req_queue *cpu_in;  /* replies, likewise */
	uint16_t *cpu_link;	       /* likewise: the link that leaves the CPU */
	uint32_t cpu_ports;

	struct shares shares;
	uint8_t *share_of; /* by part */
	/* by share, of each part, TIME_NEVER of others' parts, lowered by their queues; in this order: */
	struct ticks *next[SHARE_MAX];
	uint32_t next_ports, next_slices, next_nets, next_links, parts; /* first the channels, from 0 on */
	uint32_t room;							/* entries of next (base/due.h) */
	stepped_name *stepped;						/* NULL: nobody asks */
	bool reverse; /* parts are stepped the other way round: nothing may change (a test) */
};

/* binder: gives the slices' PRIC ports ("l2.0" ...); may be NULL with a linear index. buffers: of the program. shares:
 * over which the parts are spread; NULL: there is one. NULL, with the reason in e, if the index cannot be built. */
struct memsys *memsys_new(struct arena *a, const struct machine *m, const struct hw_binder *binder, uint32_t buffers,
			  const struct shares *shares, struct err *e);

/* The share, of n, of all that is in a module, if there are as many modules. */
static inline uint32_t memsys_share_of_module(const struct machine *m, uint32_t module, uint32_t n)
{
	return (uint32_t)((uint64_t)module * n / m->module.count);
}

/* The shortest time in which a part of it sees what one in another share, or an SM, did. */
struct ticks memsys_quantum(const struct memsys *s);

/* Of a GPC's instruction cache, if there are any, as a requester. */
static inline uint16_t memsys_gpc_requester(const struct memsys *s, uint32_t gpc)
{
	return (uint16_t)(s->sms + gpc);
}

/* Sends of an SM, a page walker or a GPC: fill in the request's `dest` with memsys_destination(). own: the sender's
 * end, which is woken when a full port has room again. */
struct net_link memsys_port(struct memsys *s, uint32_t requester, struct queue_end own);

/* Likewise of a module's page mover, if there are any, which asks memory where slices at the SMs do. */
uint16_t memsys_mover_requester(const struct memsys *s, uint32_t module);
struct net_link memsys_mover_port(struct memsys *s, uint32_t module, struct queue_end own);
struct mem_req_queue *memsys_mover_replies(struct memsys *s, uint32_t module, struct queue_end own);

/* An SM's, walker's or GPC's replies, each the request as it was sent. */
struct mem_req_queue *memsys_replies(struct memsys *s, uint32_t requester, struct queue_end own);

/* Ahead of the first step: accesses that order the SMs' warps are performed on this board; NULL: there are none. How
 * much later than performed a modification of a word is seen there. */
void memsys_use_sync(struct memsys *s, const struct sync_board *b);
struct ticks memsys_sync_margin(const struct memsys *s);

/* Where a request for a physical address goes, of a page with that mode. */
uint16_t memsys_destination(const struct memsys *s, struct ticks now, uint32_t requester, uint64_t addr, uint32_t mode);

/* Functional warming (cache/l2/l2_warm.c): the slices are as if that read, write or atomic of a requester had been
 * done. Nothing with L2 disabled or slices at the SMs, which are emptied between launches. */
void memsys_warm(struct memsys *s, const struct mem_req *r, struct ticks now);

/* The CPU has one number as a requester, and a port for each of its links; 0 without a CPU. A request leaves by the
 * port that leads to its destination; replies come back by any. */
static inline uint32_t memsys_cpu_requester(const struct memsys *s)
{
	return s->requesters - 1;
}
uint32_t memsys_cpu_port_of(const struct memsys *s, uint16_t dest);
struct net_link memsys_cpu_port(struct memsys *s, uint32_t port, struct queue_end own);
struct mem_req_queue *memsys_cpu_replies(struct memsys *s, uint32_t port, struct queue_end own);

/* l2.side sm, i below memsys_flushes(): a slice is flushed when a struct l2_flush arrives in memsys_flush(), and
 * answers in memsys_flushed(). own: the end of whoever asks. */
uint32_t memsys_flushes(const struct memsys *s);
struct l2_flush_queue *memsys_flush(struct memsys *s, uint32_t i, struct queue_end own);
struct l2_flush_queue *memsys_flushed(struct memsys *s, uint32_t i, struct queue_end own);

/* The next tick at which memsys_step must be called for a share; TIME_NEVER: when somebody has sent something. */
static inline struct ticks memsys_next(const struct memsys *s, uint32_t share)
{
	return due_soonest(s->next[share], s->room);
}

/* Works at tick `now`. */
void memsys_step(struct memsys *s, uint32_t share, struct ticks now);

/* Makes up for what idle channels slept through and closes all counts of waits; call once at the end, at its tick,
 * before metrics are read. */
void memsys_finish(struct memsys *s, struct ticks now);

/* ---- metrics ---- */

struct memsys_facts {
	uint64_t requests, replies;	   /* accepted by the slices, answered */
	uint64_t in_flight;		   /* anywhere below the SMs' ports, replies that wait at them included */
	uint64_t fetches, dram_reads;	   /* lines asked for by the slices, accepted by the channels */
	uint64_t writes_down, dram_writes; /* likewise */
	uint64_t moves;			   /* requests of page movers that were answered */
	uint64_t dirty_lines;		   /* that the L2 still holds */
	struct l2_counts l2;		   /* all slices and buffers */
};
struct memsys_facts memsys_facts(const struct memsys *s);

/* Grows whenever a request gets on: packets passed, requests taken in and answered, bursts. For telling a deadlock. */
uint64_t memsys_progress(const struct memsys *s);

/* Nothing is on its way. */
bool memsys_is_idle(const struct memsys *s);

/* The conservation invariants and rooflines of an idle memory system at tick `now`: 0, or -1 and the broken
 * invariant. */
int memsys_audit(const struct memsys *s, struct ticks now, struct err *e);

/* Bytes of the packets that node `from` of the topology sent to node `to`. */
uint64_t memsys_sent(const struct memsys *s, uint32_t from, uint32_t to);

/* One buffer's L2 counts over all slices. buffer == buffers: accesses that belong to none. */
/* The machine is this one from `now` on (machine/live.h); no part has been stepped at or behind it. Of golden twins. */
void memsys_change(struct memsys *s, const struct machine *m, struct ticks now);

struct l2_counts memsys_buffer(const struct memsys *s, uint32_t buffer);

#endif
