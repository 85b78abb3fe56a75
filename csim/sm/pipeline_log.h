/* What warps' instructions went through, cycle by cycle: a row an instruction that a warp executed, and its stages.
 *
 * A row begins when its instruction is the warp's next one, the cycle after the one before it issued, and ends in the
 * cycle in which its result can be read. Its stages abut, so that each cycle of it is in one of them:
 *
 *     why it waits      a cause of sm/inst/stall_breakdown.h, of this warp alone; or the scheduler took another warp
 *     issue             one cycle
 *     collected         in the operand collectors, if there are any
 *     executed          in the pipeline, until the result can be read
 *     in unit           of the load/store unit: until its last transaction has left it, a store's end
 *     in memory         from there until its last transaction is served
 *     written           from there until the registers can be read
 *
 * Instructions without a unit end with their latency (a branch), or with their issue. A log has room for so many rows
 * and stages; when one is full it ends, in the cycle `cut`, and so do the rows that are open.
 */
#ifndef CSIM_SM_PIPELINE_LOG_H
#define CSIM_SM_PIPELINE_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "sm/inst/stall_breakdown.h"

#define PIPELINE_NEVER UINT64_MAX
#define PIPELINE_NONE  UINT32_MAX

/* An enum stalls (STALL_ISSUED: it issues), or one of these. */
enum pipeline_stage {
	PIPELINE_NOT_CHOSEN = STALL_COUNT,
	PIPELINE_COLLECTED,
	PIPELINE_EXECUTED,
	PIPELINE_IN_UNIT,
	PIPELINE_IN_MEMORY,
	PIPELINE_WRITTEN,
	PIPELINE_STAGES
};

struct pipeline_filter { /* all bounds are included; cycles: in which a row begins */
	uint64_t first_sm, last_sm, first_cta, last_cta, first_warp, last_warp, first_cycle, last_cycle;
};

struct pipeline_span { /* a stage: until the next one, or the end of its row */
	uint64_t from;
	uint32_t next; /* PIPELINE_NONE: the last one */
	uint32_t stage;
};

struct pipeline_row {
	uint64_t begin, end;	  /* core cycles; end PIPELINE_NEVER: not known yet */
	uint32_t launch, cta, pc; /* pc: of the launch's kernel */
	uint32_t lanes, slot;	  /* lanes: that execute it, a bit each */
	uint16_t warp;		  /* in its CTA */
	bool issued, cut;	  /* cut: the log, or the run, ended before it did */
	uint32_t first, last;	  /* stages */
	uint32_t producer;	  /* the row of what it waited for last; PIPELINE_NONE */
};

struct pipeline_log {
	uint32_t sm, n, room, n_spans, spans_room;
	uint64_t cut; /* PIPELINE_NEVER: there was room */
	struct pipeline_row *row;
	struct pipeline_span *span;
};

enum { PIPELINE_SPANS = 12 /* room, a row */ };

/* rows: how many there is room for, where that is not less than a few cycles take. */
void pipeline_log_init(struct pipeline_log *l, struct arena *a, uint32_t sm, uint32_t rows);

/* A row that begins; its number. There is room. */
uint32_t pipeline_log_open(struct pipeline_log *l, const struct pipeline_row *row);

/* From a cycle on the row is in that stage; it takes the place of one that begins no earlier. */
void pipeline_log_stage(struct pipeline_log *l, uint32_t row, uint32_t stage, uint64_t from);

/* No room for the rows and stages of another cycle of an SM. */
bool pipeline_log_is_full(const struct pipeline_log *l);

/* Rows that are open end in this cycle. */
void pipeline_log_close(struct pipeline_log *l, uint64_t cycle);

#endif
