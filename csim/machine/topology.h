/* The network between the modules of a machine, as a graph: who is linked to whom, and the way from each node to each
 * other one.
 *
 * Nodes are the modules, then the switches that a list of links names (or the one in the middle of `full`), then the
 * CPU. A link joins two nodes; each of its directions is a `struct topology_link` of its own with the full bandwidth.
 *
 *     tree   module 0 is the root; link.fanout children each, numbered level by level
 *     ring   each module and the next one, the last and the first
 *     full   each module and one switch in the middle
 *     p2p    every two modules
 *     list   as link.list says
 * and the CPU, if there is one, and each module (in a list: as the list says).
 *
 * A packet takes a shortest way (links). Among equally short ones a node takes the neighbour with the lowest number
 * towards a higher one, with the highest number towards a lower one, so that the two halves of an even ring are used
 * alike. Nothing passes through the CPU.
 *
 * Links wait for one another where a way goes from one to the next; so that such waits can never close to a circle,
 * each way has a layer (virtual channel), assigned in order of source and destination: the lowest in which it closes
 * none. Trees need one layer, rings two. Source: Skeie, Lysne, Theiss, "Layered shortest path (LASH) routing", IPDPS
 * 2002.
 */
#ifndef CSIM_MACHINE_TOPOLOGY_H
#define CSIM_MACHINE_TOPOLOGY_H

#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "machine/machine.h"

enum { TOPOLOGY_MAX_SWITCHES = 32, TOPOLOGY_MAX_LAYERS = 4, TOPOLOGY_NONE = UINT16_MAX };

struct topology_link { /* one direction */
	uint16_t from, to;
	uint32_t mbps, latency; /* MB/s; core cycles */
	uint32_t ports;		/* at each end, of the module's crossbars: enough for the bandwidth */
	uint32_t leave, enter;	/* the first of them among the ports of all links that leave `from`; that enter `to` */
};

struct topology {
	uint32_t modules, switches, nodes;
	uint16_t cpu; /* its node, or TOPOLOGY_NONE */
	uint32_t links, layers;
	struct topology_link *link; /* 2i and 2i + 1 are one link's directions */
	uint32_t *ports;	    /* by node: of all links that leave it, and as many of those that enter it */
	uint16_t *next;		    /* [from * nodes + to]: the link to take; TOPOLOGY_NONE: from == to */
	uint8_t *layer;		    /* [from * nodes + to] */
};

/* Fails, with the key and the reason in e, when the links are not a network: a node that cannot be reached, a link
 * without bandwidth, repeated or to nowhere, ways that need too many layers. */
int topology_init(struct topology *t, struct arena *a, const struct machine *m, struct err *e);

static inline const struct topology_link *topology_next(const struct topology *t, uint32_t from, uint32_t to)
{
	return &t->link[t->next[from * t->nodes + to]];
}

/* Links on the way. */
uint32_t topology_hops(const struct topology *t, uint32_t from, uint32_t to);

#endif
