/* What the warps of a CTA have of each other's work behind them: a clock a warp, and for each warp the values of the
 * others' clocks that it knows of (vector clocks: Lamport 1978, Mattern 1989).
 *
 * What a warp does at its clock's value c is before whatever another one does that knows of c. A warp tells of its own
 * clock where it arrives at a barrier, or updates a word as an atomic, and its clock goes on; it receives others' where
 * the barrier lets it go, or the word has been updated before.
 */
#ifndef CSIM_PTX_ORDER_OF_WARPS_H
#define CSIM_PTX_ORDER_OF_WARPS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/inst.h"
#include "trace/trace.h"

enum { ORDER_WARPS = TRACE_MAX_WARPS, ORDER_BARRIERS = 16 };

struct order_clocks {
	uint32_t of[ORDER_WARPS];
};

struct order_of_warps {
	unsigned n;
	struct order_clocks known[ORDER_WARPS];	     /* by warp; its own clock too */
	struct order_clocks barrier[ORDER_BARRIERS]; /* what has arrived */
	struct order_clocks ended;		     /* warps that have ended count as arrived everywhere */
	struct order_clocks *word;		     /* by word of shared memory; NULL: there was no atomic yet */
	uint32_t words;
};

/* A new CTA of n warps: all that earlier ones did is behind all of it. words: of shared memory. */
void order_begin(struct order_of_warps *o, unsigned n, uint32_t words);
void order_free(struct order_of_warps *o);

static inline uint32_t order_now(const struct order_of_warps *o, unsigned warp)
{
	return o->known[warp].of[warp];
}
/* What `other` did at its clock's value is before what the warp does now. */
static inline bool order_is_before(const struct order_of_warps *o, unsigned other, uint32_t clock, unsigned warp)
{
	return other == warp || o->known[warp].of[other] >= clock;
}

void order_arrives(struct order_of_warps *o, unsigned warp, unsigned barrier);
void order_ends(struct order_of_warps *o, unsigned warp);
/* A warp that has arrived is let go; by a barrier of all warps, so that ended ones have arrived too. */
void order_goes_on(struct order_of_warps *o, unsigned warp, unsigned barrier, bool of_all);
/* After all of a barrier have gone on. */
void order_barrier_done(struct order_of_warps *o, unsigned barrier);
/* An atomic, or an operation of an mbarrier. */
void order_updates(struct order_of_warps *o, unsigned warp, uint32_t word);

#endif
