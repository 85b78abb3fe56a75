/* A Perfetto trace, packet by packet: tracks, slices on them, values of counters.
 *
 * A trace is a sequence of packets. Here they are one sequence, each as it is, nothing interned. A track is described
 * ahead of its events, and known by a number that it gets then. On a track slices nest: each begin has its end, and one
 * that begins within another ends within it. Times are nanoseconds of the viewer, and the caller's events ascend.
 *
 * The messages are those of perfetto_trace.proto, packed by protobuf-c. Texts may be a user's: what is no letter of
 * UTF-8 in them becomes '?'.
 */
#ifndef HARNESS_PERFETTO_PACKETS_H
#define HARNESS_PERFETTO_PACKETS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct packets {
	FILE *to;
	bool failed; /* a write did */
	bool begun;
	uint64_t tracks; /* numbered 1, 2, ... */
	int32_t processes;
	size_t room; /* of what is being packed */
	uint8_t *packed;
};

void packets_begin(struct packets *p, FILE *to);
void packets_free(struct packets *p);

/* ---- tracks; the order in which they are described is that of the viewer ---- */

struct packets_process {
	uint64_t track;
	int32_t pid, threads;
};
struct packets_process packets_process(struct packets *p, const char *name);
/* A track of a process. */
uint64_t packets_thread(struct packets *p, struct packets_process *of, const char *name);
/* A further track of a process. Those of one name are one row of the viewer, as high as it takes. */
uint64_t packets_track(struct packets *p, const struct packets_process *of, const char *name);
/* A track of values beside the process's threads. */
uint64_t packets_counter(struct packets *p, const struct packets_process *of, const char *name, const char *unit);

/* ---- events ---- */

enum { PACKETS_ARGS = 16, PACKETS_FLOWS = 66, PACKETS_NAME = 320, PACKETS_TEXTS = 512 };

/* What is told of a slice where it begins. */
struct packets_slice {
	char name[PACKETS_NAME];
	const char *category[2]; /* NULL: no more */
	unsigned n_args, n_flows, n_ends;
	struct packets_arg {
		const char *name;
		const char *text; /* NULL: the number is meant */
		uint64_t number;
	} arg[PACKETS_ARGS];
	uint64_t flow[PACKETS_FLOWS]; /* arrows that begin or go on here, ... */
	uint64_t end[PACKETS_FLOWS];  /* ... or end */
	char texts[PACKETS_TEXTS];    /* room for arguments' texts */
	size_t used;
};

void packets_number(struct packets_slice *s, const char *name, uint64_t number);
/* printf style. */
void packets_text(struct packets_slice *s, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));

void packets_slice_begins(struct packets *p, uint64_t ns, uint64_t track, struct packets_slice *s);
void packets_slice_ends(struct packets *p, uint64_t ns, uint64_t track);
void packets_value(struct packets *p, uint64_t ns, uint64_t track, double value);
void packets_count(struct packets *p, uint64_t ns, uint64_t track, uint64_t count);

#endif
