/* Texture fetches; vprintf and __assertfail. */
#include <string.h>

#include "ptx/lower/lower.h"

/* ---- tex ---- */

/* tex.1d|2d.v4.dtype.ctype */
static bool texture_parts(struct lower *w, struct tex_op *t)
{
	static const char *const to[] = {"f32", "u32", "s32"};
	bool known = false;

	if (w->n_parts != 5 || strcmp(w->part[2], "v4") || (strcmp(w->part[1], "1d") && strcmp(w->part[1], "2d"))) {
		lower_complain(w, "of the textures only .1d.v4 and .2d.v4 without levels are supported");
		return false;
	}
	for (unsigned i = 0; i < 3; i++)
		known |= !strcmp(w->part[3], to[i]);
	t->two_d = w->part[1][0] == '2';
	t->as_float = !strcmp(w->part[3], "f32");
	t->float_coords = !strcmp(w->part[4], "f32");
	if (!known || (!t->float_coords && strcmp(w->part[4], "s32")))
		lower_complain(w, "no fetch of these types");
	return !w->complaint;
}

/* {x}, x, {x, y}; old compilers give four, of which the last have no meaning */
static void coordinates(struct lower *w, const struct ptx_operand *o, struct tex_op *t)
{
	const struct ptx_operand *list = o->kind == OPD_VECTOR ? o->elem : o;
	unsigned n = o->kind == OPD_VECTOR ? o->n_elem : 1;

	if (n < 1u + t->two_d || n > 4) {
		lower_complain(w, "%u coordinates", n);
		return;
	}
	for (unsigned c = 0; c < (t->two_d ? 2u : 1u); c++)
		t->at[c] = lower_src_of(w, &list[c], 4, t->float_coords ? PT_F32 : PT_S32);
}

void lower_texture(struct lower *w)
{
	const struct ptx_operand *d = w->f->s->opd, *a = d + 1;
	struct tex_op t = {0};

	if (!texture_parts(w, &t) || !lower_operands(w, 2, 2))
		return;
	if (a->kind != OPD_TEXTURE || a->n_elem != 2 || d->kind != OPD_VECTOR || d->n_elem != 4) {
		lower_complain(w, a->kind == OPD_TEXTURE && a->n_elem > 2 ? "separate samplers are not supported"
									  : "its operands are not {r, g, b, a}, [texture, {at}]");
		return;
	}
	if (a->elem[0].kind == OPD_VAR && a->elem[0].var->type != PT_TEXREF && a->elem[0].var->space != SPACE_TEX) {
		lower_complain(w, "%s is not a .texref of the module", a->elem[0].var->name);
		return;
	}
	t.handle = lower_src_of(w, &a->elem[0], 8, PT_B64);
	if (a->offset)
		lower_complain(w, "an offset to a texture");
	coordinates(w, &a->elem[1], &t);
	for (unsigned k = 0; k < 4; k++)
		t.reg[k] = d->elem[k].kind == OPD_SINK ? NO_CODE : lower_dst_of(w, &d->elem[k], 4);
	w->i->kind = INSN_TEXTURE;
	w->t->op = OP_LOAD;
	w->t->space = SPACE_TEX;
	/* A texel's size is known to the host program only. It never straddles a line or a sector, so its first byte
	 * shows where it is. */
	w->t->width = 1;
	*(struct tex_op *)APPEND(w, w->k->texs, w->k->n_texs) = t;
	w->i->aux = w->k->n_texs - 1;
}

/* ---- functions that the executor does ---- */

static bool is_call_of(const struct ptx_stmt *call, const char *name)
{
	const struct ptx_func *f = strncmp(call->opcode, "call", 4) ? NULL : lower_callee(call);

	return f && !f->has_body && !strcmp(f->name, name);
}

bool lower_is_builtin(const struct ptx_stmt *call)
{
	return is_call_of(call, "vprintf") || is_call_of(call, "__assertfail");
}

/* A variable of the caller's own parameter space; its offset in the frame. */
static uint64_t frame_location(struct lower *w, const struct ptx_operand *list, unsigned k, uint64_t bytes)
{
	const struct ptx_operand *o = list->kind == OPD_LIST && k < list->n_elem ? &list->elem[k] : NULL;
	uint64_t offset = 0;

	if (!o || o->kind != OPD_VAR || o->var->bytes != bytes || lower_location(w, w->f->in, o->var, &offset) != SPACE_PARAM ||
	    offset < PARAM_FRAME)
		lower_complain(w, "its parameters are not .param variables of the right sizes");
	return offset - PARAM_FRAME;
}

/* call (result), vprintf, (format, arguments); call __assertfail, (what, file, line, function, size of a character) */
void lower_builtin(struct lower *w)
{
	static const uint64_t print_bytes[] = {8, 8}, assert_bytes[] = {8, 8, 4, 8};
	bool is_assert = is_call_of(w->f->s, "__assertfail");
	const struct ptx_operand *o = w->f->s->opd, *params = &o[is_assert ? 1 : 2];
	struct print_op p = {{0}, 0};

	if (w->f->s->n != (is_assert ? 2 : 3) || params->kind != OPD_LIST || params->n_elem != (is_assert ? 5 : 2)) {
		lower_complain(w, "it does not have the parameters and the result that CUDA declares");
		return;
	}
	for (unsigned k = 0; k < (is_assert ? 4 : 2); k++)
		p.param[k] = frame_location(w, params, k, is_assert ? assert_bytes[k] : print_bytes[k]);
	if (!is_assert)
		p.result = frame_location(w, &o[0], 0, 4);
	w->i->kind = is_assert ? INSN_ASSERT : INSN_PRINTF;
	*(struct print_op *)APPEND(w, w->k->prints, w->k->n_prints) = p;
	w->i->aux = w->k->n_prints - 1;
}
