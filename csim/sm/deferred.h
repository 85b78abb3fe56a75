/* Instructions that reach their unit later than they issue: they wait in operand collectors (sm/collect.c) or in a
 * sub-core's queue (sm/subcore.h). Until then their results have no time, and their CTA stays. */
#ifndef CSIM_SM_DEFERRED_H
#define CSIM_SM_DEFERRED_H

#include "sm/operands.h"

struct sm;

/* What waits of an instruction that issues now, which marks its results. */
struct operands_inst deferred_issue(struct sm *sm, unsigned slot, const struct core_inst *in, uint32_t mask);

/* Its unit takes it now; of an instruction without one, it ends. ahead: of its latency, cycles that it has waited for
 * at least. Returns for how long it holds the unit. */
uint32_t deferred_begin(struct sm *sm, const struct operands_inst *i, uint32_t ahead);

/* The load/store unit, which is free, takes it now. */
void deferred_access(struct sm *sm, const struct operands_inst *i);

#endif
