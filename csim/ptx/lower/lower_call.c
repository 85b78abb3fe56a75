/* Calls with frames of their own, and the stack that they share with alloca: see struct call_frame. */
#include <string.h>

#include "ptx/lower/lower.h"

enum { MAX_DEPTH = 16 /* of functions that are in the places of their calls */ };

static unsigned depth_of(const struct instance *in)
{
	return in->up ? 1 + depth_of(in->up) : 0;
}

/* The operand that says what is called. */
static const struct ptx_operand *target_of(const struct ptx_stmt *s)
{
	unsigned at = s->n && s->opd[0].kind == OPD_LIST;

	return s->n > at ? &s->opd[at] : NULL;
}

static const char *without_body(struct lower *w, const struct ptx_func *f)
{
	if (strstr(f->name, "LaunchDevice") || strstr(f->name, "GetParameterBuffer"))
		return "a kernel that launches kernels (dynamic parallelism)";
	return arena_printf(w->arena, "a call of %s, a function without a body", f->name);
}

enum call_how lower_call_how(struct lower *w, const struct instance *in, const struct ptx_stmt *s, const char **why)
{
	struct ptx_func *f = lower_callee(s);
	const struct ptx_operand *target = target_of(s);

	if (!f && target && target->kind == OPD_REG)
		return CALL_FRAME;
	if (!f || !f->has_body || f->is_entry) {
		*why = f && !f->has_body ? without_body(w, f) : "a call of what is neither a function nor a register";
		return CALL_BAD;
	}
	return lower_is_recursive(f) || depth_of(in) >= MAX_DEPTH ? CALL_FRAME : CALL_INLINE;
}

uint32_t lower_frame_of(struct lower *w, struct ptx_func *f, bool by_address)
{
	struct ptx_kernel *k = w->k;

	for (uint32_t i = 0; i < k->n_frames; i++) {
		if (k->frames[i].func == f) {
			k->frames[i].by_address &= by_address;
			return i;
		}
	}
	*(struct call_frame *)APPEND(w, k->frames, k->n_frames) = (struct call_frame){.func = f, .by_address = by_address};
	return k->n_frames - 1;
}

static void add_formals(struct lower *w, const struct instance *in, struct call_frame *f, const struct ptx_var *list)
{
	for (const struct ptx_var *v = list; v; v = v->next) {
		struct frame_param p = {0, v->bytes};

		if (v->space == SPACE_PARAM && lower_location(w, in, v, &p.offset) == SPACE_PARAM)
			p.offset -= PARAM_FRAME;
		else
			p.bytes = 0; /* a register: its use is a complaint */
		if (v->formal == FORMAL_RETURN)
			f->result_bytes += p.bytes;
		*(struct frame_param *)APPEND(w, f->formals, f->n_formals) = p;
	}
}

void lower_frame_begin(struct lower *w, const struct instance *in)
{
	struct call_frame *f = &w->k->frames[in->frame];

	w->frame = (w->frame + STACK_ALIGN - 1) / STACK_ALIGN * STACK_ALIGN;
	f->params_at = w->frame;
	add_formals(w, in, f, f->func->returns);
	add_formals(w, in, f, f->func->params);
}

void lower_frame_end(struct lower *w, uint32_t frame)
{
	struct call_frame *f = &w->k->frames[frame];

	f->param_bytes = w->frame - f->params_at;
	f->local_bytes = (f->local_bytes + STACK_ALIGN - 1) / STACK_ALIGN * STACK_ALIGN;
}

uint32_t lower_frame_address(struct lower *w, uint32_t frame, uint64_t offset, unsigned size)
{
	struct call_frame *f = &w->k->frames[frame];
	uint32_t row;

	for (unsigned i = 0; i < f->n_addresses; i++)
		if (f->addresses[i].offset == offset && f->addresses[i].size == size)
			return f->addresses[i].row;
	row = lower_take_row(w, size);
	*(struct frame_address *)APPEND(w, f->addresses, f->n_addresses) = (struct frame_address){row, (uint8_t)size, offset};
	*(struct frame_row *)APPEND(w, f->rows, f->n_rows) = (struct frame_row){row, (uint8_t)size};
	return row;
}

static void add_actuals(struct lower *w, struct call_op *c, const struct ptx_operand *list)
{
	for (unsigned k = 0; k < list->n_elem; k++) {
		const struct ptx_operand *o = &list->elem[k];
		struct frame_param p = {0};

		if (o->kind != OPD_VAR || lower_location(w, w->f->in, o->var, &p.offset) != SPACE_PARAM || p.offset < PARAM_FRAME) {
			lower_complain(w, "a call does not give this parameter a .param variable");
			return;
		}
		p.offset -= PARAM_FRAME;
		p.bytes = o->var->bytes;
		*(struct frame_param *)APPEND(w, c->actuals, c->n_actuals) = p;
	}
}

/* call {(results),} function or register {, (parameters)} {, prototype or targets} */
void lower_frame_call(struct lower *w)
{
	const struct ptx_stmt *s = w->f->s;
	const struct ptx_operand *target = target_of(s), *params = target + 1;
	struct ptx_func *f = lower_callee(s);
	struct call_op c = {.frame = NO_CODE};

	if (f)
		c.frame = lower_frame_of(w, f, false);
	else
		c.target = lower_src_of(w, target, 8, PT_B64);
	if (target != s->opd)
		add_actuals(w, &c, &s->opd[0]);
	c.n_results = c.n_actuals;
	if (params < s->opd + s->n && params->kind == OPD_LIST)
		add_actuals(w, &c, params);
	w->i->kind = INSN_CALL;
	*(struct call_op *)APPEND(w, w->k->calls, w->k->n_calls) = c;
	w->i->aux = w->k->n_calls - 1;
}

static void use_stack(struct lower *w, enum stack_op op)
{
	if (w->k->stack_pointer == NO_CODE)
		w->k->stack_pointer = lower_take_row(w, 8);
	w->i->kind = INSN_STACK;
	w->i->aux = op;
	w->t->op = OP_INT_ADD;
}

/* alloca.u64 ptr, bytes{, alignment} */
void lower_alloca(struct lower *w)
{
	const struct ptx_operand *align = w->f->s->n > 2 ? &w->f->s->opd[2] : NULL;
	unsigned size = lower_has(w, "u32") ? 4 : 8;

	if (!lower_operands(w, 2, 3))
		return;
	if (align && (align->kind != OPD_IMM || !align->bits || align->bits > 4096 || (align->bits & (align->bits - 1)))) {
		lower_complain(w, "its alignment is not a power of two up to 4096");
		return;
	}
	use_stack(w, STACK_ALLOCA);
	w->i->a = lower_src(w, 1, size, size == 8 ? PT_U64 : PT_U32);
	w->i->e = align ? (uint32_t)align->bits : 8;
	w->i->dst_size = (uint8_t)size;
	w->i->d = lower_dst(w, 0, size);
}

/* stacksave.u64 d; stackrestore.u64 a */
void lower_stack(struct lower *w)
{
	bool save = w->part[0][5] == 's';
	unsigned size = lower_has(w, "u32") ? 4 : 8;

	if (!lower_operands(w, 1, 1))
		return;
	use_stack(w, save ? STACK_SAVE : STACK_RESTORE);
	w->i->dst_size = (uint8_t)size;
	if (save)
		w->i->d = lower_dst(w, 0, size);
	else
		w->i->a = lower_src(w, 0, size, size == 8 ? PT_U64 : PT_U32);
}
