/* Random cycles for a bypass_monitor: periods of few and of many loads, around the threshold and away from it, holds
 * that begin and end near the ends of periods and within them, cycles left out wherever the block allows it, but for
 * some short periods that come whole: only these can have a load in each cycle. */
#ifndef TESTS_SUPPORT_BYPASS_STIMULUS_H
#define TESTS_SUPPORT_BYPASS_STIMULUS_H

#include "hw/twins/bypass_monitor.h"

struct bypass_stimulus {
	struct bypass_monitor u; /* a golden twin: says where no cycle may be left out */
	uint64_t seed;
	uint64_t cycle;		/* of the inputs that were given last */
	uint64_t next;		/* if none is left out */
	uint32_t loads, misses; /* of 256 cycles, of 256 loads: in this period */
	bool whole;		/* no cycle of it is left out */
	bool hold;
	bool wild;	 /* `now` is any, and cycles are left out at random; now and then it stands still, */
	unsigned stands; /* for so many cycles more: a period has more loads then than it may */
	uint32_t stood;	 /* at this */
};

void bypass_stimulus_init(struct bypass_stimulus *s, const struct bypass_monitor_params *p, uint64_t seed);
/* The inputs of the next cycle, s->cycle. */
struct bypass_monitor_in bypass_stimulus_next(struct bypass_stimulus *s);

#endif
