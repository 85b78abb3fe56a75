/* One instruction, over forms. */
#include "affine/eval_int.h"

const struct value *value_form(struct state *s, struct affine_form f)
{
	struct value *v = arena_alloc(s->tmp, sizeof *v);

	v->form = f;
	return v;
}

static const struct value *value_pred(struct state *s, struct affine_pred p)
{
	struct value *v = arena_alloc(s->tmp, sizeof *v);

	v->is_pred = true;
	v->pred = p;
	return v;
}

static uint32_t value_deps(const struct value *v)
{
	return !v ? 0 : v->is_pred ? v->pred.deps : form_deps(&v->form);
}

/* A value of which only the coefficients of the indices are kept, if it has any: what it grows by from one CTA to the
 * next. */
const struct value *value_unknown_like(struct state *s, const struct value *v, uint32_t deps, uint32_t pc)
{
	struct affine_form f;

	if (v->is_pred)
		return value_pred(s, pred_unknown(deps | v->pred.deps));
	f = v->form;
	f.lo = -AFFINE_INF;
	f.hi = AFFINE_INF;
	f.deps |= deps;
	f.cause = f.cause == AFFINE_NONE ? pc : f.cause;
	return value_form(s, f);
}

const struct value *value_join(struct state *s, const struct value *a, const struct value *b, uint32_t deps, uint32_t pc)
{
	if (!a || !b || a == b)
		return a ? a : b;
	if (a->is_pred != b->is_pred)
		return value_form(s, form_unknown(value_deps(a) | value_deps(b) | deps, pc));
	if (!a->is_pred)
		return form_is_same(&a->form, &b->form) ? a : value_form(s, form_join(s->out, &a->form, &b->form, deps, pc));
	if (pred_is_same(&a->pred, &b->pred))
		return a;
	return value_pred(s, pred_unknown(a->pred.deps | b->pred.deps | deps));
}

/* ---- operands ---- */

static struct affine_form address(const struct state *s, uint64_t v)
{
	int b = memory_find(s->mem, v);
	struct affine_form f = form_number((int64_t)(v - (b < 0 ? 0 : s->mem->buffer[b].base)));

	f.buffer = b;
	return f;
}

/* Whether a constant of the pool is the address of a variable. */
static bool is_address(const struct state *s, uint32_t offset)
{
	unsigned low = 0, high = s->k->n_relocs; /* they ascend */

	while (low < high) {
		unsigned middle = (low + high) / 2;

		if (s->k->relocs[middle].offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low < s->k->n_relocs && s->k->relocs[low].offset == offset;
}

static const struct value *constant(struct state *s, uint32_t row, unsigned size)
{
	const uint8_t *at = s->k->pool + (row - ROW_CONST);
	int64_t v = 0;

	if (size == SIZE_PRED)
		return value_pred(s, (struct affine_pred){.known = true, .any = !*(const lane_u32 *)at});
	memcpy(&v, at, size);
	if (size == 4)
		v = (int32_t)v;
	else if (size == 2)
		v = (int16_t)v;
	return value_form(s, is_address(s, row - ROW_CONST) ? address(s, (uint64_t)v) : form_number(v));
}

static const struct value *special(struct state *s, uint32_t row)
{
	const uint32_t *sizes[2] = {s->l->block, s->l->grid};
	struct affine_form f = form_number(0);

	for (uint32_t x = 0; x < SPECIAL_COUNT; x++) {
		if (s->k->special[x] != row && s->k->special16[x] != row)
			continue;
		if (x <= SPECIAL_TID_Z)
			f.k[INDEX_TID_X + x - SPECIAL_TID_X] = 1;
		else if (x <= SPECIAL_NTID_Z)
			f.c = sizes[0][x - SPECIAL_NTID_X];
		else if (x <= SPECIAL_CTAID_Z)
			f.k[INDEX_CTA_X + x - SPECIAL_CTAID_X] = 1;
		else if (x <= SPECIAL_NCTAID_Z)
			f.c = sizes[1][x - SPECIAL_NCTAID_X];
		else if (x <= SPECIAL_NWARPID)
			f = form_between(0, 32, DEP_TID, AFFINE_NONE);
		else
			f = form_unknown(DEP_TID, AFFINE_NONE);
		/* an index that has one value only is a number */
		for (int v = 0; v < INDEX_COUNT; v++)
			if (f.k[v] && (v < INDEX_CTA_X ? s->l->block[v] : s->l->grid[v - INDEX_CTA_X]) == 1)
				f.k[v] = 0;
		return value_form(s, f);
	}
	return NULL;
}

const struct value *eval_row(struct state *s, const struct value **reg, uint32_t row, unsigned size)
{
	const struct value *v;

	if (row & ROW_CONST)
		return constant(s, row, size);
	v = reg[s->id_of[row / 4]];
	if (!v)
		v = special(s, row);
	/* A register that nobody wrote holds anything. */
	return v ? v : size == SIZE_PRED ? value_pred(s, pred_unknown(0)) : value_form(s, form_unknown(0, AFFINE_NONE));
}

static void set(struct state *s, const struct value **reg, uint32_t row, const struct value *v)
{
	if (row != NO_CODE)
		reg[s->id_of[row / 4]] = v;
}

/* ---- instructions ---- */

static struct op op_of(const struct state *s, const struct insn *i)
{
	const struct trace_kernel *t = &s->k->trace;
	const char *text = t->names[t->inst[i->pc].name], *dot = strrchr(text, '.');
	size_t n = strcspn(text, ".");
	struct op o = {.wide = strstr(text, ".wide") != NULL, .hi = strstr(text, ".hi") != NULL};

	memcpy(o.name, text, n < sizeof o.name - 1 ? n : sizeof o.name - 1);
	o.type = dot ? ptx_type_of(dot + 1, strlen(dot + 1)) : PT_NONE;
	o.bits = 8 * ptx_type_bytes(o.type);
	o.is_signed = ptx_type_is_signed(o.type);
	return o;
}

static bool is_integer(const struct op *o)
{
	return (o->type >= PT_B16 && o->type <= PT_B64) || (o->type >= PT_U16 && o->type <= PT_U64) ||
	       (o->type >= PT_S16 && o->type <= PT_S64);
}

static unsigned count_sources(const struct op *o)
{
	return op_is(o, "mov") || op_is(o, "not") || op_is(o, "neg") || op_is(o, "abs") || op_is(o, "cvt") || op_is(o, "popc") ||
			       op_is(o, "clz")
		       ? 1
	       : op_is(o, "mad") || op_is(o, "fma") || op_is(o, "bfe") || op_is(o, "selp") ? 3
											   : 2;
}

static struct affine_pred compare(struct state *s, const struct op *o, const struct insn *i, struct affine_form *x)
{
	static const struct {
		char name[4];
		enum affine_relation rel;
		bool is_unsigned;
	} rels[] = {{"eq", REL_EQ, false}, {"ne", REL_NE, false}, {"lt", REL_LT, false}, {"le", REL_LE, false},
		    {"gt", REL_GT, false}, {"ge", REL_GE, false}, {"lo", REL_LT, true},	 {"ls", REL_LE, true},
		    {"hi", REL_GT, true},  {"hs", REL_GE, true}};
	const struct trace_kernel *t = &s->k->trace;
	const char *text = t->names[t->inst[i->pc].name];
	struct affine_pred p = pred_unknown(form_deps(&x[0]) | form_deps(&x[1]));

	if (!is_integer(o) || x[0].buffer != x[1].buffer || form_has_slack(&x[0]) || form_has_slack(&x[1]))
		return p;
	for (unsigned r = 0; r < sizeof rels / sizeof rels[0]; r++) {
		if (strncmp(text + 5, rels[r].name, 2) != 0 || text[7] != '.')
			continue;
		p.known = true;
		p.n = 1;
		for (int k = 0; k < 2; k++)
			x[k] = form_is_number(&x[k]) ? int_as_type(s, &x[k], o->bits, o->is_signed, i->pc) : x[k];
		p.atom[0] = pred_atom(s, &x[0], &x[1], rels[r].rel, o->is_signed && !rels[r].is_unsigned, (uint8_t)o->bits);
	}
	return p;
}

static uint32_t row_of(const struct insn *i, unsigned source)
{
	return source == 0 ? i->a : source == 1 ? i->b : i->c;
}

static const struct affine_form *form_of(const struct value *v)
{
	static const struct affine_form nothing = {.buffer = -1, .lo = -AFFINE_INF, .hi = AFFINE_INF, .cause = AFFINE_NONE};

	return v->is_pred ? &nothing : &v->form;
}

/* A size of the source rows; only constants ask for it. */
static unsigned source_size(const struct op *o, const struct insn *i, unsigned source)
{
	unsigned bytes = o->bits / 8;

	if (op_is(o, "selp") && source == 2)
		return SIZE_PRED;
	if (op_is(o, "shl") || op_is(o, "shr"))
		return source ? 4 : bytes;
	if (op_is(o, "mad") && o->wide && source == 2)
		return 2 * bytes;
	if (op_is(o, "cvta"))
		return i->dst_size;
	return bytes == 1 ? 2 : bytes;
}

static const struct value *select_value(struct state *s, const struct value **reg, const struct op *o, const struct insn *i)
{
	const struct value *a = eval_row(s, reg, i->a, source_size(o, i, 0)), *b = eval_row(s, reg, i->b, source_size(o, i, 1));
	const struct value *p = eval_row(s, reg, i->c, SIZE_PRED);
	int d = p->is_pred ? pred_decide(s->out, &p->pred) : -1;

	return d == 1 ? a : d == 0 ? b : value_join(s, a, b, DEP_FLOW | value_deps(p), i->pc);
}

static const struct value *predicate_logic(struct state *s, const struct value **reg, const struct op *o, const struct insn *i)
{
	const struct value *a = eval_row(s, reg, i->a, SIZE_PRED), *b;
	struct affine_pred n;

	if (op_is(o, "mov"))
		return a;
	if (op_is(o, "not"))
		return value_pred(s, a->is_pred ? pred_not(&a->pred) : pred_unknown(0));
	b = eval_row(s, reg, i->b, SIZE_PRED);
	if (!a->is_pred || !b->is_pred)
		return value_pred(s, pred_unknown(value_deps(a) | value_deps(b)));
	if (op_is(o, "and") || op_is(o, "or"))
		return value_pred(s, pred_both(&a->pred, &b->pred, op_is(o, "or")));
	if (op_is(o, "xor") && (pred_decide(s->out, &a->pred) == 1 || pred_decide(s->out, &b->pred) == 1)) {
		n = pred_not(pred_decide(s->out, &a->pred) == 1 ? &b->pred : &a->pred);
		return value_pred(s, n);
	}
	return value_pred(s, pred_unknown(value_deps(a) | value_deps(b)));
}

static const struct value *alu(struct state *s, const struct value **reg, const struct insn *i)
{
	struct op o = op_of(s, i);
	struct affine_form x[3], f;
	uint32_t deps = 0;
	unsigned n = count_sources(&o);

	if (op_is(&o, "selp"))
		return select_value(s, reg, &o, i);
	if (o.type == PT_PRED)
		return predicate_logic(s, reg, &o, i);
	for (unsigned k = 0; k < n; k++) {
		x[k] = *form_of(eval_row(s, reg, row_of(i, k), source_size(&o, i, k)));
		deps |= form_deps(&x[k]);
	}
	if (op_is(&o, "setp"))
		return value_pred(s, compare(s, &o, i, x));
	if (is_integer(&o) && int_operation(s, &o, i, x, &f))
		return value_form(s, f);
	return i->dst_size == SIZE_PRED ? value_pred(s, pred_unknown(deps)) : value_form(s, form_unknown(deps, i->pc));
}

/* Between integers; to and from floats nothing is known. */
static const struct value *convert(struct state *s, const struct value **reg, const struct insn *i)
{
	const struct trace_kernel *t = &s->k->trace;
	const char *text = t->names[t->inst[i->pc].name], *last = strrchr(text, '.'), *to = text + 4;
	enum ptx_type from_type = ptx_type_of(last + 1, strlen(last + 1)), to_type;
	const struct affine_form *a;
	struct affine_form f;
	unsigned from_bits = 8 * ptx_type_bytes(from_type), to_bits;

	for (const char *p = text; p < last; p++)
		to = *p == '.' ? p + 1 : to;
	to_type = ptx_type_of(to, (size_t)(last - to));
	to_bits = 8 * ptx_type_bytes(to_type);
	a = form_of(eval_row(s, reg, i->a, from_bits == 8 ? 2 : from_bits / 8));
	if (ptx_type_is_float(from_type) || ptx_type_is_float(to_type) || strstr(text, ".sat"))
		return value_form(s, form_unknown(form_deps(a), i->pc));
	f = int_as_type(s, a, from_bits, ptx_type_is_signed(from_type), i->pc);
	if (to_bits < 32) /* a cut matters as little as for 32 bits, but happens in earnest */
		f = int_within(s, &f, 0, (INT64_C(1) << to_bits) - 1)
			    ? f
			    : form_between(0, (INT64_C(1) << to_bits) - 1, form_deps(&f), i->pc);
	return value_form(s, f);
}

/* ---- loads ---- */

static const struct value *loaded(struct state *s, const uint8_t *from, unsigned width, bool sign_extend)
{
	uint64_t v = 0;

	memcpy(&v, from, width);
	if (width < 8 && (sign_extend || width == 4))
		v = (uint64_t)((int64_t)(v << (64 - 8 * width)) >> (64 - 8 * width));
	if (width == 8 && memory_find(s->mem, v) >= 0)
		return value_form(s, address(s, v));
	return value_form(s, v > (uint64_t)AFFINE_INF && v < (uint64_t)-AFFINE_INF ? form_unknown(0, AFFINE_NONE)
										   : form_number((int64_t)v));
}

/* A value that is fixed before the launch: a parameter, or a constant of the module at a fixed address. NULL: it is
 * not. */
static const struct value *known_load(struct state *s, const struct value **reg, const struct mem_op *m, unsigned element)
{
	const struct affine_form *at = form_of(eval_row(s, reg, m->addr, m->addr_bytes));
	int64_t offset = at->c + m->offset + (int64_t)element * m->width;
	const struct memory_buffer *b;

	if (at->n_loops || form_has_slack(at))
		return NULL;
	for (int v = 0; v < INDEX_COUNT; v++)
		if (at->k[v])
			return NULL;
	if (m->space == SPACE_PARAM)
		return at->buffer < 0 && offset >= 0 && offset + m->width <= (int64_t)s->k->func->param_bytes
			       ? loaded(s, (const uint8_t *)s->l->params + offset, m->width, m->sign_extend)
			       : NULL;
	if (m->space != SPACE_CONST || at->buffer < 0)
		return NULL;
	b = &s->mem->buffer[at->buffer];
	return offset >= 0 && (uint64_t)offset + m->width <= b->size ? loaded(s, b->bytes + offset, m->width, m->sign_extend)
								     : NULL;
}

static void load(struct state *s, const struct value **reg, const struct insn *i)
{
	const struct mem_op *m = &s->k->mems[i->aux];
	const struct value *v[4] = {NULL};

	if (m->store)
		return;
	for (unsigned e = 0; e < m->n; e++) {
		v[e] = i->kind == INSN_MEMORY ? known_load(s, reg, m, e) : NULL;
		if (!v[e])
			v[e] = value_form(s, m->width == 1 && !m->sign_extend	? form_between(0, 255, DEP_MEMORY, i->pc)
					     : m->width == 2 && !m->sign_extend ? form_between(0, 65535, DEP_MEMORY, i->pc)
										: form_unknown(DEP_MEMORY, i->pc));
	}
	for (unsigned e = 0; e < m->n; e++)
		set(s, reg, m->reg[e], v[e]);
}

/* ---- all of them ---- */

static void set_predicates(struct state *s, const struct value **reg, const struct insn *i)
{
	const struct setp_op *o = &s->k->setps[i->aux];
	const struct value *p = alu(s, reg, i), *c;

	if (!p->is_pred || o->result != SETP_MASK) {
		set(s, reg, i->d, value_form(s, form_unknown(value_deps(p), i->pc)));
		return;
	}
	if (o->combine != COMBINE_NONE) {
		struct affine_pred q;

		c = eval_row(s, reg, i->c, SIZE_PRED);
		q = c->is_pred ? c->pred : pred_unknown(0);
		if (o->c_negated)
			q = pred_not(&q);
		if (o->combine == COMBINE_XOR)
			p = value_pred(s, pred_unknown(p->pred.deps | q.deps));
		else
			p = value_pred(s, pred_both(&p->pred, &q, o->combine == COMBINE_OR));
	}
	set(s, reg, i->d, p);
	if (o->second != NO_CODE)
		set(s, reg, o->second, value_pred(s, pred_unknown(p->pred.deps)));
}

static void lose(struct state *s, const struct value **reg, uint32_t row, unsigned size, uint32_t deps, uint32_t pc)
{
	set(s, reg, row, size == SIZE_PRED ? value_pred(s, pred_unknown(deps)) : value_form(s, form_unknown(deps, pc)));
}

static void pack(struct state *s, const struct value **reg, const struct insn *i)
{
	const struct pack_op *p = &s->k->packs[i->aux];
	uint32_t deps = 0;

	if (p->unpack)
		deps = value_deps(eval_row(s, reg, p->row, p->whole));
	for (unsigned e = 0; e < p->n && !p->unpack; e++)
		deps |= value_deps(eval_row(s, reg, p->reg[e], p->part));
	for (unsigned e = 0; e < p->n && p->unpack; e++)
		lose(s, reg, p->reg[e], p->part, deps, i->pc);
	if (!p->unpack)
		lose(s, reg, p->row, p->whole, deps, i->pc);
}

static void surface(struct state *s, const struct value **reg, const struct insn *i)
{
	const struct mem_op *m = &s->k->mems[s->k->surfs[i->aux].mem];

	for (unsigned e = 0; e < m->n && !m->store; e++)
		lose(s, reg, m->reg[e], m->reg_bytes, DEP_MEMORY, i->pc);
}

static void lose_fragment(struct state *s, const struct value **reg, const struct insn *i)
{
	const struct fragment *f = &s->k->matrices[i->target].f[0];

	if (i->kind == INSN_MATRIX_MEMORY && s->k->mems[i->aux].store)
		return;
	for (unsigned e = 0; e < f->n; e++)
		lose(s, reg, f->reg[e], f->reg_bytes, DEP_MEMORY, i->pc);
}

static void execute(struct state *s, const struct value **reg, const struct insn *i)
{
	switch ((enum insn_kind)i->kind) {
	case INSN_ALU:
		set(s, reg, i->d,
		    !strncmp(s->k->trace.names[s->k->trace.inst[i->pc].name], "cvt.", 4) ? convert(s, reg, i) : alu(s, reg, i));
		break;
	case INSN_CVT:
		set(s, reg, i->d, convert(s, reg, i));
		break;
	case INSN_SETP:
		set_predicates(s, reg, i);
		break;
	case INSN_PACK:
		pack(s, reg, i);
		break;
	case INSN_MEMORY:
	case INSN_ATOMIC:
		load(s, reg, i);
		break;
	case INSN_TEXTURE:
		for (unsigned e = 0; e < 4; e++)
			lose(s, reg, s->k->texs[i->aux].reg[e], 4, DEP_MEMORY, i->pc);
		lose(s, reg, s->k->texs[i->aux].resident, SIZE_PRED, DEP_MEMORY, i->pc);
		break;
	case INSN_SURFACE:
		surface(s, reg, i);
		break;
	case INSN_HALF:
		lose(s, reg, s->k->halves[i->aux].second, SIZE_PRED, DEP_MEMORY, i->pc);
		lose(s, reg, i->d, i->dst_size, DEP_MEMORY, i->pc);
		break;
	case INSN_MBARRIER:
		lose(s, reg, s->k->mems[i->aux].reg[0], s->k->mems[i->aux].reg_bytes, DEP_MEMORY, i->pc);
		break;
	case INSN_GROUP:
	case INSN_SHFL:
		lose(s, reg, i->target, SIZE_PRED, DEP_MEMORY, i->pc);
		lose(s, reg, i->d, 4, DEP_MEMORY, i->pc);
		break;
	case INSN_MATRIX:
	case INSN_MATRIX_MEMORY:
		lose_fragment(s, reg, i);
		break;
	case INSN_STACK:
		if (i->aux != STACK_RESTORE)
			lose(s, reg, i->d, i->dst_size, DEP_MEMORY, i->pc);
		break;
	case INSN_ALU_MOD:
	case INSN_CARRY:
	case INSN_VOTE:
	case INSN_ACTIVEMASK:
	case INSN_CLOCK:
	case INSN_VIDEO:
	case INSN_QUERY:
		lose(s, reg, i->d, i->dst_size, DEP_MEMORY, i->pc);
		break;
	case INSN_BARRIER:
		if (i->aux >= BARRIER_POPC)
			lose(s, reg, i->d, i->dst_size, DEP_MEMORY, i->pc);
		break;
	default: /* control flow, and what writes no register */
		break;
	}
}

void eval_insn(struct state *s, const struct value **reg, const struct insn *i, const struct value *guard)
{
	const struct value **before;

	if (!guard) {
		execute(s, reg, i);
		return;
	}
	before = arena_array(s->tmp, s->n_ids, sizeof(struct value *));
	memcpy(before, reg, s->n_ids * sizeof *before);
	execute(s, reg, i);
	for (uint32_t r = 0; r < s->n_ids; r++)
		if (reg[r] != before[r])
			reg[r] = value_join(s, before[r], reg[r], DEP_FLOW | value_deps(guard), i->pc);
}
