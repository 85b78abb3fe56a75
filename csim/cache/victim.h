/* Replacement policies of a cache's sets: which line makes room for one that has missed. LRU is the tags' own
 * (cache/tags.h), which keep the order of a set; the others are a table of functions each (victim.c).
 *
 *     fifo    the line that took its way first
 *     random  one of the lines that are not on their way, each with the same probability: by a hash of the cache's
 *             seed, the set and the number of uses so far
 *     srrip   a line that is expected to be used late. Each has a rank of 0 to 3: 2 when it takes its way, 0 after a
 *             hit. The victim is the first way with rank 3; if none has it, all ranks are raised by one until one has.
 *             Jaleel, Theobald, Steely, Emer, "High Performance Cache Replacement Using Re-Reference Interval
 *             Prediction (RRIP)", ISCA 2010, section 4.1: SRRIP-HP with M = 2
 *
 * The tags ask only if no way is free and no line is marked as the first to leave (tags_first_out), and one can leave.
 * Lines that are on their way never do.
 */
#ifndef CSIM_CACHE_VICTIM_H
#define CSIM_CACHE_VICTIM_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/machine.h"

struct tags;
struct victim_policy {
	bool keeps_order; /* a hit does not change the tags' order */
	/* The victim of a set; changes nothing, so that a lookup can be repeated. NULL: the tags' order decides. */
	uint32_t (*choose)(const struct tags *t, uint32_t set);
	/* A line was hit; it has taken the slot, in the place of another or of none. NULL: the policy need not know. */
	void (*hit)(struct tags *t, uint32_t slot);
	void (*taken)(struct tags *t, uint32_t slot, bool replaced);
};

/* NULL: LRU, and REPLACE_PIN, whose block knows LRU alone. */
const struct victim_policy *victim_policy_of(enum machine_replacement r);

#endif
