/* What the files of the CPU core share and no one else sees. */
#ifndef CSIM_CPU_CORE_IMPL_H
#define CSIM_CPU_CORE_IMPL_H

#include "cpu/core.h"

/* rob.c */

/* Whether an entry is free and, in order, all operands of c->inst are there. */
bool cpu_can_enter(const struct cpu_core *c);
/* Puts c->inst, which can, into the reorder buffer. */
void cpu_enter(struct cpu_core *c);
/* The cycle after now in which c->inst, if there is one, might enter if nothing else happens; else CYCLE_NEVER. */
uint64_t cpu_next_entry(const struct cpu_core *c);
/* A line of the load in entry i is there in `cycle`. */
void cpu_line_there(struct cpu_core *c, uint32_t i, uint64_t cycle);
/* Takes the load on top of the heap away: all its lines have been looked up. */
void cpu_ready_pop(struct cpu_core *c);

#endif
