/* A prefetcher: which lines an L1 fetches before a load asks for them.
 *
 * An L1 shows its prefetcher each load that it has accepted; the prefetcher may propose one line for it. Proposals
 * wait in the L1, which takes one in a cycle in which no load or store has its port, and drops it if the line is there
 * or on its way, if it is in another page than the line that led to it (addresses are physical), or if MSHR entries or
 * the miss queue run short: so a prefetch never delays an access of the same cycle:
 *
 *   none        nothing is prefetched
 *   next_line   a load that missed proposes the line after its own
 *   locality    by data structure: a hardware block decides all of it (cache/prefetch.h); a plan turns it on
 *
 * Units: core cycles. Source: ldesc, section 5.2 (triggered by misses); docs/explanation/caches.md.
 */
#ifndef CSIM_POLICY_PREFETCHER_H
#define CSIM_POLICY_PREFETCHER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "machine/machine.h"

struct prefetch_trigger {
	uint64_t cycle;
	uint64_t line;	 /* number: physical byte address / bytes of a line */
	uint16_t buffer; /* of the program; >= the number of buffers: none */
	bool missed;	 /* it has brought its line in */
};

struct prefetcher {
	const char *name;
	/* Makes the state of an SM's, in the arena. */
	void (*init)(void **state, struct arena *a, const struct machine *m);
	/* Whether it proposes *line for this load. NULL: never. */
	bool (*observe)(void *state, const struct prefetch_trigger *t, uint64_t *line);
};

extern const struct prefetcher prefetcher_none, prefetcher_next_line, prefetcher_locality;

/* The one that the machine names (l1.prefetch.policy). */
const struct prefetcher *prefetcher_of(const struct machine *m);

#endif
