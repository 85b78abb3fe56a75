/* Who calls whom: which functions can come back to themselves, and which may be what an address leads to. */
#include <string.h>

#include "ptx/lower/lower.h"

/* Operands that name functions: that of a call is called, all others are addresses. */
static void list_calls(struct ptx_func *f)
{
	struct arena *arena = &f->module->arena;
	unsigned n = 0;

	if (f->calls_listed)
		return;
	f->calls_listed = true;
	for (unsigned i = 0; i < f->n_stmts; i++)
		n += lower_callee(&f->stmts[i]) != NULL;
	f->callees = arena_array(arena, n + 1u, sizeof(struct ptx_func *));
	for (unsigned i = 0; i < f->n_stmts; i++) {
		const struct ptx_stmt *s = &f->stmts[i];

		if (!strncmp(s->opcode, "call", 4)) {
			if (lower_callee(s))
				f->callees[f->n_callees++] = lower_callee(s);
			continue;
		}
		for (unsigned k = 0; k < s->n; k++)
			if (s->opd[k].kind == OPD_FUNC)
				lower_defined(s->opd[k].func)->address_taken = true;
	}
}

static bool reaches(struct ptx_func *from, const struct ptx_func *to, const void *visit)
{
	list_calls(from);
	from->visit = visit;
	for (unsigned i = 0; i < from->n_callees; i++) {
		struct ptx_func *f = from->callees[i];

		if (f == to || (f->visit != visit && reaches(f, to, visit)))
			return true;
	}
	return false;
}

bool lower_is_recursive(struct lower *w, struct ptx_func *f)
{
	if (f->recursion == RECURSION_UNKNOWN)
		f->recursion = reaches(f, f, arena_alloc(w->arena, 1)) ? RECURSION_YES : RECURSION_NO;
	return f->recursion == RECURSION_YES;
}

struct ptx_func *lower_defined(struct ptx_func *f)
{
	for (unsigned most = 64; f->alias && most; most--)
		f = f->alias;
	return f;
}

static void take_all(struct lower *w, const struct ptx_module *m)
{
	for (struct ptx_func *f = m->funcs; f; f = f->next)
		list_calls(f);
	for (struct ptx_func *f = m->funcs; f; f = f->next) {
		struct ptx_func *body = lower_defined(f);

		if (f->address_taken && body->has_body && !body->is_entry && !body->bad)
			lower_frame_of(w, body, true);
	}
}

void lower_take_addresses(struct lower *w)
{
	const struct ptx_module *m = w->k->module;

	w->k->calls_addresses = true;
	take_all(w, m);
	for (unsigned i = 0; i < m->n_linked; i++)
		take_all(w, m->linked[i]);
}
