/* suld and sust. */
#include <string.h>

#include "ptx/lower/lower.h"

/* .b.geom{.cop}{.v2|.v4}.type{.mode}; NULL after a complaint. */
static const struct tex_form *surface_parts(struct lower *w, struct surf_op *s, struct mem_op *m)
{
	static const char *const modes[] = {[SURF_TRAP] = "trap", [SURF_CLAMP] = "clamp", [SURF_ZERO] = "zero"};
	static const char *const hints[] = {"ca", "cg", "cs", "cv", "wb", "wt"};
	const struct tex_form *g = w->n_parts > 3 && !strcmp(w->part[1], "b") ? lower_tex_form(w->part[2]) : NULL;
	bool known = g && g->geometry != TEX_CUBE && g->geometry != TEX_ACUBE;

	m->n = lower_has(w, "v2") ? 2 : lower_has(w, "v4") ? 4 : 1;
	for (unsigned i = 3; i < w->n_parts && known; i++) {
		enum ptx_type type = ptx_type_of(w->part[i], strlen(w->part[i]));

		known = type != PT_NONE || !strcmp(w->part[i], "v2") || !strcmp(w->part[i], "v4");
		m->type = type != PT_NONE ? type : m->type;
		for (unsigned k = 0; k < sizeof modes / sizeof modes[0]; k++) {
			if (strcmp(w->part[i], modes[k]) != 0)
				continue;
			s->mode = (enum surf_mode)k;
			known = true;
		}
		for (unsigned k = 0; k < sizeof hints / sizeof hints[0]; k++)
			known |= !strcmp(w->part[i], hints[k]);
	}
	m->width = (uint8_t)ptx_type_bytes(m->type);
	if (!known || m->type < PT_B8 || m->type > PT_B64 || m->width * m->n > 16) {
		lower_complain(w, "no access to surfaces of this kind or type is supported");
		return NULL;
	}
	return g;
}

/* suld.b... d, [surface, {at}]; sust.b... [surface, {at}], values. x counts bytes. */
void lower_surface(struct lower *w)
{
	struct mem_op m = {.store = !strcmp(w->part[0], "sust"), .space = SPACE_GLOBAL, .addr = NO_CODE};
	const struct ptx_operand *o = w->f->s->opd;
	struct surf_op s = {.mode = SURF_TRAP};
	const struct tex_form *g = surface_parts(w, &s, &m);

	if (!g || !lower_operands(w, 2, 2))
		return;
	lower_place(w, &o[!m.store], g, PT_SURFREF, false, &s.place);
	if (!w->complaint)
		lower_data(w, &o[m.store], &m);
	w->i->kind = INSN_SURFACE;
	w->t->op = m.store ? OP_STORE : OP_LOAD;
	w->t->space = SPACE_GLOBAL;
	w->t->width = (uint8_t)(m.width * m.n);
	*(struct mem_op *)APPEND(w, w->k->mems, w->k->n_mems) = m;
	s.mem = w->k->n_mems - 1;
	*(struct surf_op *)APPEND(w, w->k->surfs, w->k->n_surfs) = s;
	w->i->aux = w->k->n_surfs - 1;
}
