/* Everything below the SMs: request network, L2 slices, DRAM channels, reply network.
 *
 *   SM --memsys_port--> request network -> slice -> channel
 *   SM <-memsys_replies- reply network <-  slice <- channel
 *
 * The parts talk only through time-stamped queues, so that they may be stepped in any order within a tick; each is stepped only
 * when it has something to do. The run loop asks memsys_next() (an SM's push or pop may have lowered it), and calls memsys_step()
 * at that tick.
 *
 * Units: ticks; each figure of the report names its own. Formulas of all times: docs/memory.md.
 */
#ifndef CSIM_MEM_MEMSYS_H
#define CSIM_MEM_MEMSYS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/stats.h"
#include "hw/ports.h"
#include "machine/machine.h"
#include "mem/dram.h"
#include "mem/l2.h"
#include "mem/net.h"

struct memsys {
	struct machine m;
	struct addrmap map;
	uint32_t sms, slices, channels, buffers; /* slices: of the whole machine */
	struct net request, reply;
	struct l2 *slice;
	struct dram *channel;
	uint64_t *next; /* of each part: the channels, the slices, the two networks; lowered by their queues */
	uint64_t soonest;
	bool reverse; /* parts are stepped the other way round: nothing may change (a test) */
};

/* binder: gives the slices' PRIC ports ("l2.0" ...); may be NULL with a linear index. buffers: of the program.
 * NULL, with the reason in e, if the index cannot be built. */
struct memsys *memsys_new(struct arena *a, const struct machine *m, const struct hw_binder *binder, uint32_t buffers,
			  struct err *e);

/* Sends of an SM: fill in the request's `dest` with memsys_destination(). wake: where the SM's next event time stands; lowered when
 * a full port has room again. */
struct net_link memsys_port(struct memsys *s, uint32_t sm, uint64_t *wake);

/* An SM's replies, struct mem_req as sent. wake: lowered to a reply's arrival. */
struct queue *memsys_replies(struct memsys *s, uint32_t sm, uint64_t *wake);

/* Where a request for a physical address goes, of a page with that mode. */
static inline uint16_t memsys_destination(const struct memsys *s, uint64_t addr, uint32_t mode)
{
	return addrmap_destination(&s->map, addr, mode);
}

/* The next tick at which memsys_step must be called; TIME_NEVER: when an SM has sent something. */
static inline uint64_t memsys_next(const struct memsys *s)
{
	uint64_t nets = s->next[s->channels + s->slices], other = s->next[s->channels + s->slices + 1];

	nets = nets < other ? nets : other;
	return s->soonest < nets ? s->soonest : nets;
}

/* Works at tick `now`; returns memsys_next(). */
uint64_t memsys_step(struct memsys *s, uint64_t now);

/* Makes up for what idle channels slept through and closes all counts of waits; call once at the end, at its tick, before figures
 * are read. */
void memsys_finish(struct memsys *s, uint64_t now);

/* ---- figures ---- */

struct memsys_facts {
	uint64_t requests, replies;	   /* accepted from SMs by the slices, answered */
	uint64_t in_flight;		   /* anywhere below the SMs' ports, replies that wait at them included */
	uint64_t fetches, dram_reads;	   /* lines asked for by the slices, accepted by the channels */
	uint64_t writes_down, dram_writes; /* likewise */
	uint64_t dirty_lines;		   /* that the L2 still holds */
	struct l2_counts l2;		   /* all slices and buffers */
};
struct memsys_facts memsys_facts(const struct memsys *s);

/* Grows whenever a request gets on: packets passed, requests taken in and answered, bursts. For telling a deadlock. */
uint64_t memsys_progress(const struct memsys *s);

/* Nothing is on its way. */
bool memsys_is_idle(const struct memsys *s);

/* The conservation laws and rooflines of an idle memory system at tick `now`: 0, or -1 and the broken law. */
int memsys_audit(const struct memsys *s, uint64_t now, struct err *e);

/* One buffer's L2 counts over all slices. buffer == buffers: accesses that belong to none. */
struct l2_counts memsys_buffer(const struct memsys *s, uint32_t buffer);

/* Adds the figures "net.*", "l2.*", "dram.*", and by buffer "buffer.NAME.l2.*". elapsed: ticks of the run. */
void memsys_report(const struct memsys *s, struct stats *to, const char *const *buffer_names, uint64_t elapsed);

#endif
