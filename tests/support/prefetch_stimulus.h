/* Random cycles for a prefetch_unit: misses near the ends of structures and of the address space, stretches in which
 * accesses leave no cycle free, resources at the thresholds, CTAs that begin and end in few tiles. */
#ifndef TESTS_SUPPORT_PREFETCH_STIMULUS_H
#define TESTS_SUPPORT_PREFETCH_STIMULUS_H

#include "hw/twins/prefetch_unit.h"

struct prefetch_stimulus {
	struct prefetch_unit_params p;
	uint64_t seed, n; /* cycles so far */
	uint64_t addr;	  /* of the last access */
	bool wild;	  /* CTAs end that have not begun, and more begin than the SM holds */
	/* the tiles of the CTAs on the SM */
	uint32_t held[PREFETCH_UNIT_MAX_ENTRIES], tile[PREFETCH_UNIT_MAX_ENTRIES][PREFETCH_UNIT_MAX_TILES];
};

void prefetch_stimulus_init(struct prefetch_stimulus *s, const struct prefetch_unit_params *p, uint64_t seed);
/* The inputs of the next cycle. */
struct prefetch_unit_in prefetch_stimulus_next(struct prefetch_stimulus *s);

#endif
