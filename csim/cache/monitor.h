/* The set monitor at an SM's L1: the clocked hardware block of hw/twins/set_monitor.h, fed with every lookup of the
 * tags.
 *
 * In the run the block sees at most one access a core cycle and no requests, so it is never busy when an access comes.
 * At the run's end its counters are read out through the request port, with the response held back for a few cycles now
 * and then, as a debugger behind a slow bus would. A retried lookup (reservation fail) has the tag of the one before:
 * no conflict. Tags are those of 32-bit addresses. Present when the machine says l1.monitor.
 */
#ifndef CSIM_CACHE_MONITOR_H
#define CSIM_CACHE_MONITOR_H

#include <stdbool.h>
#include <stdint.h>

#include "hw/clocked.h"
#include "hw/twins/set_monitor.h"
#include "machine/machine.h"

struct monitor {
	bool on;
	struct set_monitor_port port;
	struct clocked clock;
	uint64_t tag_mask;
	uint32_t conflicts[SET_MONITOR_MAX_SETS]; /* by set, filled by monitor_read */
};

/* owner: "sm3.l1". Fails if the machine's L1 is beyond what the block can be built for, or the binder cannot bind
 * it. */
int monitor_init(struct monitor *m, const struct machine *machine, const char *owner, const struct hw_binder *binder,
		 struct err *e);

/* A lookup in `cycle` (of the core clock; at most one a cycle). ctx: a struct monitor, as a lookup is observed. */
void monitor_lookup(void *ctx, uint64_t cycle, uint32_t set, uint64_t tag);

/* Reads all counters out, from core cycle `cycle` on. */
void monitor_read(struct monitor *m, uint64_t cycle);

#endif
