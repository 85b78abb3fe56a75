/* Drives one DRAM channel with a list of requests: what `locus dram` does. The channel is the model's (dram/dram.h),
 * with its own clock alone: nothing is before or behind it.
 *
 * A request reads or writes `bytes` bytes, a burst or more of one line, at a channel-local address: an address as it is
 * once the bits that choose the channel are out. It is before the controller from its cycle on and is accepted, in
 * order, in the first one in which its direction's queue has room (dram.queue, the window). The read latency is counted
 * from there to the end of its last data.
 *
 * The trace is text, a request a line: `0xADDR R|W [CYCLE]`. Without a cycle a request comes together with the one
 * before it, the first one in cycle 0. Cycles do not go back. What follows a # is a comment.
 *
 * Units: bytes; cycles of the DRAM command clock.
 */
#ifndef CSIM_REPLAY_DRAM_TRACE_H
#define CSIM_REPLAY_DRAM_TRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "dram/dram.h"

#define DRAM_TRACE_MAX_CYCLE (UINT64_C(1) << 40)

enum dram_trace_outcome { DRAM_TRACE_HIT, DRAM_TRACE_MISS, DRAM_TRACE_CONFLICT, DRAM_TRACE_FORWARDED };

struct dram_trace_request { /* one that has been served */
	uint64_t line;	    /* of the trace; 0 if it came from elsewhere */
	uint64_t addr;
	uint64_t arrived, accepted, done; /* done: the end of its last data */
	uint64_t row;
	uint32_t bank, column; /* where its first burst is; 0 if it went to no bank */
	bool write;
	enum dram_trace_outcome outcome;
};

typedef void dram_trace_each(void *context, const struct dram_trace_request *r);

struct dram_trace_counts {
	uint64_t requests[2];	    /* by enum dram_direction */
	uint64_t first;		    /* cycle in which the first request was accepted */
	uint64_t end;		    /* of the last data, or of the last reply out of the write queue */
	uint64_t read_cycles, most; /* sum of the read latencies; the greatest of them */
	struct dram_stats stats;
};

struct dram_trace;

/* m: resolved. bytes: a power of two from a burst to a line of the L2; 0: a burst. each: sees every request in the
 * order of the trace once it and all before it are served; NULL: nobody looks. */
struct dram_trace *dram_trace_open(const struct machine *m, uint32_t bytes, dram_trace_each *each, void *context);

/* A request. cycle: not before that of the last one; at most DRAM_TRACE_MAX_CYCLE. */
void dram_trace_push(struct dram_trace *t, uint64_t line, uint64_t addr, bool write, uint64_t cycle);

/* Serves what is still there. No push after it. */
struct dram_trace_counts dram_trace_end(struct dram_trace *t);
void dram_trace_close(struct dram_trace *t);

/* Pushes a whole trace; t NULL: reads it alone. name: for messages ("NAME:LINE: reason"). 0, or -1 with *e set. */
int dram_trace_read(struct dram_trace *t, FILE *from, const char *name, struct err *e);

#endif
