/* A kernel's instructions as an assembler would leave them: what it folds issues nothing (trace/folds.h).
 *
 * What has no register of its own (fold.c) has no instruction either, but a constant that something needs in a
 * register takes a move. Behind that: pairs that become one instruction and copies at the end of a loop
 * (fold_merge.c), loads of neighbouring words (fold_wide.c), and short blocks that a branch goes around, whose
 * instructions get its predicate instead. A block is executed in such a view by the warps that come to it, where
 * hardware would issue it for the others too, without lanes. */
#include "ptx/lower/cfg.h"
#include "ptx/lower/fold.h"
#include "ptx/lower/fold_merge.h"
#include "ptx/lower/fold_wide.h"
#include "trace/folds.h"

/* Instructions of a block that is predicated, at most. */
enum { SHORT_BLOCK = 6 };

/* A constant in a register: a move of an operand; from constant memory it stays a load. */
static void keep_constants(struct fold *f)
{
	for (uint32_t i = 0; i < f->n; i++) {
		const struct trace_inst *from = &f->w->k->trace.inst[i];

		if (f->inst[i].op != OP_NOP || from->op == OP_NOP || !from->ndst || !f->v[from->reg[0]].needed)
			continue;
		f->inst[i] = *from;
		if (from->space != SPACE_PARAM)
			continue;
		f->inst[i].op = OP_INT_ADD;
		f->inst[i].space = SPACE_NONE;
		f->inst[i].width = 0;
	}
}

static bool can_be_predicated(const struct trace_inst *t)
{
	return t->op != OP_BRANCH && t->op != OP_EXIT && t->op != OP_BARRIER && t->op != OP_MEMBAR && !trace_op_is_tensor(t->op) &&
	       !fold_is_guarded(t);
}

/* From first to last, a block to which only the branch ahead of it leads. */
static bool is_short(const struct fold *f, const struct graph *g, uint32_t first, uint32_t last)
{
	uint32_t b = g->block_of[first], n = 0;

	if (g->block[b].first != first || g->block_of[last] != b || g->first_before[b + 1] - g->first_before[b] != 1)
		return false;
	for (uint32_t i = first; i <= last; i++) {
		if (!can_be_predicated(&f->inst[i]))
			return false;
		n += f->inst[i].op != OP_NOP;
	}
	return n <= SHORT_BLOCK;
}

static void take_out(struct trace_inst *t)
{
	t->op = OP_NOP;
	t->ndst = t->nsrc = 0;
}

static void predicate(struct fold *f, const struct graph *g, const struct cfg_node *node)
{
	for (uint32_t i = 0; i < f->n; i++) {
		uint32_t target = node[i].target;
		struct trace_inst *t = &f->inst[i];
		uint16_t guard;

		if (t->op != OP_BRANCH || target == CFG_NO_TARGET || target <= i || target >= f->n)
			continue;
		if (target == i + 1) {
			take_out(t);
			continue;
		}
		if (!fold_is_guarded(t) || !is_short(f, g, i + 1, target - 1))
			continue;
		guard = t->reg[t->ndst + t->nsrc - 1];
		for (uint32_t k = i + 1; k < target; k++) {
			struct trace_inst *in = &f->inst[k];

			if (in->op == OP_NOP || in->ndst + in->nsrc == TRACE_MAX_REGS)
				continue;
			in->reg[in->ndst + in->nsrc++] = guard;
			in->flags |= TRACE_PREDICATED;
		}
		take_out(t);
	}
}

/* What is taken out keeps its class, and with it whether it has an address. */
static void finish(const struct fold *f, struct trace_inst *to)
{
	for (uint32_t i = 0; i < f->n; i++) {
		const struct trace_inst *from = &f->w->k->trace.inst[i];

		to[i] = f->inst[i].op == OP_NOP ? *from : f->inst[i];
		if (f->inst[i].op == OP_NOP && from->op != OP_NOP && trace_may_be_folded(from->op))
			to[i].flags |= TRACE_FOLDED;
	}
}

struct trace_inst *lower_folds(struct lower *w, const struct cfg_node *node)
{
	struct arena arena = {0};
	struct trace_inst *view = arena_array(w->arena, w->n_flat, 3 * sizeof *view); /* room for the variants */
	struct fold f;
	struct graph g;

	fold_begin(&f, w, &arena);
	f.keeps_constants = true;
	fold_names(&f);
	graph_make(&g, node, f.n);
	keep_constants(&f);
	fold_merge(&f, &g);
	fold_copies(&f, &g);
	fold_wide(&f, &g);
	predicate(&f, &g, node);
	finish(&f, view);
	arena_free(&g.arena);
	arena_free(&arena);
	return view;
}
