/* Specification of the bypass by miss rate (dwt-pric, section 4.1; docs/reference/hardware/bypass-monitor.md), by
 * loads and periods: "At the end of each sampling period, it checks whether the miss rate is larger than a specific
 * threshold. If so, the cache is disabled ... If the miss rate is less than the predefined threshold, the cache is
 * opened."
 */
#ifndef TESTS_SPEC_BYPASS_MONITOR_H
#define TESTS_SPEC_BYPASS_MONITOR_H

#include <stdbool.h>
#include <stdint.h>

struct spec_bypass {
	uint64_t rate, period;	/* %, cycles */
	uint64_t loads, misses; /* of this period */
	bool held;		/* this period had a cycle in which the cache was held open */
	bool closed;		/* by the last period that was judged */
	bool was_bypassed;	/* the last cycle */
};

struct spec_bypass_cycle {
	uint64_t cycle; /* from 0; cycles without a load, a change of `hold` or a period's end may be left out */
	bool load, miss, hold;
	bool bypassed, reopened; /* by the block */
};

void spec_bypass_reset(struct spec_bypass *s, uint64_t rate, uint64_t period);

/* NULL, or how the block differs from the specification in this cycle. Left open is the event of a cache that a period
 * closed and a hold opened before any cycle of bypass. */
const char *spec_bypass_cycle(struct spec_bypass *s, const struct spec_bypass_cycle *c);

#endif
