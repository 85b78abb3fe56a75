/* Slices of a Perfetto trace, collected in any order and written in that of time.
 *
 * A slice is a span on a track, and how deep it is nested there. What is told of it, a name, arguments, arrows, is
 * asked of whom it came from only when it is written, so that a slice that waits takes 48 bytes. Spans of no length are
 * left out: no viewer shows them. At one time ends come ahead of begins, deeper ends and shallower begins first, and
 * everything else in the order in which it was collected.
 */
#ifndef HARNESS_PERFETTO_SLICES_H
#define HARNESS_PERFETTO_SLICES_H

#include "perfetto/packets.h"

/* Tells what a slice of its is called; `a` and `b` are the source's. */
struct slice_source {
	void (*tell)(const void *ctx, uint64_t a, uint32_t b, struct packets_slice *s);
	const void *ctx;
};

struct slice {
	uint64_t begin, end, track; /* ns */
	const struct slice_source *from;
	uint64_t a;
	uint32_t b, depth;
};

struct slices {
	uint64_t n, room;
	struct slice *slice;
};

void slices_add(struct slices *all, const struct slice *s);
void slices_free(struct slices *all);

/* Writes them. Ahead of each event other() writes what is due by then, which ascends too; at the end it is called with
 * UINT64_MAX. */
void slices_write(struct slices *all, struct packets *p, void (*other)(void *ctx, struct packets *p, uint64_t ns), void *ctx);

#endif
