/* tex, tld4, txq and suq. */
#include <string.h>

#include "ptx/lower/lower.h"

/* ---- where ---- */

const struct tex_form *lower_tex_form(const char *name)
{
	static const struct tex_form all[] = {
		{"1d", TEX_1D, 1, false},  {"2d", TEX_2D, 2, false},	 {"3d", TEX_3D, 3, false},	{"a1d", TEX_A1D, 1, true},
		{"a2d", TEX_A2D, 2, true}, {"cube", TEX_CUBE, 3, false}, {"acube", TEX_ACUBE, 3, true},
	};

	for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
		if (!strcmp(all[i].name, name))
			return &all[i];
	return NULL;
}

/* The texture or surface of an operand: a register, or the name of a reference. */
static uint32_t handle_of(struct lower *w, const struct ptx_operand *o, enum ptx_type reference)
{
	const struct ptx_var *v = o->kind == OPD_VAR ? o->var : NULL;

	if (v && v->type != reference && (v->space != SPACE_TEX || reference != PT_TEXREF))
		return lower_complain(w, "%s is not a .%s of the module", v->name, ptx_type_name(reference));
	return lower_src_of(w, o, 8, PT_B64);
}

/* [texture, {layer, x, y, z}]; of one coordinate the braces may be missing, and old compilers give four, of which the
 * last have no meaning. */
void lower_place(struct lower *w, const struct ptx_operand *o, const struct tex_form *g, enum ptx_type reference, bool float_coords,
		 struct tex_place *p)
{
	const struct ptx_operand *last = o->kind == OPD_TEXTURE ? &o->elem[o->n_elem - 1] : NULL, *list;
	unsigned n = last && last->kind == OPD_VECTOR ? last->n_elem : 1;

	if (!last || o->n_elem != 2) {
		lower_complain(w, last && reference == PT_TEXREF ? "separate samplers are not supported"
								 : "its operands are not the values and [texture, {at}]");
		return;
	}
	list = last->kind == OPD_VECTOR ? last->elem : last;
	if (n < g->coordinates + g->layered || n > 4) {
		lower_complain(w, "%u coordinates", n);
		return;
	}
	if (o->offset)
		lower_complain(w, "an offset to a texture");
	p->geometry = g->geometry;
	p->n = (uint8_t)g->coordinates;
	p->float_coords = float_coords;
	p->handle = handle_of(w, &o->elem[0], reference);
	p->layer = g->layered ? lower_src_of(w, list++, 4, PT_U32) : NO_CODE;
	for (unsigned c = 0; c < g->coordinates; c++)
		p->at[c] = lower_src_of(w, &list[c], 4, float_coords ? PT_F32 : PT_S32);
}

/* ---- tex, tld4 ---- */

static void no_such(struct lower *w)
{
	lower_complain(w, "no fetch of this kind or of these types is supported");
}

/* .geom.v4.dtype.ctype from part `at` on; NULL after a complaint. */
static const struct tex_form *fetch_types(struct lower *w, unsigned at, struct tex_op *t)
{
	const struct tex_form *g = w->n_parts == at + 4 ? lower_tex_form(w->part[at]) : NULL;
	const char *to = g ? w->part[at + 2] : "", *from = g ? w->part[at + 3] : "";

	t->as_float = !strcmp(to, "f32");
	if (!g || strcmp(w->part[at + 1], "v4") != 0 || (!t->as_float && strcmp(to, "u32") != 0 && strcmp(to, "s32") != 0) ||
	    (strcmp(from, "f32") != 0 && strcmp(from, "s32") != 0)) {
		no_such(w);
		return NULL;
	}
	if (from[0] == 's' && (g->geometry == TEX_CUBE || g->geometry == TEX_ACUBE))
		no_such(w);
	return w->complaint ? NULL : g;
}

static void lower_step(struct lower *w, const struct ptx_operand *o, unsigned n, uint32_t step[3])
{
	if (!(n == 1 && o->kind != OPD_VECTOR) && (o->kind != OPD_VECTOR || o->n_elem < n)) {
		lower_complain(w, "its gradients are not vectors of %u", n);
		return;
	}
	for (unsigned c = 0; c < n; c++)
		step[c] = lower_src_of(w, o->kind == OPD_VECTOR ? &o->elem[c] : o, 4, PT_F32);
}

static void finish(struct lower *w, const struct tex_op *t)
{
	w->i->kind = INSN_TEXTURE;
	w->t->op = OP_LOAD;
	w->t->space = SPACE_TEX;
	/* A texel's size is known to the host program only. It never straddles a line or a sector, so its first byte
	 * shows where it is. */
	w->t->width = 1;
	*(struct tex_op *)APPEND(w, w->k->texs, w->k->n_texs) = *t;
	w->i->aux = w->k->n_texs - 1;
}

/* {r, g, b, a}, or with a predicate that says whether the memory is there: {r, g, b, a}|p */
static void results(struct lower *w, const struct ptx_operand *d, struct tex_op *t)
{
	const struct ptx_operand *p = d->kind == OPD_PAIR ? &d->elem[1] : NULL;

	d = p ? d->elem : d;
	if (d->kind != OPD_VECTOR || d->n_elem != 4) {
		lower_complain(w, "its operands are not {r, g, b, a}, [texture, {at}]");
		return;
	}
	for (unsigned k = 0; k < 4; k++)
		t->reg[k] = d->elem[k].kind == OPD_SINK ? NO_CODE : lower_dst_of(w, &d->elem[k], 4);
	if (p)
		t->resident = lower_dst_of(w, p, SIZE_PRED);
}

/* tex{.base|.level|.grad}.geom.v4.dtype.ctype {r, g, b, a}, [texture, {at}]{, level | dx, dy} */
void lower_texture(struct lower *w)
{
	static const char *const kinds[] = {"base", "level", "grad"};
	const struct ptx_operand *o = w->f->s->opd;
	struct tex_op t = {.kind = TEX_BASE, .level = NO_CODE, .resident = NO_CODE};
	const struct tex_form *g;
	bool named = false;

	for (unsigned k = TEX_BASE; k <= TEX_GRADIENT && w->n_parts > 1 && !named; k++) {
		named = !strcmp(w->part[1], kinds[k]);
		t.kind = named ? (enum tex_kind)k : TEX_BASE;
	}
	g = fetch_types(w, named ? 2 : 1, &t);
	if (!g || !lower_operands(w, 2u + t.kind, 2u + t.kind))
		return;
	lower_place(w, &o[1], g, PT_TEXREF, !strcmp(w->part[w->n_parts - 1], "f32"), &t.place);
	if (t.kind == TEX_LEVEL)
		t.level = lower_src(w, 2, 4, t.place.float_coords ? PT_F32 : PT_S32);
	for (unsigned d = 0; t.kind == TEX_GRADIENT && d < 2; d++)
		lower_step(w, &o[2 + d], g->coordinates, t.step[d]);
	if (!w->complaint)
		results(w, &o[0], &t);
	finish(w, &t);
}

/* tld4.comp.geom.v4.dtype.f32 {r, g, b, a}, [texture, {at}] */
void lower_gather(struct lower *w)
{
	static const char channels[] = "rgba";
	const struct ptx_operand *o = w->f->s->opd;
	const char *channel = w->n_parts > 1 && strlen(w->part[1]) == 1 ? strchr(channels, w->part[1][0]) : NULL;
	struct tex_op t = {.kind = TEX_GATHER, .level = NO_CODE, .resident = NO_CODE};
	const struct tex_form *g = channel ? fetch_types(w, 2, &t) : NULL;

	if (!g || g->geometry == TEX_1D || g->geometry == TEX_3D || g->geometry == TEX_A1D ||
	    strcmp(w->part[w->n_parts - 1], "f32") != 0) {
		no_such(w);
		return;
	}
	t.channel = (uint8_t)(channel - channels);
	if (!lower_operands(w, 2, 2))
		return;
	lower_place(w, &o[1], g, PT_TEXREF, true, &t.place);
	if (!w->complaint)
		results(w, &o[0], &t);
	finish(w, &t);
}

/* ---- txq, suq ---- */

/* txq.width.b32 d, [texture]; txq.level.width.b32 d, [texture], level; suq.width.b32 d, [surface] */
void lower_query(struct lower *w)
{
	static const char *const names[] = {[TEX_WIDTH] = "width",
					    [TEX_HEIGHT] = "height",
					    [TEX_DEPTH] = "depth",
					    [TEX_LAYERS] = "array_size",
					    [TEX_LEVELS] = "num_mipmap_levels",
					    [TEX_NORMALIZED] = "normalized_coords",
					    [TEX_CHANNEL_TYPE] = "channel_data_type",
					    [TEX_CHANNEL_ORDER] = "channel_order"};
	bool surface = w->part[0][0] == 's', level = w->n_parts == 4 && !strcmp(w->part[1], "level") && !surface;
	const struct ptx_operand *o = w->f->s->opd;
	unsigned most = level ? TEX_DEPTH : TEX_CHANNEL_ORDER, q = 0;

	while (w->n_parts == 3u + level && q <= most && strcmp(names[q], w->part[1 + level]) != 0)
		q++;
	if (w->n_parts != 3u + level || q > most || (surface && (q == TEX_LEVELS || q == TEX_NORMALIZED)) ||
	    strcmp(w->part[w->n_parts - 1], "b32") != 0) {
		lower_complain(w, "this query is not supported");
		return;
	}
	if (!lower_operands(w, 2u + level, 2u + level))
		return;
	if (o[1].kind != OPD_ADDR || o[1].offset) {
		lower_complain(w, "its operand is not [texture]");
		return;
	}
	w->i->kind = INSN_QUERY;
	w->i->aux = q;
	w->i->target = surface;
	w->i->a = handle_of(w, o[1].elem, surface ? PT_SURFREF : PT_TEXREF);
	w->i->b = level ? lower_src(w, 2, 4, PT_U32) : lower_const(w, 0, 4);
	w->i->dst_size = 4;
	w->i->d = lower_dst(w, 0, 4);
	w->t->op = OP_INT_ADD;
}
