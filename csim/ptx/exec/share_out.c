/* Atomics by which CTAs take work in turns: whose value decides, in a loop, whether that goes on.
 *
 * The value is followed through the registers of the loop's instructions and, as one thread often takes for its CTA,
 * through shared memory: a load from there has it if some store of the loop put it there. Flow within the loop is not
 * looked at: what has the value at one place has it everywhere. */
#include <stdlib.h>

#include "base/alloc.h"
#include "ptx/exec/exec.h"

struct loop {
	const struct ptx_kernel *k;
	unsigned head, back; /* code indices: its first instruction and its backward branch */
	bool *has;	     /* by register of the trace */
	bool in_shared;
};

static bool reads(const struct loop *l, const struct trace_inst *t)
{
	for (unsigned r = t->ndst; r < t->ndst + t->nsrc; r++)
		if (l->has[t->reg[r]])
			return true;
	return false;
}

/* Marks what the instruction writes. True: that was not known. */
static bool writes(struct loop *l, const struct trace_inst *t)
{
	bool more = false;

	for (unsigned r = 0; r < t->ndst; r++) {
		more |= !l->has[t->reg[r]];
		l->has[t->reg[r]] = true;
	}
	return more;
}

/* One instruction's part in the flow. True: more is known. */
static bool step(struct loop *l, const struct insn *i)
{
	const struct trace_inst *t = &l->k->trace.inst[i->pc];

	if (i->kind == INSN_MEMORY && l->k->mems[i->aux].store) {
		bool more = t->space == SPACE_SHARED && !l->in_shared && reads(l, t);

		l->in_shared |= more;
		return more;
	}
	if (i->kind == INSN_MEMORY)
		return t->space == SPACE_SHARED && l->in_shared && writes(l, t);
	if (i->kind == INSN_ATOMIC || i->kind >= INSN_JOIN || i->kind == INSN_BRANCH)
		return false;
	return reads(l, t) && writes(l, t);
}

/* Whether the loop ends there by what the instruction reads. */
static bool leaves(const struct loop *l, unsigned at)
{
	const struct insn *i = &l->k->code[at];
	const struct trace_inst *t = &l->k->trace.inst[i->pc];

	if (i->kind == INSN_BRANCH)
		return (at == l->back || i->target < l->head || i->target > l->back) && reads(l, t);
	return i->kind == INSN_EXIT && reads(l, t);
}

static bool decides(struct loop *l, unsigned at)
{
	const struct ptx_kernel *k = l->k;
	bool more = true;

	memset(l->has, 0, k->trace.n_regs * sizeof *l->has);
	l->in_shared = false;
	writes(l, &k->trace.inst[k->code[at].pc]);
	while (more) {
		more = false;
		for (unsigned i = l->head; i <= l->back; i++)
			more |= step(l, &k->code[i]);
	}
	for (unsigned i = l->head; i <= l->back; i++)
		if (leaves(l, i))
			return true;
	return false;
}

static bool may_take(const struct ptx_kernel *k, unsigned at)
{
	const struct mem_op *m = &k->mems[k->code[at].aux];

	return k->code[at].kind == INSN_ATOMIC && m->space != SPACE_SHARED && m->reg[0] != NO_CODE &&
	       (m->atomic == ATOMIC_ADD || m->atomic == ATOMIC_INC || m->atomic == ATOMIC_DEC);
}

static bool takes(struct loop *l, unsigned at)
{
	const struct ptx_kernel *k = l->k;

	for (l->back = at; l->back < k->n_code; l->back++) {
		const struct insn *i = &k->code[l->back];

		l->head = i->target;
		if (i->kind == INSN_BRANCH && l->head <= at && decides(l, at))
			return true;
	}
	return false;
}

bool *exec_find_takes(const struct ptx_kernel *k)
{
	struct loop l = {.k = k, .has = xcalloc(k->trace.n_regs + 1u, sizeof *l.has)};
	bool *of = NULL;

	for (unsigned i = 0; i < k->n_code; i++) {
		if (!may_take(k, i) || !takes(&l, i))
			continue;
		if (!of)
			of = xcalloc(k->n_mems, sizeof *of);
		of[k->code[i].aux] = true;
	}
	free(l.has);
	return of;
}
