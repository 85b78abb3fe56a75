/* One direction of a link between two nodes of the machine: two modules, a module and a switch, the CPU and a module.
 *
 *   queues at the near node -> link (bandwidth, then latency) -> queues at the far node
 *
 * Sources are the crossbars' outputs for this link, the CPU's port, and what other links have brought to the near node
 * for it. A packet is its header and payload in bytes; a link that is free takes the next source in cyclic order whose
 * oldest packet is there and has room at the far end, holds it for bytes / bandwidth, exactly (the rest of a tick is
 * carried over to the next packet while the link is busy), and hands it over, whole, `latency` after its last byte.
 * There it is in the queue of its next step: the one link onward, or the module's crossbar. Room there is a credit,
 * back `latency` after the packet has left.
 *
 * Requests and replies, and of each the layers of ways (machine/topology.h), have queues of their own at the far end:
 * they share the wires, and never wait for one another's room. Within a layer waits cannot close to a circle; replies
 * are taken by whoever asked for them; so nothing blocks indefinitely.
 *
 * Event driven. Units: bytes. docs/explanation/network.md has the formulas; tests 46x hold them.
 */
#ifndef CSIM_NOC_LINK_H
#define CSIM_NOC_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/queue.h"
#include "noc/crossbar.h"
#include "noc/request.h"

enum link_class { LINK_REQUEST, LINK_REPLY, LINK_CLASSES };

struct link_nodes { /* where senders and receivers are; shared by all links */
	uint32_t nodes, layers;
	const uint16_t *of_requester, *of_dest;
	const uint8_t *layer; /* [from * nodes + to] */
};

struct link_source {
	struct mem_req_queue *q;
	enum link_class class;
	bool enters;   /* its packets begin their way between nodes here */
	uint8_t layer; /* of those that do not */
};

struct link {
	const struct link_nodes *at;
	uint32_t from, to;	       /* nodes */
	uint64_t bytes_num, bytes_den; /* ticks a byte takes: num / den */
	struct ticks latency;
	uint32_t header;	     /* bytes */
	uint32_t sources, cap, turn; /* turn: the source to look at first */
	struct link_source *source;
	uint64_t *filled;		       /* bits: sources with a packet, perhaps on its way */
	struct mem_req_queue **onward;	       /* [(class * layers + layer) * nodes + node]: for packets that go on from
					        * `to` to
				        * `node` */
	struct net_link *arrive[LINK_CLASSES]; /* for packets that are at their node; by dest or requester mod
					        * `ports` */
	uint32_t ports;
	struct ticks free_at; /* its last packet has left; ... */
	uint64_t free_rest;   /* ... so many den-ths of a tick after that */

	uint64_t packets[LINK_CLASSES], bytes[LINK_CLASSES]; /* statistics */
	uint64_t first[LINK_CLASSES];			     /* packets that began their way between nodes here */
	uint64_t *entered;				     /* by node: bytes that began their way here and go there */
	uint64_t *delivered;				     /* by node: bytes that ended their way here and came from
							      * there */
};

struct link_params {
	uint32_t from, to, mbps, header, ports, sources; /* sources: at most */
	uint64_t ticks_per_us;
	struct ticks latency;
};

void link_init(struct link *l, struct arena *a, const struct link_params *p, const struct link_nodes *at);
void link_add_source(struct link *l, const struct link_source *s);

/* Where a packet that goes on to `node` is at the far end. */
static inline struct mem_req_queue **link_onward(struct link *l, enum link_class class, uint32_t layer, uint32_t node)
{
	return &l->onward[(class * l->at->layers + layer) * l->at->nodes + node];
}

/* Works at `now`; returns the next tick at which it has anything to do (TIME_NEVER: when something arrives or room
 * comes back). */
struct ticks link_step(struct link *l, struct ticks now);

/* For how long the wires were busy, rounded up. */
struct ticks link_busy(const struct link *l);

#endif
