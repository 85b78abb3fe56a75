#include "trace/folds.h"

#include <string.h>

#include "base/alloc.h"

static bool is_arithmetic(uint8_t op)
{
	return op <= OP_SFU;
}

bool trace_may_be_folded(uint8_t op)
{
	return is_arithmetic(op) || trace_op_is_tensor(op) || op == OP_LOAD || op == OP_BRANCH || op == OP_NOP;
}

/* A parameter that is moved into a register is no access any more. */
static bool becomes(const struct trace_inst *from, const struct trace_inst *to)
{
	if (from->op == OP_LOAD && from->space == SPACE_PARAM && to->op == OP_INT_ADD)
		return to->space == SPACE_NONE && to->width == 0;
	if (trace_is_widened(from, to))
		return to->op == OP_LOAD && to->space == SPACE_SHARED && (to->width == 8 || to->width == 16);
	return (from->op == to->op || (is_arithmetic(from->op) && is_arithmetic(to->op))) && from->space == to->space &&
	       from->width == to->width;
}

const char *trace_check_fold(const struct trace_kernel *k, uint32_t i)
{
	const struct trace_inst *from = &k->inst[i], *to = &k->folds[i];

	if (to->flags & ~(TRACE_VOLATILE | TRACE_NC | TRACE_PREDICATED | TRACE_OPERATORS | TRACE_FOLDED))
		return "a folded instruction has unknown flags";
	if (trace_is_folded(to) && !trace_may_be_folded(from->op))
		return "an instruction is folded that cannot be";
	if (!becomes(from, to))
		return "a folded instruction has another class, space or width";
	if (to->ndst + to->nsrc > TRACE_MAX_REGS)
		return "a folded instruction has too many registers";
	if (to->flags & TRACE_PREDICATED && !to->nsrc)
		return "a guarded folded instruction has no register for its guard";
	for (unsigned r = 0; r < (unsigned)to->ndst + to->nsrc; r++)
		if (to->reg[r] >= k->n_regs)
			return "a folded instruction names a register that the kernel does not have";
	return NULL;
}

struct trace_inst *trace_folds_copy(const struct trace_inst *folds, uint32_t n)
{
	struct trace_inst *copy;

	if (!folds)
		return NULL;
	copy = xmalloc(n * sizeof *copy);
	memcpy(copy, folds, n * sizeof *copy);
	return copy;
}

uint32_t trace_folds_left(const struct trace_kernel *k)
{
	uint32_t n = k->n_inst;

	for (uint32_t i = 0; k->folds && i < k->n_inst; i++)
		n -= trace_is_folded(&k->folds[i]);
	return n;
}
