/* An L1 of the gtx480 with any keys changed, one network port under it, and short ways to make accesses and replies. */
#ifndef TESTS_SUPPORT_L1_RIG_H
#define TESTS_SUPPORT_L1_RIG_H

#include "cache/l1.h"
#include "hw/twins/pric.h"

enum { L1_RIG_BUFFERS = 2 };

struct l1_rig {
	struct arena arena;
	struct machine m;
	struct pric_port pric;
	struct route route;
	struct net net; /* one input for the L1 */
	struct net_link link;
	struct l1 l1;
};

/* keys: "key=value" strings, NULL last. */
void l1_rig_open(struct l1_rig *r, const char *const *keys);
void l1_rig_close(struct l1_rig *r);

/* Accesses to the 4 bytes at addr; buffer 0. */
struct l1_access l1_rig_load(uint64_t addr, uint32_t token);
struct l1_access l1_rig_store(uint64_t addr, uint32_t token);
struct l1_access l1_rig_local_store(uint64_t addr, uint32_t token);

/* Takes the oldest packet out of the miss queue; fails the test if there is none. */
struct mem_req l1_rig_take(struct l1_rig *r);

/* The reply to a packet; returns who is served. */
const struct mshr_waiter *l1_rig_reply(struct l1_rig *r, struct mem_req request, uint32_t *n);

/* Loads a line and answers at once, so that it is valid; the miss queue was empty. */
void l1_rig_bring(struct l1_rig *r, uint64_t cycle, uint64_t addr);

#endif
