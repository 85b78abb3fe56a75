/* What an L1 does by its sets: where an index function crowds lines, and which sets loads wait for.
 *
 * An observer of the cache. Words of a set: accesses that the cache took; of them loads that hit, lines on their way
 * included, and those that missed; core cycles for which an access failed because all of the set's ways waited for
 * fills. Accesses without a lookup (a cache that is disabled) count behind the last set. So the sets sum to the
 * cache's own counts.
 */
#ifndef CSIM_CACHE_L1_SETS_H
#define CSIM_CACHE_L1_SETS_H

#include "cache/l1.h"

struct l1_set_counts {
	uint64_t accesses, hits, misses, fail_line;
};

struct l1_sets {
	struct l1_observer observer;
	uint32_t n;		     /* of the cache */
	uint32_t set, failing;	     /* of the last lookup; that the last access waits for, n: it does not */
	uint64_t looked_up, since;   /* core cycles of both; UINT64_MAX: no lookup yet */
	struct l1_set_counts *count; /* n + 1 of them */
};

/* Ahead of all accesses. count: room for n + 1 sets, zero. */
void l1_sets_observe(struct l1_sets *s, struct l1 *l, struct l1_set_counts *count);

/* At the end of a run, which may have been cut while an access waited. */
void l1_sets_finish(struct l1_sets *s, uint64_t cycle);

#endif
