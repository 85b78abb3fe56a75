/* A kernel's instructions as the hardware has them: what an assembler folds into other instructions is marked
 * (TRACE_FOLDED), and what it makes of these has the class and registers that it has then.
 *
 * It is a second table beside the kernel's own, instruction by instruction, found statically from the PTX
 * (ptx/lower/fold_view.c). It says nothing about what a program does, so that a trace's hash leaves it out. An
 * instruction keeps its memory space and width, and so whether it owns a record of addresses, folded or not; but a
 * parameter that is moved into a register is arithmetic, and a load of shared memory may become one of 8 or 16
 * bytes, for others that are folded. Stores, atomics, barriers, fences and exits are never folded. */
#ifndef CSIM_TRACE_FOLDS_H
#define CSIM_TRACE_FOLDS_H

#include "trace/inst.h"

enum { TRACE_FOLDED = 128 /* of trace_inst.flags, in such a table alone */ };

static inline bool trace_is_folded(const struct trace_inst *i)
{
	return i->flags & TRACE_FOLDED;
}

/* Whether an instruction of this class may be folded. */
bool trace_may_be_folded(uint8_t op);

/* Whether a load was made wider. */
static inline bool trace_is_widened(const struct trace_inst *from, const struct trace_inst *to)
{
	return from->op == OP_LOAD && from->space == SPACE_SHARED && to->width > from->width;
}

/* What is wrong with instruction i of a kernel's table beside its own; NULL: nothing. */
const char *trace_check_fold(const struct trace_kernel *k, uint32_t i);

/* The table for a kernel of n instructions, to be freed; NULL of NULL. */
struct trace_inst *trace_folds_copy(const struct trace_inst *folds, uint32_t n);

/* Instructions that are left of the kernel's n_inst; of one without a table, all. */
uint32_t trace_folds_left(const struct trace_kernel *k);

#endif
