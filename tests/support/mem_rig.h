/* The memory system on a bench: requests go in at SM ports at a chosen tick, replies are taken at a chosen tick.
 *
 * The machine is gtx480 without refresh, changed by the assignments that mem_rig_new takes. Time only goes forward.
 */
#ifndef TESTS_SUPPORT_MEM_RIG_H
#define TESTS_SUPPORT_MEM_RIG_H

#include <stdbool.h>
#include <stdint.h>

#include "memsys/memsys.h"

enum { MEM_RIG_SMS = 256, MEM_RIG_BUFFERS = 3 };

struct mem_rig {
	struct arena arena;
	struct machine m;
	struct memsys *s;
	struct net_link port[MEM_RIG_SMS];
	struct mem_req_queue *replies[MEM_RIG_SMS];
	struct ticks wake[MEM_RIG_SMS];
	uint8_t mode; /* of the pages of what is sent: vm/page_mode.h */
	bool streams; /* so does what is sent (mem_req.streams) */
};

struct mem_rig *mem_rig_new(const char *const *set);
struct mem_rig *mem_rig_of(const char *machine, const char *const *set); /* of another machine, likewise */
void mem_rig_free(struct mem_rig *r);

/* A request for `bytes` from `addr` on. The port must have room at `tick` (mem_rig_can_send). Memory runs up to `tick`
 * first. */
void mem_rig_send(struct mem_rig *r, uint64_t tick, uint32_t sm, enum req_kind kind, uint64_t addr, uint16_t bytes, uint32_t token);
bool mem_rig_can_send(struct mem_rig *r, uint64_t tick, uint32_t sm);

/* Runs all events up to and including `tick`. */
void mem_rig_run(struct mem_rig *r, uint64_t tick);

/* Whether a reply can be taken by that SM at that tick; if so it is taken. */
bool mem_rig_reply(struct mem_rig *r, uint64_t tick, uint32_t sm, struct mem_req *reply);

/* Asserts that the SM's next reply is `token`, not there at tick - 1, there at tick. */
void mem_rig_expect(struct mem_rig *r, uint64_t tick, uint32_t sm, uint32_t token);

/* ---- unloaded times, from the definitions in docs/explanation/memory.md and docs/explanation/network.md alone ---- */

/* From the sender's port through a crossbar, `links` links of link.gbps and the other module's crossbar. */
uint64_t mem_rig_over(const struct machine *m, uint64_t sent, uint32_t payload, uint32_t links);
uint64_t mem_rig_lookup_at(const struct machine *m, uint64_t sent, uint32_t payload);	 /* tick of the L2 lookup */
uint64_t mem_rig_back_at(const struct machine *m, uint64_t looked_up, uint32_t payload); /* tick at which the SM has the
											  * reply */
uint64_t mem_rig_data_at(const struct machine *m, uint64_t sent_down, uint32_t bursts);	 /* L2 edge with a closed bank's
											  * data */

#endif
