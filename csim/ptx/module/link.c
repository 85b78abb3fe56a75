/* ptx_link: what one module declares and another defines. */
#include <string.h>

#include "ptx/lower/lower.h"
#include "ptx/ptx.h"

static struct ptx_func *func_of(struct ptx_module *m, const char *name)
{
	for (struct ptx_func *f = m->funcs; f; f = f->next)
		if (f->has_body && f->is_visible && !f->is_entry && !strcmp(f->name, name))
			return f;
	return NULL;
}

static struct ptx_var *var_of(struct ptx_module *m, const struct ptx_var *like)
{
	for (struct ptx_var *v = m->vars; v; v = v->next)
		if (!v->is_extern && v->is_visible && v->space == like->space && !strcmp(v->name, like->name))
			return v;
	return NULL;
}

static bool resolve(struct ptx_module *to, struct ptx_module *from)
{
	bool any = false;

	for (struct ptx_func *f = to->funcs; f; f = f->next) {
		if (f->has_body || f->alias)
			continue;
		f->alias = func_of(from, f->name);
		any |= f->alias != NULL;
	}
	for (struct ptx_var *v = to->vars; v; v = v->next) {
		if (!v->is_extern || v->definition || (v->space != SPACE_GLOBAL && v->space != SPACE_CONST))
			continue;
		v->definition = var_of(from, v);
		any |= v->definition != NULL;
	}
	return any;
}

static void add(struct arena *a, struct ptx_module ***list, unsigned *n, struct ptx_module *m)
{
	struct ptx_module **longer = arena_array(a, *n + 1u, sizeof(struct ptx_module *));

	for (unsigned i = 0; i < *n; i++)
		longer[i] = (*list)[i];
	longer[(*n)++] = m;
	*list = longer;
}

/* Kernels that may have become other ones, or possible at all. */
static void lower_again(struct ptx_module *m, bool resolved)
{
	for (unsigned i = 0; i < m->n_kernels; i++) {
		struct ptx_kernel *k = m->kernels[i];

		if ((!resolved || !k->n_complaints) && !k->calls_addresses)
			continue;
		*k = *lower_kernel(m, k->func);
		if (m->bound)
			ptx_fill_constants(k);
	}
}

void ptx_link(struct ptx_module *to, struct ptx_module *from)
{
	bool any = resolve(to, from);

	add(&to->arena, &to->linked, &to->n_linked, from);
	add(&from->arena, &from->users, &from->n_users, to);
	for (struct ptx_func *f = to->funcs; any && f; f = f->next) {
		f->calls_listed = false; /* a callee may be another now */
		f->n_callees = 0;
		f->recursion = RECURSION_UNKNOWN;
	}
	lower_again(to, any);
	for (unsigned i = 0; i < to->n_users; i++) /* they may call what calls what has been found */
		lower_again(to->users[i], any);
}
