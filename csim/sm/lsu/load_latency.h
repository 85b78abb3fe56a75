/* How long loads from global memory take, and where.
 *
 * A load is a warp's instruction; it takes from the cycle in which it issues to that in which its registers can be
 * read, which is after the line that came last. Its parts follow that line's request by the stamps that it brings back
 * (noc/request.h):
 *
 *     l1          until the request leaves the SM, and from the line's return to the registers; all of a load that hits
 *     network     to the slice, links between modules included
 *     l2          in the slice's pipe, until its lookup succeeds
 *     dram_queue  from the controller's first cycle with the request to the first command for it
 *     dram        the way from the slice to the controller (dram.latency), and from the first command to the data in
 *                 the slice
 *     back        to the SM
 *
 * What happened before the load issued is not its own: a load that merges with a miss on its way has the rest of that
 * way. So the parts always sum to the whole, to the tick. With l2.side sm the networks between slice and memory count
 * under dram. A load of 2^31 ticks or more, which stamps do not reach, counts under l1 (an L2 of 1 MHz brings that
 * about).
 */
#ifndef CSIM_SM_LSU_LOAD_LATENCY_H
#define CSIM_SM_LSU_LOAD_LATENCY_H

#include <stdint.h>

#include "noc/request.h"

enum load_part { LOAD_L1, LOAD_NETWORK, LOAD_L2, LOAD_DRAM_QUEUE, LOAD_DRAM, LOAD_BACK, LOAD_PARTS };
enum { LOAD_POWERS = 20 };

struct load_counts {
	uint64_t loads, cycles;	     /* complete; core cycles that they took */
	uint64_t part[LOAD_PARTS];   /* sums, in ticks */
	uint64_t power[LOAD_POWERS]; /* loads of 2^i to 2^(i+1) - 1 core cycles; the last one: and more */
};

/* When it issued, when its last line was there (at a hit: looked up), when its registers can be read. at: the stamps of
 * that line's request; NULL: a hit. */
static inline void load_latency_split(struct load_counts *c, struct ticks issued, struct ticks there, struct ticks readable,
				      const struct stamp *at)
{
	static const uint8_t part_before[REQ_STAMPS] = {LOAD_L1, LOAD_NETWORK, LOAD_L2, LOAD_DRAM, LOAD_DRAM_QUEUE, LOAD_DRAM};
	uint64_t whole = ticks_between(issued, there).n;
	uint32_t before = 0;

	if (__builtin_expect(whole >> 31 != 0, 0))
		at = NULL;
	for (unsigned i = 0; at && i < REQ_STAMPS; i++) {
		uint32_t t = stamp_between(stamp_of(issued), at[i]); /* 0: before the load */

		c->part[part_before[i]] += (uint32_t)(t - before);
		before = t;
	}
	c->part[at ? LOAD_BACK : LOAD_L1] += whole - before;
	c->part[LOAD_L1] += ticks_between(there, readable).n;
}

static inline void load_latency_count(struct load_counts *c, uint64_t cycles)
{
	unsigned power = 63 - (unsigned)__builtin_clzll(cycles | 1);

	c->loads++;
	c->cycles += cycles;
	c->power[power < LOAD_POWERS ? power : LOAD_POWERS - 1]++;
}

#endif
