/* The instruction cache that the SMs of a GPC share, between their own and the network: NVIDIA's GCC, or L1.5.
 *
 *   SM -> asked -> lookup, one a core cycle -> (a miss) -> network -> L2
 *   SM <- answers <- gcc.latency <- lookup, or arrival of the line
 *
 * SMs ask for lines that their instruction caches have not; what they ask is here a core cycle later. Of SMs that ask
 * one is served a cycle, in turn. A line that is there is on its way back at once, and one that is not when it comes
 * from the network, to all SMs that wait for it at a time. A lookup that the cache cannot take (cache/l1.h) is tried
 * again, and holds up those behind it. Lines stay from launch to launch. The queues hold all that SMs can ask for, so
 * that nobody waits for room in them.
 *
 * With gcc.prefetch the dispatcher tells the caches of the launches that begin, and each looks up the kernel's lines
 * from the first on, as many as these bytes have, in cycles in which no SM asks. One launch after the other; if
 * GCC_LAUNCHES wait, those behind them are left out. Source: the launch descriptors of NVIDIA's GPUs have since Turing
 * an address and a size, of nine bits, of the program that is prefetched (NVIDIA/open-gpu-doc, classes/compute,
 * clc5c0qmd.h: PROGRAM_PREFETCH_SIZE; drivers count in 256 bytes: tinygrad, ops_nv.py); Volta's (clc3c0qmd.h) have not.
 * Into which cache is not said.
 *
 * SMs are in GPCs in pairs, in turn: 0 and 1 in the first, 2 and 3 in the next. Source: Nsight Compute's documentation,
 * "Units" (gcc, gpc, tpc); the order of SMs: docs/explanation/sm.md.
 */
#ifndef CSIM_GPC_GCC_H
#define CSIM_GPC_GCC_H

#include <stdint.h>

#include "base/queue.h"
#include "cache/l1.h"
#include "noc/crossbar.h"
#include "noc/cta_message.h"
#include "noc/route.h"

enum { GCC_MAX_SMS = MACHINE_MAX_GPC_SMS, GCC_LAUNCHES = 8 };

struct gcc_code { /* of a kernel */
	uint64_t at, bytes;
};

struct gcc_counts {
	struct l1_counts cache;
	uint64_t sent, replies; /* packets to the network, and back */
	uint64_t prefetches;	/* lookups for launches */
	uint64_t fetched;	/* replies whose line the L2 had to read from memory */
};

struct gcc_ports {
	struct net_link out; /* to the network */
	struct mem_req_queue *in;
	uint16_t requester;
	struct code_begin_queue *begin; /* from the dispatcher; NULL: it is told nothing */
	const struct gcc_code *code;	/* by kernel, with begin; filled in ahead of the first cycle */
};

struct gcc {
	uint32_t sms;
	uint64_t period, latency;	       /* ticks a core cycle; core cycles */
	struct mem_req_queue *asked, *answers; /* by SM of the GPC */
	struct gcc_ports port;

	struct l1 cache;
	uint64_t now;	      /* the core cycle that is being stepped */
	uint64_t filled;      /* SMs whose queue `asked` has something */
	uint32_t turn;	      /* the SM that was served last */
	bool stuck, retry;    /* its lookup failed; the cache has changed since */
	struct ticks send_at; /* from when on the network may have room, if there is a packet */
	uint64_t fetched, prefetches;
	uint64_t prefetch;	    /* bytes of a kernel */
	uint64_t code_at, code_end; /* what is to be looked up for the launch that began; at == end: nothing */
	bool for_launch;	    /* what is stuck is that */
};

/* sms: up to GCC_MAX_SMS. Ahead of all else; then gcc_join() for each of its ports. */
void gcc_init(struct gcc *g, struct arena *a, const struct machine *m, uint32_t sms, const struct gcc_ports *port,
	      const struct route *route);

/* The queues between SM i of the GPC, whose end is `sm`, and the cache, whose end is `own`. */
void gcc_join(struct gcc *g, uint32_t i, struct queue_end sm, struct queue_end own);

/* The SM's port to send to. */
static inline struct net_link gcc_port(struct gcc *g, uint32_t i)
{
	return (struct net_link){&g->asked[i], g->period, ticks_of(1, g->period)};
}

/* Acts at tick `now`, an edge of the core clock; returns the next tick at which there is something to do. */
struct ticks gcc_step(struct gcc *g, struct ticks now);

struct gcc_counts gcc_count(const struct gcc *g);

/* What SMs and the cache have asked for and not got. */
uint64_t gcc_in_flight(const struct gcc *g);

#endif
