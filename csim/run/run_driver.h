/* What runs of launches, on the SMs and on the CPU's cores, have in common: limits and progress as the run's
 * configuration has them, and its length as the dispatcher has it. */
#ifndef CSIM_RUN_RUN_DRIVER_H
#define CSIM_RUN_RUN_DRIVER_H

#include "dispatch/dispatch.h"
#include "memsys/driver.h"
#include "run/gpu.h"

/* A driver of the loop without the run's own functions, with total_insts still 0. */
struct driver run_driver_of(const struct gpu_config *c, struct loop *l);

/* Cycles of a run that has ended: up to the one in which the dispatcher was notified of the last CTA's end, or to
 * the cut. Panics if nothing is left to do and a launch has not ended. */
uint64_t run_driver_cycles(const struct driver *d, const struct dispatch *dispatch);

#endif
