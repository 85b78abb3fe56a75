/* Streams of a program: what each launch waits for, by the streams and events that the program uses.
 *
 * A program hands work over in an order, and each operation names a stream. It waits for what was handed over to its
 * stream before; for the events that the stream was told to wait for; and for all that the host program had waited for
 * by then. An operation of the default stream waits for all blocking streams, and they for it (CUDA Runtime API,
 * "Stream synchronization behavior"). Other operations may run at the same time.
 *
 * Operations are launches, or they end as soon as they may begin (a copy, a launch that is not recorded, an event's
 * record, a wait for one): these only hand on what they wait for. Launches are numbered as they are recorded. What one
 * waits for is kept as a trace has it (struct trace_launch): all below a number, and TRACE_MAX_WAITS others at most.
 * Where there would be more, it waits for all below the lowest of these too.
 *
 * There is one host program: whatever thread of it waits, all that is handed over later comes after.
 */
#ifndef CSIM_WORKLOAD_STREAMS_H
#define CSIM_WORKLOAD_STREAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/trace.h"

struct wait_set {
	uint32_t below, n;
	uint32_t at[TRACE_MAX_WAITS]; /* ascending, none of them below */
};

struct stream_id {
	uint64_t number; /* 0: the default stream */
	bool blocking;	 /* it is ordered with the default stream; true of that one */
};
#define STREAM_DEFAULT ((struct stream_id){0, true})

struct streams;
struct streams *streams_new(void);
void streams_free(struct streams *s); /* NULL: nothing */

/* What an operation that is handed to a stream now waits for; good until the next call. */
const struct wait_set *streams_waits(struct streams *s, struct stream_id id);
/* It was handed over: the next launch to be recorded; or something that ends at once. */
void streams_launch(struct streams *s, struct stream_id id);
void streams_pass(struct streams *s, struct stream_id id);

/* An event of any number: recorded in a stream; what a stream waits for from now on, if it was recorded. */
void streams_record(struct streams *s, uint64_t event, struct stream_id id);
void streams_wait(struct streams *s, struct stream_id id, uint64_t event);

/* What comes before an event; NULL: it was not recorded. Good until something is handed over, or it is forgotten. */
const struct wait_set *streams_event(const struct streams *s, uint64_t event);

/* The host program waits: for all; for a stream; for an event, if it was recorded. */
void streams_sync(struct streams *s);
void streams_sync_stream(struct streams *s, struct stream_id id);
void streams_sync_event(struct streams *s, uint64_t event);

/* They are not named any more; what was handed over stays. */
void streams_forget(struct streams *s, uint64_t stream);
void streams_forget_event(struct streams *s, uint64_t event);

#endif
