/* Instructions that are row functions, with or without modifiers. */
#include <fenv.h>
#include <stdio.h>
#include <string.h>

#include "ptx/lower/lower.h"

/* Rounding of a float's operation or of a conversion to an integer value; -1: not a rounding. */
static int rounding_of(const char *part)
{
	static const struct {
		char name[4];
		int mode;
	} modes[] = {
		{"rn", FE_TONEAREST},  {"rz", FE_TOWARDZERO},  {"rm", FE_DOWNWARD},  {"rp", FE_UPWARD},
		{"rni", FE_TONEAREST}, {"rzi", FE_TOWARDZERO}, {"rmi", FE_DOWNWARD}, {"rpi", FE_UPWARD},
	};

	for (unsigned i = 0; i < sizeof modes / sizeof modes[0]; i++)
		if (!strcmp(modes[i].name, part))
			return modes[i].mode;
	return -1;
}

static enum ptx_type part_type(const struct lower *w, unsigned i)
{
	return i < w->n_parts ? ptx_type_of(w->part[i], strlen(w->part[i])) : PT_NONE;
}

static enum ptx_type last_type(const struct lower *w)
{
	return part_type(w, w->n_parts - 1);
}

/* The opcode without the parts that `skip` says. */
static void make_key(const struct lower *w, char *key, size_t room, bool (*skip)(const char *part))
{
	size_t n = 0;

	key[0] = 0;
	for (unsigned i = 0; i < w->n_parts; i++) {
		if (i && skip(w->part[i]))
			continue;
		n += (size_t)snprintf(key + n, n < room ? room - n : 0, "%s%s", i ? "." : "", w->part[i]);
		if (n >= room)
			return;
	}
}

static bool is_float_modifier(const char *part)
{
	return rounding_of(part) >= 0 || !strcmp(part, "ftz") || !strcmp(part, "sat");
}

static bool is_nothing(const char *part)
{
	(void)part;
	return false;
}

static unsigned count_sources(const struct alu_def *def)
{
	unsigned n = 0;

	while (n < 4 && def->src[n])
		n++;
	return n;
}

/* Destination and sources as the definition has them. */
static void rows_of(struct lower *w, const struct alu_def *def, enum ptx_type type)
{
	uint32_t row[4] = {0};
	unsigned n = count_sources(def);

	if (!lower_operands(w, n + 1, n + 1))
		return;
	for (unsigned s = 0; s < n; s++)
		row[s] = lower_src(w, s + 1, def->src[s], type);
	w->i->fn = def->fn;
	w->i->dst_size = def->dst;
	w->i->a = row[0];
	w->i->b = row[1];
	w->i->c = row[2];
	w->i->e = row[3];
	w->i->d = lower_dst(w, 0, def->dst);
	w->t->op = def->op;
}

static void add_modifiers(struct lower *w, enum ptx_type type)
{
	struct alu_mod m = {.rounding = FE_TONEAREST, .size = (uint8_t)ptx_type_bytes(type), .float_sources = 7};
	struct alu_mod *kept;

	for (unsigned i = 1; i < w->n_parts; i++)
		if (rounding_of(w->part[i]) >= 0)
			m.rounding = rounding_of(w->part[i]);
	m.ftz = lower_has(w, "ftz") && type == PT_F32;
	m.sat = lower_has(w, "sat");
	if (!m.ftz && !m.sat && m.rounding == FE_TONEAREST)
		return;
	kept = APPEND(w, w->k->mods, w->k->n_mods);
	*kept = m;
	w->i->kind = INSN_ALU_MOD;
	w->i->aux = w->k->n_mods - 1;
}

void lower_alu(struct lower *w)
{
	enum ptx_type type = last_type(w);
	bool is_float = type == PT_F32 || type == PT_F64;
	const struct alu_def *def;
	char key[64];

	make_key(w, key, sizeof key, is_float ? is_float_modifier : is_nothing);
	def = alu_find(key);
	if (!def && lower_is_half(type)) {
		lower_half(w);
		return;
	}
	if (!def) {
		lower_complain(w, "no such operation here");
		return;
	}
	w->i->kind = INSN_ALU;
	/* the third operand of a selection by sign has a type of its own */
	rows_of(w, def, strcmp(w->part[0], "slct") ? type : part_type(w, w->n_parts - 2));
	if (is_float && strcmp(w->part[0], "selp") && strcmp(w->part[0], "mov") && strcmp(w->part[0], "slct"))
		add_modifiers(w, type);
}

static enum combine combine_of(const char *part)
{
	return !strcmp(part, "and")   ? COMBINE_AND
	       : !strcmp(part, "or")  ? COMBINE_OR
	       : !strcmp(part, "xor") ? COMBINE_XOR
				      : COMBINE_NONE;
}

static bool is_compare_modifier(const char *part)
{
	return combine_of(part) != COMBINE_NONE || !strcmp(part, "ftz");
}

/* setp.lt.and.f32 p|q, a, b, c and set.lt.u32.f32 d, a, b: a row function of the comparison and what is made of it. */
void lower_setp(struct lower *w)
{
	struct setp_op s = {.second = NO_CODE};
	bool is_set = !strcmp(w->part[0], "set");
	enum ptx_type type = last_type(w), to = is_set ? part_type(w, w->n_parts - 2) : PT_PRED;
	const struct ptx_operand *d = w->f->s->opd, *p = d;
	const struct alu_def *def;
	char key[64];

	if (lower_is_half(type)) {
		(is_set ? lower_half_set : lower_half_setp)(w);
		return;
	}
	for (unsigned i = 1; i < w->n_parts && !s.combine; i++)
		s.combine = combine_of(w->part[i]);
	s.ftz = lower_has(w, "ftz") && type == PT_F32;
	if (!lower_operands(w, s.combine ? 4 : 3, s.combine ? 4 : 3))
		return;
	if (w->n_parts < 3u + is_set) {
		lower_complain(w, "no such comparison here");
		return;
	}
	if (is_set) {
		w->part[0] = "setp";
		w->part[w->n_parts-- - 2] = ptx_type_name(type);
		s.result = to == PT_F32 ? SETP_ONE : SETP_ALL_ONES;
		if (to != PT_F32 && to != PT_U32 && to != PT_S32)
			lower_complain(w, "set makes .u32, .s32 or .f32 only");
	}
	make_key(w, key, sizeof key, is_compare_modifier);
	def = alu_find(key);
	if (!def) {
		lower_complain(w, "no such comparison here");
		return;
	}
	w->i->fn = def->fn;
	w->t->op = def->op;
	w->i->a = lower_src(w, 1, def->src[0], type);
	w->i->b = lower_src(w, 2, def->src[1], type);
	if (s.combine) {
		w->i->c = lower_src_of(w, &d[3], SIZE_PRED, PT_PRED);
		s.c_negated = d[3].negated;
	}
	if (d->kind == OPD_PAIR && !is_set) {
		p = &d->elem[0];
		if (d->elem[1].kind != OPD_SINK)
			s.second = lower_dst_of(w, &d->elem[1], SIZE_PRED);
	}
	w->i->dst_size = is_set ? 4 : SIZE_PRED;
	if (p->kind == OPD_SINK) /* only q is wanted: p goes to a register of its own */
		w->i->d = w->k->carry + 4;
	else
		w->i->d = lower_dst_of(w, p, w->i->dst_size);
	if (!s.combine && s.result == SETP_MASK && s.second == NO_CODE && !s.ftz) {
		w->i->kind = INSN_ALU;
		return;
	}
	w->i->kind = INSN_SETP;
	*(struct setp_op *)APPEND(w, w->k->setps, w->k->n_setps) = s;
	w->i->aux = w->k->n_setps - 1;
}

static bool cvt_part(struct cvt_op *c, const char *part)
{
	int rounding = rounding_of(part);

	if (rounding >= 0) {
		c->rounding = rounding;
		c->how = part[2] == 'i' ? CVT_TO_INTEGER : CVT_TO_FLOAT;
	} else if (!strcmp(part, "ftz")) {
		c->ftz = true;
	} else if (!strcmp(part, "sat")) {
		c->sat = true;
	} else if (!strcmp(part, "relu") && (c->to == PT_F16 || c->to == PT_BF16)) {
		c->relu = true;
	} else {
		return false;
	}
	return true;
}

static bool is_convertible(enum ptx_type t)
{
	return (t >= PT_U8 && t <= PT_S64) || ptx_type_is_float(t);
}

static uint8_t cvt_class(const struct cvt_op *c)
{
	if (c->from == PT_F64 || c->to == PT_F64)
		return OP_FP64_ADD;
	return ptx_type_is_float(c->from) || ptx_type_is_float(c->to) ? OP_FP32_ADD : OP_INT_ADD;
}

/* The register may be wider than an integer type. */
static uint8_t cvt_register(struct lower *w, const struct ptx_operand *o, enum ptx_type type)
{
	enum ptx_type reg = lower_type_of(w, o);
	unsigned size = reg == PT_NONE ? lower_reg_size(type) : lower_reg_size(reg);

	if (reg == PT_PRED || size < lower_reg_size(type) || (ptx_type_is_float(type) && size != ptx_type_bytes(type)))
		lower_complain(w, "an operand's register does not fit the type .%s", ptx_type_name(type));
	return (uint8_t)size;
}

void lower_cvt(struct lower *w)
{
	struct cvt_op c = {.rounding = FE_TONEAREST, .to = part_type(w, w->n_parts - 2), .from = last_type(w)};
	const struct ptx_operand *o = w->f->s->opd;
	const struct alu_def *def;
	char key[64];

	if (lower_half_cvt(w))
		return;
	for (unsigned i = 1; i + 2 < w->n_parts; i++)
		if (!cvt_part(&c, w->part[i]))
			lower_complain(w, ".%s is not known", w->part[i]);
	if (!is_convertible(c.to) || !is_convertible(c.from))
		lower_complain(w, "no such conversion here");
	else if (ptx_type_is_float(c.from) && !ptx_type_is_float(c.to) && c.how != CVT_TO_INTEGER)
		lower_complain(w, "a float becomes an integer by .rni, .rzi, .rmi or .rpi");
	if (c.to == PT_BF16 && (c.rounding == FE_UPWARD || c.rounding == FE_DOWNWARD))
		lower_complain(w, "to .bf16 only .rn and .rz are supported");
	if (w->complaint || !lower_operands(w, 2, 2))
		return;
	c.to_bytes = cvt_register(w, &o[0], c.to);
	c.from_bytes = cvt_register(w, &o[1], c.from);
	if (w->complaint)
		return;
	w->i->a = lower_src(w, 1, c.from_bytes, c.from);
	w->i->d = lower_dst(w, 0, c.to_bytes);
	w->i->dst_size = c.to_bytes;
	w->t->op = cvt_class(&c);
	make_key(w, key, sizeof key, is_nothing);
	def = alu_find(key);
	if (def && def->dst == c.to_bytes && def->src[0] == c.from_bytes) {
		w->i->kind = INSN_ALU;
		w->i->fn = def->fn;
		return;
	}
	w->i->kind = INSN_CVT;
	*(struct cvt_op *)APPEND(w, w->k->cvts, w->k->n_cvts) = c;
	w->i->aux = w->k->n_cvts - 1;
}

/* add.cc, addc, addc.cc; sub likewise; mad.lo.cc, madc.hi.cc and so on. */
void lower_carry(struct lower *w)
{
	const char *name = w->part[0];
	enum ptx_type type = last_type(w);
	bool is_mad = !strncmp(name, "mad", 3);
	struct carry_op c = {.in = name[3] == 'c', .out = lower_has(w, "cc"), .is_signed = ptx_type_is_signed(type)};
	unsigned size = ptx_type_bytes(type);

	c.kind = !strncmp(name, "sub", 3) ? CARRY_SUB : !is_mad ? CARRY_ADD : lower_has(w, "hi") ? CARRY_MAD_HI : CARRY_MAD_LO;
	c.wide = size == 8;
	if (!lower_operands(w, is_mad ? 4 : 3, is_mad ? 4 : 3))
		return;
	if ((size != 4 && size != 8) || ptx_type_is_float(type) || type < PT_U8) {
		lower_complain(w, "no such operation here");
		return;
	}
	w->i->kind = INSN_CARRY;
	w->i->dst_size = (uint8_t)size;
	w->i->a = lower_src(w, 1, size, type);
	w->i->b = lower_src(w, 2, size, type);
	w->i->c = is_mad ? lower_src(w, 3, size, type) : lower_const(w, 0, size);
	w->i->d = lower_dst(w, 0, size);
	w->t->op = is_mad ? OP_INT_MAD : OP_INT_ADD;
	*(struct carry_op *)APPEND(w, w->k->carries, w->k->n_carries) = c;
	w->i->aux = w->k->n_carries - 1;
}

/* mov, of vectors too. */
void lower_mov(struct lower *w)
{
	const struct ptx_operand *o = w->f->s->opd, *vector;
	unsigned whole = ptx_type_bytes(last_type(w));
	struct pack_op p = {0};

	if (!lower_operands(w, 2, 2))
		return;
	if (o[0].kind != OPD_VECTOR && o[1].kind != OPD_VECTOR) {
		(lower_is_clock(&o[1]) ? lower_clock : lower_alu)(w);
		return;
	}
	p.unpack = o[0].kind == OPD_VECTOR;
	vector = p.unpack ? &o[0] : &o[1];
	p.n = (uint8_t)vector->n_elem;
	p.whole = (uint8_t)whole;
	p.part = (uint8_t)(p.n ? whole / p.n : 0);
	if ((p.n != 2 && p.n != 4) || p.part < 2 || (o[0].kind == OPD_VECTOR && o[1].kind == OPD_VECTOR)) {
		lower_complain(w, "a vector of %u elements", vector->n_elem);
		return;
	}
	if (p.unpack)
		p.row = lower_src(w, 1, whole, last_type(w));
	for (unsigned k = 0; k < p.n; k++) {
		if (!p.unpack)
			p.reg[k] = lower_src_of(w, &vector->elem[k], p.part, PT_NONE);
		else
			p.reg[k] = vector->elem[k].kind == OPD_SINK ? NO_CODE : lower_dst_of(w, &vector->elem[k], p.part);
	}
	if (!p.unpack)
		p.row = lower_dst(w, 0, whole);
	w->i->kind = INSN_PACK;
	w->t->op = OP_INT_ADD;
	*(struct pack_op *)APPEND(w, w->k->packs, w->k->n_packs) = p;
	w->i->aux = w->k->n_packs - 1;
}
