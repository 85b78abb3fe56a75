/* A Perfetto trace as a test reads it: `protoc --decode` with the committed schema gives a text, from which tracks,
 * slices and values are made again. What any trace must keep is asserted on the way: numbers of tracks are unique and
 * described ahead of their events, times ascend, on each track begins and ends are balanced, and only a counter's track
 * has values. */
#ifndef TESTS_SUPPORT_PERFETTO_H
#define TESTS_SUPPORT_PERFETTO_H

#include <jansson.h>
#include <stdint.h>

struct seen_track {
	uint64_t uuid, parent;
	const char *name, *process; /* process: its own name, or its parent's */
	const char *unit;	    /* of a counter; else NULL */
};

struct seen_slice {
	const struct seen_track *track;
	const char *name;
	uint64_t begin, end; /* ns */
	int parent;	     /* the slice that it is within; -1 */
	const json_t *event; /* as it began */
};

struct seen_value {
	const struct seen_track *track;
	uint64_t at;
	double value;
};

struct seen {
	json_t *packets;
	unsigned n_tracks, n_slices, n_values;
	struct seen_track *track;
	struct seen_slice *slice; /* by begin */
	struct seen_value *value;
};

struct seen *seen_trace(const char *path);
void seen_free(struct seen *t);

/* An argument of a slice; the test ends if it has none, or not one of that type. */
uint64_t seen_number(const struct seen_slice *s, const char *name);
const char *seen_text(const struct seen_slice *s, const char *name);
json_t *seen_arg(const struct seen_slice *s, const char *name); /* NULL: it has none */

/* The i-th arrow (from 0) that begins or goes on ("flow_ids"), or ends ("terminating_flow_ids") at the slice; 0: it has
 * no more. */
uint64_t seen_flow(const struct seen_slice *s, const char *which, unsigned i);

#endif
