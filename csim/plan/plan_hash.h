/* A hash of all that the model reads of a plan. */
#ifndef CSIM_PLAN_PLAN_HASH_H
#define CSIM_PLAN_PLAN_HASH_H

#include "plan/plan.h"

uint64_t plan_hash(const struct plan *p); /* NULL: 0 */

#endif
