/* A queue ahead of the load/store unit, as the pipeline of GPGPU-Sim 3.2 has between issue and ldst_unit: a memory
 * instruction that issues while the unit is at work waits its turn, so that the schedulers choose warps long before the
 * unit serves them. Without it (sm.lsu_queue 0) the unit takes an instruction when it is free, and the oldest warp that
 * is ready then goes first.
 *
 * The unit holds 1 + sm.lsu_queue instructions: the one in service, those behind it, and the latest in its entrance,
 * which is the unit's own head (struct lsu). In a core cycle first the oldest is served, then the entrance is moved
 * behind it if there is room, then the schedulers issue into an empty entrance. So an instruction that finds nothing
 * ahead is served as without a queue, in the cycle after its issue, and what follows it comes without a gap.
 *
 * Instructions are served in order, whatever they access: shared memory and parameters behind global loads too. The
 * registers of these are known when the banks have served them, like a load's.
 *
 * A locality table is asked about the transaction that is served next: when an instruction issues that finds nothing
 * ahead, else when what is ahead of it is served. Without virtual memory only.
 * Source: GPGPU-Sim 3.2.1, shader.cc: ID_OC_MEM, two collector units (gpgpu_operand_collector_num_units_mem),
 * OC_EX_MEM, m_dispatch_reg of ldst_unit; docs/explanation/sm.md.
 */
#ifndef CSIM_SM_LSU_LSU_QUEUE_H
#define CSIM_SM_LSU_LSU_QUEUE_H

#include "sm/lsu/lsu.h"

/* sm.lsu_queue of the machine, >= 1. */
struct lsu_queue *lsu_queue_new(struct arena *a, const struct machine *m);

/* Whether an instruction that issues now has others ahead of it; the row of the oldest of these. */
bool lsu_queue_waits(const struct lsu_queue *q);
uint32_t lsu_queue_row(const struct lsu_queue *q);

/* An access of a cache issues: for the rest of the cycle it keeps others out, whatever is stuck ahead of it. */
void lsu_queue_entered(struct lsu_queue *q);
bool lsu_queue_has_entered(const struct lsu_queue *q);

/* Serves a transaction of the oldest instruction, or a cycle of the banks. */
struct lsu_done lsu_queue_step(struct lsu *l, uint64_t now);

/* The core cycle after now in which lsu_queue_step has something to do. */
uint64_t lsu_queue_next(const struct lsu *l, uint64_t now);

/* Takes back the bank cycles beyond the end of a run of `cycles` cycles. */
void lsu_queue_finish(struct lsu *l, uint64_t cycles);

#endif
