/* The order in which an assembler would have a block's instructions, for the estimate of registers.
 *
 * Goodman and Hsu, "Code scheduling and register allocation in large basic blocks", ICS 1988: a list scheduler takes
 * the instruction with the longest path of latencies to the block's end, which hoists loads, as long as registers are
 * left; when few are, the one that frees most. Loads may pass loads, never stores, atomics or barriers. */
#ifndef CSIM_PTX_SCHEDULE_H
#define CSIM_PTX_SCHEDULE_H

#include "ptx/lower/cfg.h"

/* Permutes inst[] within blocks. limit: registers up to which latency comes first. A block keeps its order if the new
 * one would need more registers than both the limit and the old one. */
void schedule_blocks(const struct cfg_node *node, uint32_t n, struct trace_inst *inst, uint32_t n_regs, const uint8_t *weight,
		     uint32_t limit);

#endif
