/* Control flow: where divergent lanes meet again, and how many registers are alive at once.
 *
 * Nodes are instructions 0 .. n-1; node n stands for the end of all threads. Lanes that part at a branch meet again at
 * its block's immediate post-dominator: the first instruction that every path from there to the end passes.
 */
#ifndef CSIM_PTX_CFG_H
#define CSIM_PTX_CFG_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/inst.h"

#define CFG_NO_TARGET UINT32_MAX

struct cfg_node {
	uint32_t target; /* of a branch; CFG_NO_TARGET: none */
	bool falls;	 /* the next instruction may follow */
	bool ends;	 /* lanes may end here (an exit, guarded or not) */
};

/* join[i], for a node i that is a branch: the instruction at which its lanes meet again; n if only at the end. */
void cfg_joins(const struct cfg_node *node, uint32_t n, uint32_t *join);

/* The most 32-bit registers that are alive at once. weight[r]: 32-bit registers of r, 0 for predicates; inst[i] is of
 * node i. */
uint32_t cfg_registers(const struct cfg_node *node, uint32_t n, const struct trace_inst *inst, uint32_t n_regs,
		       const uint8_t *weight);

/* What is alive where, in 32-bit registers; all arrays have n elements and begin as zeroes. */
struct cfg_live {
	uint32_t *entry;  /* of a block's first instruction: alive before it */
	uint32_t *behind; /* alive behind it, destinations that nobody reads included */
	uint64_t *dies;	  /* bit k: reg[k] is not alive behind it */
};

/* The same, with all of it in `out` unless that is NULL. */
uint32_t cfg_liveness(const struct cfg_node *node, uint32_t n, const struct trace_inst *inst, uint32_t n_regs,
		      const uint8_t *weight, struct cfg_live *out);

#endif
