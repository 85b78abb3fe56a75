/* Loads, stores and atomics. */
#include <string.h>

#include "ptx/lower/lower.h"

enum trace_space lower_space(const char *part)
{
	static const struct {
		const char *name;
		enum trace_space space;
	} spaces[] = {
		{"global", SPACE_GLOBAL}, {"shared", SPACE_SHARED}, {"shared::cta", SPACE_SHARED}, {"local", SPACE_LOCAL},
		{"const", SPACE_CONST},	  {"param", SPACE_PARAM},   {"param::entry", SPACE_PARAM}, {"param::func", SPACE_PARAM},
	};

	for (unsigned i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
		if (!strcmp(spaces[i].name, part))
			return spaces[i].space;
	return SPACE_NONE;
}

/* Modifiers that change nothing of what an access does: cache operators, scopes, orders (lanes and CTAs run one after
 * another). */
static bool is_hint(const char *part)
{
	static const char *const hints[] = {"ca",   "cg",	"cs",	   "lu",      "cv",	 "wb",	"wt",
					    "weak", "relaxed",	"acquire", "release", "acq_rel", "cta", "gpu",
					    "sys",  "volatile", "nc",	   "v2",      "v4"};

	for (unsigned i = 0; i < sizeof hints / sizeof hints[0]; i++)
		if (!strcmp(hints[i], part))
			return true;
	return !strncmp(part, "L1::", 4) || !strncmp(part, "L2::", 4);
}

/* How caches are asked to keep what an access brings. Of .wb, .wt, .ca and the other priorities nothing is known that
 * the caches here would do otherwise. */
static uint8_t operators_of(const struct lower *w)
{
	return (uint8_t)((lower_has(w, "cg") ? TRACE_PAST_L1 : 0) | (lower_has(w, "cs") || lower_has(w, "lu") ? TRACE_STREAMS : 0) |
			 (lower_has(w, "L1::no_allocate") ? TRACE_NO_ALLOCATE : 0));
}

static uint8_t flags_of(const struct lower *w, const struct mem_op *m)
{
	bool cached = w->t->space == SPACE_GLOBAL || w->t->space == SPACE_LOCAL;
	bool is_volatile = lower_has(w, "volatile") || lower_has(w, "relaxed") || lower_has(w, "acquire") || lower_has(w, "cv");

	return (uint8_t)((is_volatile && m->space != SPACE_PARAM ? TRACE_VOLATILE : 0) | (lower_has(w, "nc") ? TRACE_NC : 0) |
			 (cached ? operators_of(w) : 0));
}

/* [register + offset], [variable + offset], [number] */
void lower_access(struct lower *w, const struct ptx_operand *o, struct mem_op *m)
{
	const struct ptx_operand *base;
	enum trace_space space;
	uint64_t offset;

	if (o->kind != OPD_ADDR) {
		lower_complain(w, "its address is not one in brackets");
		return;
	}
	base = o->elem;
	m->offset = o->offset;
	m->addr_bytes = 8;
	if (base->kind == OPD_REG) {
		m->addr_bytes = (uint8_t)ptx_type_bytes(lower_type_of(w, base));
		if (m->addr_bytes < 4)
			lower_complain(w, "its address is not of 32 or 64 bits");
		else
			m->addr = lower_src_of(w, base, m->addr_bytes, PT_NONE);
		return;
	}
	if (base->kind == OPD_IMM) {
		m->addr = lower_const(w, base->bits, 8);
		return;
	}
	space = lower_location(w, w->f->in, base->var, &offset);
	if (m->space == SPACE_NONE)
		m->space = space;
	if (m->space != space)
		lower_complain(w, "%s is not in this space", base->var->name);
	if (m->store && space == SPACE_PARAM && offset < PARAM_FRAME)
		lower_complain(w, "a store to the kernel's parameters");
	m->addr = lower_address(w, base->var, 0, 8);
}

static bool is_strong(const struct lower *w)
{
	static const char *const words[] = {"volatile", "relaxed", "acquire", "release", "acq_rel", "cv", "wt"};

	for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
		if (lower_has(w, words[i]))
			return true;
	return false;
}

static void finish(struct lower *w, struct mem_op *m, enum trace_op op)
{
	m->strong = is_strong(w);
	w->t->op = (uint8_t)op;
	w->t->space = (uint8_t)(m->space == SPACE_NONE ? SPACE_GLOBAL : m->space);
	w->t->width = (uint8_t)(m->width * m->n);
	w->t->flags |= flags_of(w, m);
	*(struct mem_op *)APPEND(w, w->k->mems, w->k->n_mems) = *m;
	w->i->aux = w->k->n_mems - 1;
}

/* The size of the registers of the data: that of the first one, or the type's if there are only numbers. */
static uint8_t data_size(struct lower *w, const struct ptx_operand *list, unsigned n, enum ptx_type type)
{
	unsigned size = lower_reg_size(type);

	for (unsigned k = 0; k < n; k++) {
		enum ptx_type t = lower_type_of(w, &list[k]);

		if (t == PT_NONE)
			continue;
		size = lower_reg_size(t);
		if (t == PT_PRED || size < lower_reg_size(type) || (ptx_type_is_float(type) && size != ptx_type_bytes(type)))
			lower_complain(w, "its register does not fit the type .%s", ptx_type_name(type));
		break;
	}
	return (uint8_t)size;
}

void lower_data(struct lower *w, const struct ptx_operand *o, struct mem_op *m)
{
	bool is_vector = o->kind == OPD_VECTOR;
	const struct ptx_operand *list = is_vector ? o->elem : o;
	unsigned n = is_vector ? o->n_elem : 1;

	if (n != m->n) {
		lower_complain(w, "a vector of %u elements where %u are wanted", n, m->n);
		return;
	}
	m->reg_bytes = data_size(w, list, n, m->type);
	for (unsigned k = 0; k < n; k++) {
		if (m->store)
			m->reg[k] = lower_src_of(w, &list[k], m->reg_bytes, m->type);
		else
			m->reg[k] = list[k].kind == OPD_SINK ? NO_CODE : lower_dst_of(w, &list[k], m->reg_bytes);
	}
}

static void parse_parts(struct lower *w, struct mem_op *m)
{
	m->n = lower_has(w, "v2") ? 2 : lower_has(w, "v4") ? 4 : 1;
	for (unsigned i = 1; i < w->n_parts; i++) {
		enum ptx_type type = ptx_type_of(w->part[i], strlen(w->part[i]));

		if (lower_space(w->part[i]) != SPACE_NONE)
			m->space = lower_space(w->part[i]);
		else if (type != PT_NONE)
			m->type = type;
		else if (!is_hint(w->part[i]))
			lower_complain(w, ".%s is not known", w->part[i]);
	}
	m->width = (uint8_t)ptx_type_bytes(m->type);
	m->sign_extend = ptx_type_is_signed(m->type);
	if (!m->width || m->width > 8 || m->width * m->n > 16)
		lower_complain(w, "no access of this type");
}

/* A last operand of 64 bits: how the L2 shall treat the line, which changes nothing of what is done. */
static unsigned has_policy(const struct lower *w)
{
	return lower_has(w, "L2::cache_hint");
}

void lower_memory(struct lower *w)
{
	struct mem_op m = {.store = !strcmp(w->part[0], "st")};
	const struct ptx_operand *o = w->f->s->opd;

	parse_parts(w, &m);
	if (w->complaint || !lower_operands(w, 2 + has_policy(w), 2 + has_policy(w)))
		return;
	lower_access(w, m.store ? &o[0] : &o[1], &m);
	if (!w->complaint)
		lower_data(w, m.store ? &o[1] : &o[0], &m);
	if (has_policy(w))
		lower_src(w, 2, 8, PT_B64);
	if (m.store && m.space == SPACE_CONST)
		lower_complain(w, "a store to constants");
	w->i->kind = INSN_MEMORY;
	finish(w, &m, m.store ? OP_STORE : OP_LOAD);
}

static int atomic_of(const char *part)
{
	static const char *const names[] = {"add", "min", "max", "inc", "dec", "exch", "cas", "and", "or", "xor"};

	for (int i = 0; i <= ATOMIC_XOR; i++)
		if (!strcmp(names[i], part))
			return i;
	return -1;
}

static bool atomic_fits(const struct mem_op *m)
{
	bool is_half = lower_is_half(m->type);

	if (m->n > 1 && (m->atomic != ATOMIC_ADD || (!is_half && m->type != PT_F32) || m->width * m->n > 16))
		return false;
	if (ptx_type_is_float(m->type) || is_half)
		return m->atomic == ATOMIC_ADD;
	if (m->width < 4)
		return m->type == PT_B16 && m->atomic == ATOMIC_CAS;
	if (m->atomic == ATOMIC_MIN || m->atomic == ATOMIC_MAX || m->atomic == ATOMIC_ADD)
		return m->type >= PT_U8;
	return (m->atomic != ATOMIC_INC && m->atomic != ATOMIC_DEC) || m->type == PT_U32;
}

static void parse_atomic(struct lower *w, struct mem_op *m)
{
	int op = -1;

	for (unsigned i = 1; i < w->n_parts; i++) {
		enum ptx_type type = ptx_type_of(w->part[i], strlen(w->part[i]));

		if (lower_space(w->part[i]) != SPACE_NONE)
			m->space = lower_space(w->part[i]);
		else if (type != PT_NONE)
			m->type = type;
		else if (atomic_of(w->part[i]) >= 0)
			op = atomic_of(w->part[i]);
		else if (!is_hint(w->part[i]) && strcmp(w->part[i], "noftz"))
			lower_complain(w, ".%s is not known", w->part[i]);
	}
	m->n = lower_has(w, "v2") ? 2 : lower_has(w, "v4") ? 4 : 1;
	m->atomic = (enum atomic_op)op;
	m->width = m->reg_bytes = (uint8_t)ptx_type_bytes(m->type);
	if (op < 0 || !atomic_fits(m))
		lower_complain(w, "no such atomic here");
	if (m->space != SPACE_NONE && m->space != SPACE_GLOBAL && m->space != SPACE_SHARED)
		lower_complain(w, "an atomic outside global and shared memory");
}

/* What an atomic adds, or the registers that get what was there: one, or a vector. */
static void elements(struct lower *w, const struct ptx_operand *o, struct mem_op *m, bool sources)
{
	const struct ptx_operand *list = o->kind == OPD_VECTOR ? o->elem : o;
	unsigned n = o->kind == OPD_VECTOR ? o->n_elem : 1;

	if (n != m->n) {
		lower_complain(w, "a vector of %u elements where %u are wanted", n, m->n);
		return;
	}
	for (unsigned k = 0; k < n; k++) {
		if (sources)
			m->src[k] = lower_src_of(w, &list[k], m->width, m->type);
		else if (list[k].kind != OPD_SINK)
			m->reg[k] = lower_dst_of(w, &list[k], m->width);
	}
}

/* atom.space.op.type d, [a], b{, c} and red without d; atom.space.add.v4.f32 {d}, [a], {b} */
void lower_atomic(struct lower *w)
{
	struct mem_op m = {.reg = {NO_CODE, NO_CODE, NO_CODE, NO_CODE}, .src = {NO_CODE, NO_CODE, NO_CODE, NO_CODE}};
	bool has_dst = !strcmp(w->part[0], "atom");
	const struct ptx_operand *o = w->f->s->opd;
	unsigned n;

	parse_atomic(w, &m);
	n = 2u + has_dst + (m.atomic == ATOMIC_CAS);
	if (w->complaint || !lower_operands(w, n + has_policy(w), n + has_policy(w)))
		return;
	if (has_policy(w))
		lower_src(w, n, 8, PT_B64);
	lower_access(w, &o[has_dst], &m);
	if (w->complaint)
		return;
	elements(w, &o[has_dst + 1], &m, true);
	if (m.atomic == ATOMIC_CAS)
		m.src[1] = lower_src_of(w, &o[has_dst + 2], m.width, m.type);
	if (has_dst && o[0].kind != OPD_SINK)
		elements(w, &o[0], &m, false);
	w->i->kind = INSN_ATOMIC;
	finish(w, &m, OP_ATOM);
}
