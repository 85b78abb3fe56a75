/* What is folded of a kernel, in the storage section: an instruction is as it was, folded away, or another. */
#include <string.h>

#include "base/alloc.h"
#include "trace/folds.h"
#include "trace/table_bytes.h"

enum fold_kind { FOLD_SAME, FOLD_AWAY, FOLD_CHANGED, FOLD_WIDENED };

static bool is_same(const struct trace_inst *a, const struct trace_inst *b)
{
	return a->op == b->op && a->flags == b->flags && a->width == b->width && a->ndst == b->ndst && a->nsrc == b->nsrc &&
	       memcmp(a->reg, b->reg, (size_t)(a->ndst + a->nsrc) * sizeof a->reg[0]) == 0;
}

static void put_fold(struct bytes *b, const struct trace_inst *from, const struct trace_inst *to)
{
	if (trace_is_folded(to) || is_same(from, to)) {
		put(b, trace_is_folded(to) ? FOLD_AWAY : FOLD_SAME, 1);
		return;
	}
	put(b, trace_is_widened(from, to) ? FOLD_WIDENED : FOLD_CHANGED, 1);
	if (trace_is_widened(from, to))
		put(b, to->width, 1);
	put(b, to->op, 1);
	put(b, to->flags, 1);
	put(b, to->ndst, 1);
	put(b, to->nsrc, 1);
	for (int r = 0; r < to->ndst + to->nsrc; r++)
		put(b, to->reg[r], 2);
}

void tables_put_folds(struct bytes *b, const struct trace_kernel *k)
{
	put(b, k->folds != NULL, 1);
	for (uint32_t i = 0; k->folds && i < k->n_inst; i++)
		put_fold(b, &k->inst[i], &k->folds[i]);
}

static struct trace_inst get_fold(struct reader *r, const struct trace_inst *from)
{
	struct trace_inst i = *from;

	switch (get(r, 1)) {
	case FOLD_SAME:
		return i;
	case FOLD_AWAY:
		i.flags |= TRACE_FOLDED;
		return i;
	case FOLD_CHANGED:
		break;
	case FOLD_WIDENED:
		i.width = (uint8_t)get(r, 1);
		break;
	default:
		bad(r, "an instruction is folded in an unknown way");
		return i;
	}
	i.op = (uint8_t)get(r, 1);
	i.flags = (uint8_t)get(r, 1);
	i.ndst = (uint8_t)get(r, 1);
	i.nsrc = (uint8_t)get(r, 1);
	if (from->space == SPACE_PARAM && i.op != from->op)
		i.space = SPACE_NONE, i.width = 0;
	if (i.ndst + i.nsrc > TRACE_MAX_REGS)
		bad(r, "a folded instruction has too many registers");
	for (int n = 0; n < i.ndst + i.nsrc && !r->wrong; n++)
		i.reg[n] = (uint16_t)get(r, 2);
	return i;
}

void tables_get_folds(struct reader *r, struct trace_kernel *k)
{
	if (!get(r, 1))
		return;
	if (k->n_inst > reader_left(r)) {
		bad(r, "what is folded of a kernel is cut short");
		return;
	}
	k->folds = xcalloc(k->n_inst, sizeof *k->folds);
	for (uint32_t i = 0; i < k->n_inst && !r->wrong; i++) {
		k->folds[i] = get_fold(r, &k->inst[i]);
		if (!r->wrong)
			bad(r, trace_check_fold(k, i));
	}
}
