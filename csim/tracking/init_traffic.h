/* What the program's initialisation moves over the links: the CPU's stores ahead of the first launch, with pages where
 * a plan has put them (tafe, section 5: "the total amount of data moved across all off-chip links during the course of
 * the application", and pages are placed before the host writes them).
 *
 *   store -> L1, L2, L3 --miss: a line is fetched--------> link, module, slice, channel
 *                       --dirty line gives way: written--> the same way
 *
 * It is the tracking phase over again (phase.h), since a planner needs what that leaves: the same core, caches, stores
 * and, under a tracker, calls. Behind the last store the caches are flushed, so that each line which the program has
 * stored is in memory when the launches begin; the traffic of that is counted with the rest. Nothing of it is added
 * up afterwards: every byte is one that a link of the model has carried. What a kernel of the sw-gpu tracker moves is
 * not in it, nor the tracking hardware's own lines, which come from a memory of their own (cpu/store_tracker.h).
 *
 * A page that waits for its first touch goes to the stacks in turn, because no stack is the CPU's; the launches place
 * it anew, and nothing is charged for moving it.
 */
#ifndef CSIM_TRACKING_INIT_TRAFFIC_H
#define CSIM_TRACKING_INIT_TRAFFIC_H

#include "tracking/phase.h"

struct init_traffic {
	struct stats stats; /* init.* */
	struct audit audit;
};

/* c->tracker: whose calls the program makes; TRACK_NONE: stores alone. Looks at neither binder nor gpu. On success the
 * caller frees the result. */
int init_traffic_measure(const struct tracking_phase_config *c, struct init_traffic *r, struct err *e);
void init_traffic_free(struct init_traffic *r);

#endif
