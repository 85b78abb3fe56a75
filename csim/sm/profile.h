/* A profile: what each static instruction of the kernels did to an SM, in addition to the counters of the whole SM.
 *
 * A row is an instruction of a kernel of the trace, all kernels one behind the other (struct core_inst, `row`); behind
 * them is a row for what belongs to none. Each cycle of a scheduler that the stall breakdown counts under a cause
 * (sm/inst/stall_breakdown.h) is counted twice more: at the instruction that waits, and at the one that is waited for.
 *
 *     the one that waits      of the warps that the cause stands for, the one that the scheduler would choose: its next
 *                             instruction
 *     what it waits for
 *         pipeline            the instruction that holds the unit which is free first
 *         mem_*               the one that the load/store unit serves, or that is stuck in it
 *         arithmetic, memory  the one that writes the register which is ready last; the warp's latest one, if it is
 *                             that one's latency that is not over (a branch). Of a fence: the warp's latest store
 *         operands            the one that is first on the way to the collectors, or in one of them
 *         wait                the access whose attempt is repeated; a cycle that issues: itself
 *         barrier             the barrier's
 *         fetch               itself
 *         throttled, idle     none
 *
 * So the rows' sums are those of the schedulers, for issues and each cause: an invariant of every run with a profile.
 * Caches and memory are counted at the instruction whose access it was; a line that several wait for, at the first.
 */
#ifndef CSIM_SM_PROFILE_H
#define CSIM_SM_PROFILE_H

#include "base/arena.h"
#include "cache/l1.h"
#include "noc/request.h"
#include "sm/inst/kernel.h"
#include "sm/inst/stall_breakdown.h"

struct sm;

struct profile_row {		       /* counters (base/metrics.h) */
	uint64_t issued, lanes;	       /* times; lanes that executed it */
	uint64_t waits[STALL_COUNT];   /* scheduler cycles in which it waited ... */
	uint64_t holds[STALL_COUNT];   /* ... in which it was waited for */
	uint64_t accesses;	       /* to memory: executions with a lane */
	uint64_t transactions;	       /* of them: lines at a cache, cycles of the banks, one of parameters */
	uint64_t l1_hits, l1_reserved; /* of the L1 or the constant cache; reserved: the line was on its way */
	uint64_t l1_misses, l1_past;   /* past: bypasses, stores and atomics that went down */
	uint64_t l1_writes;	       /* stores that stayed */
	uint64_t l2_accesses;	       /* answers of the L2, or of memory without one */
	uint64_t l2_hits, l2_reserved, l2_misses, l2_bypasses;
	uint64_t dram_reads;	     /* lines, or parts of lines without an L2, read for it */
	uint64_t loads, load_cycles; /* from global memory: complete; core cycles from issue to registers */
};

struct sm_profile {
	struct l1_observer of_l1, of_const;
	struct profile_row *row;
	uint32_t n; /* instructions; row[n]: none of them */
	/* By cause, then by row, since a kernel's cycles have few causes at a time; in the rows at the end. */
	uint64_t *waits, *holds;
	uint32_t *writer;     /* by warp slot and register: the row that wrote it last, or will */
	uint32_t *last_issue; /* by warp slot: rows */
	uint32_t *last_store;
	uint32_t *producer;	     /* likewise: of what its next instruction waits for, once that was asked */
	uint32_t *holder[UNIT_LDST]; /* of each pipeline of a kind */
};

/* Ahead of the first cycle. rows: instructions of all kernels. */
void profile_use(struct sm *sm, struct arena *a, uint32_t rows);

/* ---- what the SM tells it ---- */

void profile_warp_begins(struct sm *sm, unsigned slot);
/* It issues now, ahead of what that changes. repeats: in a repeated wait, whose cycle that is. */
void profile_issue(struct sm *sm, unsigned slot, const struct core_inst *in, uint32_t mask, bool repeats);
/* It has taken unit i. */
void profile_takes_unit(struct sm *sm, const struct core_inst *in, unsigned i);
/* It has led to so much work of the load/store unit. */
void profile_transactions(struct sm *sm, const struct core_inst *in, uint64_t n);
/* Scheduler s has waited n cycles, for that cause, in the SM's present state. */
void profile_stall(struct sm *sm, unsigned s, enum stalls why, uint64_t n);
/* The run is shorter than that by n idle cycles of a scheduler. */
void profile_take_back_idle(struct sm *sm, uint64_t n);
/* It is over: from here on the rows are complete. */
void profile_finish(struct sm *sm);
/* A reply has come, ahead of what is done with it. */
void profile_reply(struct sm *sm, const struct mem_req *reply);
/* A value that a warp may wait for has a time now. */
void profile_value_is_known(struct sm *sm, unsigned slot);
/* A load from global memory ends: so many cycles after its issue it can be read. */
void profile_load(struct sm *sm, uint32_t row, uint64_t cycles);

#endif
