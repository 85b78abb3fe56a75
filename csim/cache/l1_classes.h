/* Locality classes at an L1, or a constant cache: who makes each access, and, for the slices below, whom each packet is
 * from. Packets of loads, stores and atomics are their accessor's; a prefetch is that of the access which led to it; a
 * dirty line that is written back is its last accessor's.
 */
#ifndef CSIM_CACHE_L1_CLASSES_H
#define CSIM_CACHE_L1_CLASSES_H

#include "cache/l1.h"
#include "cache/locality_classes.h"

/* Knows who makes an access that the L1 is serving. ctx: of the L1's client. */
struct l1_accessors {
	void *ctx;
	struct accessor (*of)(void *ctx, const struct l1_access *a);
};

struct l1_classes {
	struct l1_observer observer;
	struct l1_accessors accessors;
	struct accessor proposal[L1_PROPOSALS]; /* who led to it; as in the ring of struct l1_prefetch */
	struct locality_classes lines;
};

/* Right after l1_init. */
void l1_classes_init(struct l1 *l, struct arena *a, const struct l1_accessors *accessors);

/* The counts; zeros if there are none. */
struct class_counts l1_class_counts(const struct l1 *l);

#endif
