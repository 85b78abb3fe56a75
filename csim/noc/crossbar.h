/* A crossbar for one direction: SMs to L2 slices, or L2 slices to SMs.
 *
 *   sender -> link (hop cycles) -> input queue -> crossbar -> output queue -> receiver
 *
 * A packet is its header and payload cut into flits. An input hands out, and an output takes, one flit a network
 * cycle; a packet of F flits holds both for F cycles in one piece (cut-through: its first flit leaves as soon as both
 * are free, it is seen by the receiver when its last one is there). A free output takes the next waiting input in
 * cyclic order (round robin); a packet goes only when the output queue has room for it. An input shows one packet, its
 * oldest: a packet behind one that waits for another output waits too. So packets of one pair of ports stay in order.
 *
 * Copies of a packet, which its sender puts directly behind it, are made by the crossbar: the packet shows with them,
 * asks for all of their outputs at once, and leaves by each as that is free; the packet behind them has its turn when
 * the last one has left. So an input reads a packet once, however many outputs take it in that cycle. (Fanout
 * splitting: McKeown and Prabhakar, "Scheduling multicast cells in an input-queued switch", INFOCOM 1996.) Copies
 * that come later than the packet, or go to an output that one ahead of them goes to, are packets of their own.
 *
 * A packet sent at tick T (any clock) is at the crossbar at the first network edge at or after T, plus `hop` network
 * cycles, and with nothing in its way whole in the output queue F network cycles after that. Room in a queue is a
 * credit; it is back at whoever fills the queue `hop` cycles after the packet has left. docs/explanation/network.md has
 * the formulas; tests 45x hold them.
 *
 * Event driven: net_step() looks only at inputs that may have a new head and at outputs that somebody waits for.
 * Source: dwt-pric, Table 1 ("one crossbar per direction, 32 B flits, 1400 MHz").
 */
#ifndef CSIM_NOC_CROSSBAR_H
#define CSIM_NOC_CROSSBAR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/queue.h"
#include "machine/machine.h"
#include "noc/request.h"

enum net_direction { NET_TO_SLICE, NET_TO_SM }; /* a packet's output follows from its `dest`; its `requester` */
enum { NET_MAX_PORTS = MACHINE_MAX_PORTS, NET_WORDS = NET_MAX_PORTS / 64 };

struct net_params {
	enum net_direction direction;
	uint32_t inputs, outputs;     /* 1 .. NET_MAX_PORTS */
	uint32_t period;	      /* ticks of a network cycle */
	uint32_t hop;		      /* network cycles from a sender to the crossbar, >= 1 */
	uint32_t flit, header;	      /* bytes, >= 1 */
	uint32_t in_queue, out_queue; /* packets, >= 1 */
};

/* Where the packets that wait at inputs lost their time. */
enum net_stall {
	NET_STALL_BUSY, /* the output was passing another packet */
	NET_STALL_FULL, /* the output was free, its queue was not */
	NET_STALLS
};

struct net_set { /* ports, as bits */
	uint64_t word[NET_WORDS];
};

struct net_in {
	struct mem_req_queue q;
	struct ticks free_at;  /* its last packet has left */
	struct ticks ready_at; /* since when its head packet could go */
	uint32_t shown;	       /* packets at its head that ask together: one, and copies of it */
	uint32_t left;	       /* of them, how many have left */
};

struct net_out {
	struct mem_req_queue q;
	struct ticks free_at; /* its last packet has passed */
	struct net_set want;  /* inputs whose head packet goes here */
	uint32_t next;	      /* round robin: the first input to look at */
	uint32_t waiting;     /* inputs in `want` since `since`, ... */
	enum net_stall why;   /* ... for this reason; NET_STALL_BUSY while a packet passes */
	struct ticks since;
	uint64_t packets, flits, bytes, stall[NET_STALLS]; /* statistics; stall in ticks x waiting inputs */
};

struct net {
	struct net_params p;
	struct net_in *in;
	struct net_out *out;
	struct ticks *ready;	/* by input: its head packet cannot go before; a time that is past says nothing */
	const uint16_t *output; /* by a packet's dest or requester; NULL: that number itself */
	struct net_set filled;	/* inputs with a packet, perhaps on its way */
	struct net_set unseen;	/* inputs whose head packet, if any, has not been looked at */
	struct net_set wanted;	/* outputs that some input waits for */
	uint64_t waited;	/* ticks x packets that were heads of inputs before they went; the sum of all stalls */
};

void net_init(struct net *n, struct arena *a, const struct net_params *p);

/* An input whose sender is far away: room for `cap` packets, and credits that take `credit` to come back. */
void net_widen_input(struct net *n, struct arena *a, uint32_t input, uint32_t cap, struct ticks credit);

/* Bytes behind the header of a packet in that direction. A read's payload goes to the SM, a write's and a
 * reduction's to the slice, an atomic's both ways. */
static inline uint32_t net_payload(const struct mem_req *r, enum net_direction direction)
{
	bool empty = direction == NET_TO_SLICE ? r->kind == REQ_READ : r->kind == REQ_WRITE || r->kind == REQ_REDUCTION;

	return empty ? 0 : r->bytes;
}

/* Flits of header and payload. */
uint32_t net_flits(const struct net_params *p, const struct mem_req *r);

/* To be called at `now`, when that is a time which net_step returned or to which a queue's wake lowered it. Returns
 * when it must be called next: TIME_NEVER means not before a push to an input or a pop from an output. The caller
 * points the ends of the queues (struct queue_end) at the place where it keeps that time. */
struct ticks net_step(struct net *n, struct ticks now);

/* Counts the waits of packets that still wait, up to tick `now`: at the end of a run that a limit cuts. */
void net_finish(struct net *n, struct ticks now);

/* ---- the sender's end of an input ---- */

struct net_link {
	struct mem_req_queue *q;
	uint64_t period;    /* of the network's clock */
	struct ticks delay; /* of the hop */
};

static inline struct net_link net_link(struct net *n, uint32_t input)
{
	return (struct net_link){&n->in[input].q, n->p.period, ticks_of(n->p.hop, n->p.period)};
}

/* Whether a packet can be sent at `now`; if not, *when says from when on (TIME_NEVER: the queue's producer
 * will tell). */
static inline bool net_can_send(const struct net_link *l, struct ticks now, struct ticks *when)
{
	return queue_has_space(l->q, now, when);
}
static inline struct mem_req *net_push(const struct net_link *l, struct ticks now)
{
	return queue_push(l->q, ticks_add(ticks_edge(now, l->period), l->delay));
}

static inline void net_send(const struct net_link *l, struct ticks now, const struct mem_req *r)
{
	*net_push(l, now) = *r;
}

/* ---- the receiver's end: queue_front(net_output(n, o), now), queue_pop ---- */

static inline struct mem_req_queue *net_output(struct net *n, uint32_t output)
{
	return &n->out[output].q;
}

/* ---- metrics, in network cycles ---- */

struct net_counts {
	uint64_t packets, bytes, flits; /* flits: also the cycles in which an output was busy, summed over outputs */
	uint64_t most_flits;		/* of the busiest output */
	uint64_t stall[NET_STALLS];
	uint64_t waited; /* the sum of the stalls, counted a packet at a time */
};
struct net_counts net_count(const struct net *n);

#endif
