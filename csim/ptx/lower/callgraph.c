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

struct search {
	struct ptx_func *component; /* the functions whose component is not complete, the last one first: ->below */
	uint32_t n;
};

static void enter(struct search *s, struct ptx_func *f, struct ptx_func *caller)
{
	list_calls(f);
	f->caller = caller;
	f->order = f->low = ++s->n;
	f->looked_at = 0;
	f->below = s->component;
	s->component = f;
}

/* f is the first of its component: all that are above it there, and itself, can come back to themselves if they are
 * several, or if one calls itself. */
static void complete(struct search *s, struct ptx_func *f)
{
	bool several = s->component != f;
	struct ptx_func *member;

	do {
		member = s->component;
		s->component = member->below;
		member->recursion = several || member->calls_itself ? RECURSION_YES : RECURSION_NO;
	} while (member != f);
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1972, without recursion: a chain of calls
 * may be as long as a text. */
static void find_recursion(struct ptx_func *root)
{
	struct search s = {NULL, 0};
	struct ptx_func *f = root;

	enter(&s, f, NULL);
	while (f) {
		struct ptx_func *up = f->caller;

		if (f->looked_at < f->n_callees) {
			struct ptx_func *to = f->callees[f->looked_at++];

			f->calls_itself |= to == f;
			if (to->recursion != RECURSION_UNKNOWN)
				continue;
			if (to->order) {
				f->low = least(f->low, to->order);
				continue;
			}
			enter(&s, to, f);
			f = to;
			continue;
		}
		if (f->low == f->order)
			complete(&s, f);
		if (up)
			up->low = least(up->low, f->low);
		f = up;
	}
}

bool lower_is_recursive(struct ptx_func *f)
{
	if (f->recursion == RECURSION_UNKNOWN)
		find_recursion(f);
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
