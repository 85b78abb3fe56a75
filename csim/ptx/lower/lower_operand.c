/* Registers, constants and addresses. */
#include <string.h>

#include "ptx/lower/lower.h"

unsigned lower_reg_size(enum ptx_type t)
{
	unsigned bytes = ptx_type_bytes(t);

	return t == PT_PRED ? SIZE_PRED : bytes == 1 ? 2 : bytes;
}

static const char *size_name(unsigned size)
{
	return size == SIZE_PRED ? "a predicate" : size == 2 ? "16 bits" : size == 4 ? "32 bits" : "64 bits";
}

uint32_t lower_take_row(struct lower *w, unsigned size)
{
	uint32_t row = w->k->file_bytes;

	if (size == SIZE_PRED) {
		row = w->next_pred;
		w->next_pred += 4;
	} else {
		w->k->file_bytes += LANES * size;
	}
	return row;
}

static struct lower_reg *use_reg(struct lower *w, const struct instance *in, uint32_t number)
{
	struct lower_reg *r = &w->reg[in->reg_base + number];

	if (!r->dense) {
		r->dense = ++w->k->trace.n_regs;
		r->row = lower_take_row(w, lower_reg_size(r->type));
		if (in->frame != NO_CODE) {
			struct call_frame *f = &w->k->frames[in->frame];

			*(struct frame_row *)APPEND(w, f->rows, f->n_rows) =
				(struct frame_row){r->row, (uint8_t)lower_reg_size(r->type)};
		}
	}
	return r;
}

static void note(struct lower *w, struct trace_inst *t, const struct lower_reg *r, bool dst)
{
	if (t->ndst + t->nsrc == TRACE_MAX_REGS) {
		lower_complain(w, "it has more than %d registers", TRACE_MAX_REGS);
		return;
	}
	if (dst) { /* destinations are first */
		memmove(t->reg + t->ndst + 1, t->reg + t->ndst, t->nsrc * sizeof t->reg[0]);
		t->reg[t->ndst++] = (uint16_t)(r->dense - 1);
	} else {
		t->reg[t->ndst + t->nsrc++] = (uint16_t)(r->dense - 1);
	}
}

static uint32_t special_src(struct lower *w, const struct ptx_operand *o, unsigned size);

static uint32_t special_row(struct lower *w, enum ptx_special s, unsigned size)
{
	uint32_t *row = size == 2 ? &w->k->special16[s] : &w->k->special[s];

	if (*row == NO_CODE)
		*row = lower_take_row(w, size);
	return *row;
}

/* ---- constants ---- */

static uint32_t add_key(struct lower *w, struct constant_key key)
{
	unsigned size = key.size;
	struct constant *c;

	HASH_FIND(hh, w->constants, &key, sizeof key, c);
	if (c)
		return c->row | ROW_CONST;
	c = arena_alloc(w->arena, sizeof *c);
	c->key = key;
	c->row = w->k->pool_bytes;
	HASH_ADD(hh, w->constants, key, sizeof key, c);
	w->k->pool_bytes += size == SIZE_PRED ? 64 : LANES * size;
	return c->row | ROW_CONST;
}

static uint32_t add_shifted(struct lower *w, uint64_t bits, const struct ptx_var *var, unsigned size, unsigned shift)
{
	return add_key(w, (struct constant_key){bits, var, NULL, size, shift});
}

static uint32_t add_constant(struct lower *w, uint64_t bits, const struct ptx_var *var, unsigned size)
{
	return add_shifted(w, bits, var, size, 0);
}

/* What an address of the function is called by. */
static uint32_t code_address(struct lower *w, struct ptx_func *f, unsigned size)
{
	if (size != 8)
		return lower_complain(w, "a function's address is not of %s", size_name(size));
	return add_key(w, (struct constant_key){0, NULL, f, size, 0});
}

uint32_t lower_const(struct lower *w, uint64_t bits, unsigned size)
{
	if (size == SIZE_PRED)
		bits = bits ? UINT32_MAX : 0;
	else if (size < 8)
		bits &= (UINT64_C(1) << 8 * size) - 1;
	return add_constant(w, bits, NULL, size);
}

/* The number as the instruction's type has it. */
static uint64_t literal(const struct ptx_operand *o, enum ptx_type type)
{
	uint64_t bits = o->bits;
	double d;
	float f;

	if (o->number_kind == NUMBER_F64 && type == PT_F32) {
		memcpy(&d, &bits, sizeof d);
		f = (float)d;
		bits = 0;
		memcpy(&bits, &f, sizeof f);
	} else if (o->number_kind == NUMBER_F32 && type == PT_F64) {
		memcpy(&f, &bits, sizeof f);
		d = f;
		memcpy(&bits, &d, sizeof d);
	} else if (o->number_kind == NUMBER_INT && type == PT_F32) {
		f = (float)(int64_t)bits;
		bits = 0;
		memcpy(&bits, &f, sizeof f);
	} else if (o->number_kind == NUMBER_INT && type == PT_F64) {
		d = (double)(int64_t)bits;
		memcpy(&bits, &d, sizeof d);
	}
	return bits;
}

/* ---- variables ---- */

static uint64_t location_new(struct lower *w, const struct instance *in, const struct ptx_var *v, uint64_t *used)
{
	struct location *p = arena_alloc(w->arena, sizeof *p);
	uint64_t align = v->align ? v->align : 1;

	p->key = (struct location_key){in, v};
	p->offset = (*used + align - 1) / align * align;
	HASH_ADD(hh, w->locations, key, sizeof p->key, p);
	*used = p->offset + v->bytes;
	return p->offset;
}

static bool location_find(const struct lower *w, const struct instance *in, const struct ptx_var *v, uint64_t *offset)
{
	struct location_key key = {in, v};
	const struct location *p;

	HASH_FIND(hh, w->locations, &key, sizeof key, p);
	if (p)
		*offset = p->offset;
	return p;
}

/* The argument of the call at position n of a list, if it is a .param variable. */
static const struct ptx_var *argument(const struct ptx_operand *list, unsigned n)
{
	return list && list->kind == OPD_LIST && n < list->n_elem && list->elem[n].kind == OPD_VAR ? list->elem[n].var : NULL;
}

/* The caller's variable that stands for a parameter of an inlined function; NULL if there is none. */
static const struct ptx_var *actual(const struct instance *in, const struct ptx_var *v)
{
	const struct ptx_stmt *call = in->call;
	unsigned func_at = call->opd[0].kind == OPD_LIST;

	if (v->formal == FORMAL_RETURN)
		return argument(func_at ? &call->opd[0] : NULL, v->position);
	return argument(call->n > func_at + 1 ? &call->opd[func_at + 1] : NULL, v->position);
}

enum trace_space lower_location(struct lower *w, const struct instance *in, const struct ptx_var *v, uint64_t *offset)
{
	*offset = 0;
	if (v->space == SPACE_SHARED) {
		if (!location_find(w, NULL, v, offset))
			*offset = location_new(w, NULL, v, &w->shared);
		return SPACE_SHARED;
	}
	if (v->space == SPACE_PARAM) {
		while (v && in->up && v->formal) { /* of in->func: no other function's has a name here */
			v = actual(in, v);
			in = in->up;
		}
		if (!v) {
			lower_complain(w, "a call does not give this parameter a .param variable");
			return SPACE_NONE;
		}
		if (!in->up && v->formal && in->frame == NO_CODE) {
			*offset = v->address;
			return SPACE_PARAM;
		}
		if (!location_find(w, in, v, offset))
			*offset = location_new(w, in, v, &w->frame);
		*offset += PARAM_FRAME;
		return SPACE_PARAM;
	}
	if (v->space == SPACE_LOCAL) {
		if (!location_find(w, in, v, offset))
			*offset = location_new(w, in, v, in->frame == NO_CODE ? &w->local : &w->k->frames[in->frame].local_bytes);
		return SPACE_LOCAL;
	}
	if (v->space != SPACE_GLOBAL && v->space != SPACE_TEX && v->space != SPACE_CONST)
		lower_complain(w, "%s is neither a register nor a variable in memory", v->name);
	return v->space;
}

uint32_t lower_address(struct lower *w, const struct ptx_var *v, int64_t offset, unsigned size)
{
	uint64_t at;
	enum trace_space space = lower_location(w, w->f->in, v, &at);

	if (w->complaint)
		return NO_CODE;
	if (space == SPACE_LOCAL && w->f->in->frame != NO_CODE)
		return lower_frame_address(w, w->f->in->frame, at + (uint64_t)offset, size);
	if (space != SPACE_GLOBAL && space != SPACE_CONST && space != SPACE_TEX)
		return lower_const(w, at + (uint64_t)offset, size);
	v = v->definition ? v->definition : v;
	if (v->is_extern && v->type < PT_TEXREF && space != SPACE_TEX)
		return lower_complain(w, "%s is declared extern and nowhere defined", v->name);
	if (v->type == PT_SAMPLERREF)
		return lower_complain(w, "separate samplers are not supported");
	if (v->has_modes)
		return lower_complain(w, "%s sets filter or address modes, which are not supported", v->name);
	return add_constant(w, (uint64_t)offset, v, size);
}

static void locate_shared(struct lower *w, const struct ptx_operand *o, bool dynamic)
{
	uint64_t offset;

	for (unsigned k = 0; k < o->n_elem; k++)
		locate_shared(w, &o->elem[k], dynamic);
	if (o->kind == OPD_SPECIAL && o->reg == SPECIAL_RESERVED_SMEM && !dynamic && !w->reserved_bytes) {
		w->reserved = (w->shared + 15) / 16 * 16;
		w->reserved_bytes = RESERVED_SHARED;
		w->shared = w->reserved + RESERVED_SHARED;
	}
	if (o->kind != OPD_VAR || o->var->space != SPACE_SHARED || (o->var->bytes == 0) != dynamic ||
	    location_find(w, NULL, o->var, &offset))
		return;
	w->dynamic_shared |= dynamic;
	location_new(w, NULL, o->var, &w->shared);
}

void lower_shared(struct lower *w)
{
	/* The unsized ones all begin where the others end. */
	for (int dynamic = 0; dynamic < 2; dynamic++) {
		for (unsigned f = 0; f < w->n_flat; f++)
			for (unsigned k = 0; k < w->flat[f].s->n; k++)
				locate_shared(w, &w->flat[f].s->opd[k], dynamic);
		if (!dynamic)
			w->shared = (w->shared + 15) / 16 * 16;
	}
}

/* ---- operands ---- */

enum ptx_type lower_type_of(const struct lower *w, const struct ptx_operand *o)
{
	return o->kind == OPD_REG ? w->f->in->func->regs[o->reg].type : o->kind == OPD_SPECIAL ? PT_U32 : PT_NONE;
}

uint32_t lower_grid_space(struct lower *w, unsigned shift)
{
	struct ptx_module *m = w->k->module;
	struct ptx_var **last = &m->vars;

	if (!m->grid_space && m->bound)
		return lower_complain(w, "its module was bound before it was linked");
	if (!m->grid_space) {
		while (*last)
			last = &(*last)->next;
		*last = m->grid_space = arena_alloc(w->arena, sizeof **last);
		*m->grid_space =
			(struct ptx_var){.name = "grid workspace", .space = SPACE_GLOBAL, .type = PT_B8, .align = 16, .bytes = 64};
	}
	return add_shifted(w, 0, m->grid_space, 4, shift);
}

static uint32_t special_src(struct lower *w, const struct ptx_operand *o, unsigned size)
{
	if (size != 4 && size != 2)
		return lower_complain(w, "a special register is not of %s", size_name(size));
	if (o->reg < SPECIAL_COUNT)
		return special_row(w, (enum ptx_special)o->reg, size);
	switch ((enum ptx_special)o->reg) {
	case SPECIAL_GRID_SPACE_HI:
		return lower_grid_space(w, 32);
	case SPECIAL_GRID_SPACE_LO:
		return lower_grid_space(w, 0);
	case SPECIAL_RESERVED_SMEM:
		return lower_const(w, w->reserved, size);
	case SPECIAL_ZERO:
		return lower_const(w, 0, size);
	default:
		return lower_complain(w, "this special register is read by mov only");
	}
}

uint32_t lower_src_of(struct lower *w, const struct ptx_operand *o, unsigned size, enum ptx_type type)
{
	const struct lower_reg *r;

	switch (o->kind) {
	case OPD_REG:
		r = use_reg(w, w->f->in, o->reg);
		if (lower_reg_size(r->type) != size)
			return lower_complain(w, "register %s is not of %s", w->f->in->func->regs[o->reg].name, size_name(size));
		note(w, w->t, r, false);
		return r->row;
	case OPD_SPECIAL:
		return special_src(w, o, size);
	case OPD_IMM:
		return lower_const(w, literal(o, type), size);
	case OPD_VAR:
		if (size != 8 && size != 4)
			return lower_complain(w, "an address is not of %s", size_name(size));
		return lower_address(w, o->var, o->offset, size);
	case OPD_FUNC:
		return code_address(w, lower_defined(o->func), size);
	case OPD_TEXTURE:
		return lower_complain(w, "textures are read by tex only");
	case OPD_OTHER:
		return lower_complain(w, "it uses %s, no declared register and no special one with a value here", o->word);
	default:
		return lower_complain(w, "this kind of source operand");
	}
}

uint32_t lower_src(struct lower *w, unsigned operand, unsigned size, enum ptx_type type)
{
	const struct ptx_operand *o = &w->f->s->opd[operand];

	if (o->negated)
		return lower_complain(w, "a negated operand");
	return lower_src_of(w, o, size, type);
}

uint32_t lower_dst_of(struct lower *w, const struct ptx_operand *o, unsigned size)
{
	const struct lower_reg *r;

	if (o->kind == OPD_OTHER)
		return lower_src_of(w, o, size, PT_NONE);
	if (o->kind != OPD_REG)
		return lower_complain(w, "its destination is not a register");
	r = use_reg(w, w->f->in, o->reg);
	if (lower_reg_size(r->type) != size)
		return lower_complain(w, "register %s is not of %s", w->f->in->func->regs[o->reg].name, size_name(size));
	note(w, w->t, r, true);
	return r->row;
}

uint32_t lower_dst(struct lower *w, unsigned operand, unsigned size)
{
	return lower_dst_of(w, &w->f->s->opd[operand], size);
}

uint32_t lower_guard(struct lower *w, const struct flat *f, struct trace_inst *t)
{
	const struct lower_reg *r;

	if (f->s->guard < 0)
		return NO_CODE;
	r = use_reg(w, f->in, (uint32_t)f->s->guard);
	note(w, t, r, false);
	t->flags |= TRACE_PREDICATED;
	return r->row;
}
