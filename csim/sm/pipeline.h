/* What an SM tells the log of its pipeline (sm/pipeline_log.h).
 *
 * The log takes the place of the schedulers' part of a cycle, does that, and looks at the warps behind it: so an SM
 * without one pays nothing. Between two steps of an SM nothing changes, so what a warp waits for behind one step is
 * what it waits for until the next.
 */
#ifndef CSIM_SM_PIPELINE_H
#define CSIM_SM_PIPELINE_H

#include "base/arena.h"
#include "sm/operands.h"
#include "sm/pipeline_log.h"

struct sm;
struct sm_pipeline;

/* Ahead of the first cycle, and behind everything else that looks at the SM. The log is the caller's, and has room. */
void pipeline_use(struct sm *sm, struct arena *a, const struct pipeline_filter *f, struct pipeline_log *log);
/* The run was so many cycles long. */
void pipeline_finish(struct sm *sm, uint64_t cycles);
void pipeline_free(struct sm *sm);

/* ---- what the SM tells it ---- */

/* A load ends: its registers can be read in cycle `readable`. */
void pipeline_load_done(struct sm *sm, uint32_t token, uint64_t readable);
/* Its unit has taken an instruction from its collector, in this cycle. */
void pipeline_taken(struct sm *sm, const struct operands_inst *i);

#endif
