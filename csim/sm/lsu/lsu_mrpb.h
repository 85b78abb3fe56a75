/* Service through the MRPB (sm/lsu/mrpb.h): the head's transactions for the L1 join its queues, and the L1's port is
 * for what it sends on. Shared memory's banks and the constant cache have the port ahead of it, but not of what is
 * stuck. */
#ifndef CSIM_SM_LSU_LSU_MRPB_H
#define CSIM_SM_LSU_LSU_MRPB_H

#include "sm/lsu/lsu.h"

/* A cycle of the L1's port. */
struct lsu_done lsu_mrpb_step(struct lsu *l, uint64_t now);

/* Whether the next cycle's step has work besides that of the head. */
bool lsu_mrpb_acts(const struct lsu *l);

#endif
