/* The clock of a hardware block that the model steps, in cycles of the clock of the unit that it is in.
 *
 * Most cycles change nothing in a block: it has no work, and nobody has an input for it. They are left out, unless the
 * run wants every cycle (--no-skip), which changes no metric. An adapter, which has the block's port, so catches up
 * before it gives the block an input or reads an output of `cycle`:
 *
 *     while (clocked_lags(&a->clock, cycle))
 *             the edge of a->clock.cycle, which counts it up and says whether the block is busy now
 */
#ifndef CSIM_HW_CLOCKED_H
#define CSIM_HW_CLOCKED_H

#include "hw/port.h"

struct clocked {
	uint64_t cycle;	  /* whose edge is the next to come, or to be left out */
	bool busy;	  /* its edge has to come: the block has work, or an input for that cycle is there */
	bool every_cycle; /* no edge is left out */
};

static inline struct clocked clocked_with(const struct hw_binder *binder)
{
	return (struct clocked){.every_cycle = binder->every_cycle};
}

/* Whether the edge of c->cycle has to come ahead of `cycle`. If not, all cycles ahead of `cycle` are left out. */
static inline bool clocked_lags(struct clocked *c, uint64_t cycle)
{
	if (c->cycle >= cycle)
		return false;
	if (c->busy || c->every_cycle)
		return true;
	c->cycle = cycle;
	return false;
}

#endif
