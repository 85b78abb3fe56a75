/* An SM whose warps are throttled by core sampling, DWT-CS: the SM with the hardware block of hw/twins/throttle.h
 * beside it.
 *
 * The run loop steps it in the SM's place. In a core cycle: what the dispatcher says of launches and the coordinator's
 * orders come in; the SM is stepped, with the limit that the block has shown since the cycle before; the block gets
 * what was committed and what has missed, and at a period's end its message leaves. So the SM itself does no more than
 * without it (its warp throttle is policy/ordered_throttle.c), and a run without DWT-CS steps the SM alone.
 *
 * Misses: loads that did not find their line in the L1, not even on its way; a load that is tried again counts once;
 * one that the bypass sent past counts unless its line's tag was there. Commits: lanes of issued instructions, or these
 * instructions (throttle.unit warp).
 *
 * Units: core cycles. Source: dwt-pric, section 4.2; docs/reference/hardware/dwt-cs.md.
 */
#ifndef CSIM_THROTTLE_SAMPLER_H
#define CSIM_THROTTLE_SAMPLER_H

#include "hw/clocked.h"
#include "hw/twins/throttle.h"
#include "noc/cta_message.h"
#include "sm/sm.h"
#include "throttle/message.h"

#define THROTTLE_NO_SLOT UINT32_MAX

struct sampler_config {
	const struct machine *machine;
	struct sm *sm;
	const uint32_t *slot_of; /* by kernel of the trace: its counters; THROTTLE_NO_SLOT: it has none */
	struct launch_begin_queue *begin;
	struct throttle_message_queue *out;
	struct throttle_order_queue *orders;
	const struct hw_binder *binder;
};

struct sampler {
	struct sampler_config c;
	struct ticks latency; /* of a message */
	struct throttle_port port;
	struct throttle_in in; /* of the cycle at hand */
	struct clocked clock;  /* the SM's, which is stepped in each cycle in which the block has work */
	bool on;	       /* a kernel with counters runs: */
	uint32_t due;	       /* its period's end, as the block shows it */
	bool changed;	       /* with its last edge what the block shows may have */
	uint32_t limit;	       /* that the SM has; 0: none */
	bool hold, open;       /* likewise: its L1 is held open; its limit is lifted */
	uint64_t warp_insts, thread_insts, misses, running; /* of the SM, when it was looked at last */
	uint64_t messages, opened, limited_since, limited_cycles;
};

/* Fails as the binder does. */
int sampler_init(struct sampler *s, const struct sampler_config *c, struct err *e);
/* Steps the SM, too. */
struct ticks sampler_step(struct sampler *s, struct ticks now);
/* Cycles up to `cycle` under a limit. */
uint64_t sampler_limited_cycles(const struct sampler *s, uint64_t cycle);

#endif
