/* Atomics by which CTAs take work in turns: whose value decides, in a loop, whether that goes on.
 *
 * The value is followed through the registers of the loop's instructions and, as one thread often takes for its CTA,
 * through shared memory: a load from there has it if some store of the loop put it there. Flow within the loop is not
 * looked at: what has the value at one place has it everywhere. */
#include <stdlib.h>

#include "base/alloc.h"
#include "ptx/exec/exec.h"

/* Of work on a kernel: passes over the code for a loop, and instructions looked at in all. Code that takes more was not
 * made by a compiler, and its CTAs do not share out. */
enum { MOST_PASSES = 64 };
static const uint64_t MOST_STEPS = UINT64_C(1) << 30;

struct loop {
	const struct ptx_kernel *k;
	bool *in;  /* by code index: the natural loop of a backward branch */
	bool *has; /* the value, by register of the trace */
	bool in_shared;
	uint64_t steps;
};

/* ---- which instructions a loop has ---- */

static bool goes_to_next(const struct insn *i)
{
	if (i->kind == INSN_BRANCH)
		return i->guard != NO_CODE;
	return i->kind != INSN_RETURN && (i->kind != INSN_EXIT || i[1].kind == INSN_UNGUARD);
}

static bool next_is_in(const struct loop *l, unsigned i)
{
	return i + 1 < l->k->n_code && goes_to_next(&l->k->code[i]) && l->in[i + 1];
}

static bool target_is_in(const struct loop *l, unsigned i)
{
	return l->k->code[i].kind == INSN_BRANCH && l->in[l->k->code[i].target];
}

/* Those from which the branch can be reached without passing its target. */
static void find_loop(struct loop *l, unsigned back)
{
	unsigned head = l->k->code[back].target;
	bool more = true;

	memset(l->in, 0, l->k->n_code * sizeof *l->in);
	l->in[head] = l->in[back] = true;
	for (unsigned pass = 0; more && pass < MOST_PASSES; pass++) {
		more = false;
		l->steps += l->k->n_code;
		for (unsigned i = l->k->n_code; i-- > 0;) {
			bool reaches = (next_is_in(l, i) && i + 1 != head) || (target_is_in(l, i) && l->k->code[i].target != head);

			if (l->in[i] || !reaches)
				continue;
			more = l->in[i] = true;
		}
	}
}

/* ---- where the value goes ---- */

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
		return !(next_is_in(l, at) && target_is_in(l, at)) && reads(l, t);
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
		for (unsigned i = 0; i < k->n_code; i++)
			more |= l->in[i] && step(l, &k->code[i]);
	}
	for (unsigned i = 0; i < k->n_code; i++)
		if (l->in[i] && leaves(l, i))
			return true;
	return false;
}

static bool may_take(const struct ptx_kernel *k, unsigned at)
{
	const struct mem_op *m;

	if (k->code[at].kind != INSN_ATOMIC)
		return false; /* aux is no index of mems */
	m = &k->mems[k->code[at].aux];
	return m->space != SPACE_SHARED && m->reg[0] != NO_CODE &&
	       (m->atomic == ATOMIC_ADD || m->atomic == ATOMIC_INC || m->atomic == ATOMIC_DEC);
}

static bool takes(struct loop *l, unsigned at)
{
	const struct ptx_kernel *k = l->k;

	for (unsigned back = 0; back < k->n_code; back++) {
		if (k->code[back].kind != INSN_BRANCH || k->code[back].target > back || l->steps > MOST_STEPS)
			continue;
		find_loop(l, back);
		if (l->in[at] && decides(l, at))
			return true;
	}
	return false;
}

bool *exec_find_takes(const struct ptx_kernel *k)
{
	struct loop l = {.k = k, .in = xcalloc(k->n_code + 1u, sizeof *l.in), .has = xcalloc(k->trace.n_regs + 1u, sizeof *l.has)};
	bool *of = NULL;

	for (unsigned i = 0; i < k->n_code; i++) {
		if (!may_take(k, i) || !takes(&l, i))
			continue;
		if (!of)
			of = xcalloc(k->n_mems, sizeof *of);
		of[k->code[i].aux] = true;
	}
	free(l.in);
	free(l.has);
	return of;
}
