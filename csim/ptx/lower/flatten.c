/* The list of a kernel's instructions: bodies of functions in the places of their calls, comparisons and branches in
 * the place of a branch by a table. */
#include <string.h>

#include "ptx/lower/lower.h"

enum { MAX_FLAT = 1 << 20 };

struct ptx_func *lower_callee(const struct ptx_stmt *s)
{
	unsigned at = s->n && s->opd[0].kind == OPD_LIST;

	return s->n > at && s->opd[at].kind == OPD_FUNC ? lower_defined(s->opd[at].func) : NULL;
}

/* frame: of an instance that is not in the place of a call */
static struct instance *instance_new(struct lower *w, const struct ptx_func *f, struct instance *up, const struct ptx_stmt *call,
				     uint32_t frame)
{
	struct instance *in = arena_alloc(w->arena, sizeof *in);

	*in = (struct instance){.func = f,
				.up = up,
				.call = call,
				.frame = up ? up->frame : frame,
				.reg_base = w->n_reg,
				.flat_of = arena_array(w->arena, f->n_stmts, sizeof *in->flat_of)};
	for (unsigned r = 0; r < f->n_regs; r++)
		((struct lower_reg *)APPEND(w, w->reg, w->n_reg))->type = f->regs[r].type;
	return in;
}

/* A statement of our own in the place of s. */
static struct ptx_stmt *made(struct lower *w, struct instance *in, const struct ptx_stmt *s, const char *opcode, unsigned n)
{
	struct ptx_stmt *m = arena_alloc(w->arena, sizeof *m);

	*m = *s;
	m->opcode = opcode;
	m->guard = -1;
	m->guard_negated = false;
	m->n = n;
	m->opd = arena_array(w->arena, n, sizeof *m->opd);
	*(struct flat *)APPEND(w, w->flat, w->n_flat) = (struct flat){m, in, false};
	return m;
}

static const struct ptx_operand *targets_of(const struct instance *in, const struct ptx_stmt *s)
{
	const struct ptx_operand *list = s->n == 2 && s->opd[1].kind == OPD_LABEL ? &s->opd[1] : NULL;
	const struct ptx_stmt *at = list && list->reg < in->func->n_stmts ? &in->func->stmts[list->reg] : NULL;

	return at && !strcmp(at->opcode, PTX_BRANCH_TARGETS) ? at->opd : NULL;
}

/* brx.idx index, list: a comparison and a branch for each target but the last, which an index beyond the list takes
 * too: PTX leaves that open. False: it is none, or has no list. */
static bool flatten_table(struct lower *w, struct instance *in, const struct ptx_stmt *s, unsigned next)
{
	const struct ptx_operand *list = strncmp(s->opcode, "brx.idx", 7) ? NULL : targets_of(in, s);
	struct ptx_operand p = {.kind = OPD_REG, .reg = w->n_reg - in->reg_base};
	struct ptx_stmt *m;

	if (!list || w->n_flat + 2 * list->n_elem > MAX_FLAT)
		return false;
	((struct lower_reg *)APPEND(w, w->reg, w->n_reg))->type = PT_PRED;
	if (s->guard >= 0) {
		m = made(w, in, s, "bra", 1);
		m->guard = s->guard;
		m->guard_negated = !s->guard_negated;
		m->opd[0] = (struct ptx_operand){.kind = OPD_LABEL, .reg = next};
	}
	for (unsigned k = 0; k < list->n_elem; k++) {
		if (k + 1 < list->n_elem) {
			m = made(w, in, s, "setp.eq.u32", 3);
			m->opd[0] = p;
			m->opd[1] = s->opd[0];
			m->opd[2] = (struct ptx_operand){.kind = OPD_IMM, .bits = k};
		}
		m = made(w, in, s, "bra", 1);
		m->guard = k + 1 < list->n_elem ? (int32_t)p.reg : -1;
		m->opd[0] = list->elem[k];
	}
	return true;
}

/* -1: they are too many. */
static int flatten(struct lower *w, struct instance *in)
{
	for (unsigned i = 0; i < in->func->n_stmts; i++) {
		const struct ptx_stmt *s = &in->func->stmts[i];
		struct flat *f;
		struct instance *inner;
		struct ptx_func *callee;
		const char *why;

		if (w->n_flat >= MAX_FLAT || w->n_reg > 1000000)
			return -1;
		in->flat_of[i] = w->n_flat;
		if (!strcmp(s->opcode, PTX_BRANCH_TARGETS) || flatten_table(w, in, s, i + 1))
			continue;
		f = APPEND(w, w->flat, w->n_flat);
		*f = (struct flat){s, in, !strncmp(s->opcode, "call", 4) && !lower_is_builtin(s)};
		if (!f->is_call)
			continue;
		callee = lower_callee(s);
		switch (lower_call_how(w, in, s, &why)) {
		case CALL_INLINE:
			inner = instance_new(w, callee, in, s, NO_CODE);
			if (flatten(w, inner) < 0)
				return -1;
			inner->back = w->n_flat;
			break;
		case CALL_FRAME:
			if (callee)
				lower_frame_of(w, callee, false);
			w->calls_addresses |= !callee;
			break;
		case CALL_BAD:
			break;
		}
	}
	return 0;
}

/* The code of a function with a frame. It has one return, its last instruction; where the text has none there, one is
 * added. */
static int flatten_frame(struct lower *w, uint32_t frame)
{
	const struct ptx_func *f = w->k->frames[frame].func;
	struct instance *in = instance_new(w, f, NULL, NULL, frame);
	const struct ptx_stmt *last = &f->stmts[f->n_stmts - 1];
	uint32_t first = w->n_flat;

	if (flatten(w, in) < 0)
		return -1;
	if (last->guard >= 0 || strncmp(last->opcode, "ret", 3) != 0) {
		struct ptx_stmt *end = arena_alloc(w->arena, sizeof *end);

		*end = (struct ptx_stmt){.line = last->line, .debug_lines = last->debug_lines, .guard = -1, .opcode = "ret"};
		*(struct flat *)APPEND(w, w->flat, w->n_flat) = (struct flat){end, in, false};
	}
	w->k->frames[frame].first = first;
	w->k->frames[frame].last = w->n_flat - 1;
	return 0;
}

int lower_flatten(struct lower *w, const struct ptx_func *func)
{
	uint32_t done = 0;

	if (flatten(w, instance_new(w, func, NULL, NULL, NO_CODE)) < 0)
		return -1;
	for (;;) {
		while (done < w->k->n_frames)
			if (flatten_frame(w, done++) < 0)
				return -1;
		if (!w->calls_addresses)
			return 0;
		w->calls_addresses = false;
		lower_take_addresses(w);
	}
}
