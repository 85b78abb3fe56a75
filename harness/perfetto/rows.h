/* A row of the viewer: tracks of one name, as many as there are spans at a time. */
#ifndef HARNESS_PERFETTO_ROWS_H
#define HARNESS_PERFETTO_ROWS_H

#include "base/lanes.h"
#include "perfetto/packets.h"

struct rows {
	const struct packets_process *of;
	const char *name;
	struct lanes lanes;
	uint64_t *track;
};

/* The track of a span; they come in the order of their begins. */
uint64_t rows_track(struct rows *rows, struct packets *p, uint64_t begin, uint64_t end);
void rows_free(struct rows *rows);

#endif
