/* The order in which an assembler would have a block's instructions, for the estimate of registers and for machines
 * whose programs run as an assembler leaves them (reorder.c).
 *
 * Goodman and Hsu, "Code scheduling and register allocation in large basic blocks", ICS 1988: a list scheduler takes
 * the instruction with the longest path of latencies to the block's end, which hoists loads, as long as registers are
 * left; when few are, the one that frees most. */
#ifndef CSIM_PTX_SCHEDULE_H
#define CSIM_PTX_SCHEDULE_H

#include "ptx/lower/cfg.h"

/* What may pass an instruction, beside registers' readers and writers. */
enum schedule_side {
	SCHEDULE_FREE,	  /* all */
	SCHEDULE_CARRY,	  /* all but others of the kind */
	SCHEDULE_MEMORY,  /* a load or store: all but those of its space, of which loads pass loads */
	SCHEDULE_GENERIC, /* the same of any space that is written */
	SCHEDULE_PINNED	  /* nothing */
};

struct schedule_rules {
	const uint8_t *weight; /* as of cfg_registers */
	uint32_t limit;	       /* registers up to which latency comes first */
	/* By instruction. left: what an assembler leaves of it, whose registers count; NULL: itself. side: NULL: loads
	 * may pass loads, never stores, atomics or barriers. */
	const struct trace_inst *left;
	const uint8_t *side;
};

/* Permutes inst[] within blocks; order[i], unless `order` is NULL: where the i-th was. A block keeps its order if the
 * new one would need more registers than both the limit and the old one. */
void schedule_blocks(const struct cfg_node *node, uint32_t n, struct trace_inst *inst, uint32_t n_regs,
		     const struct schedule_rules *rules, uint32_t *order);

#endif
