/* Arithmetic, comparisons and some conversions of f16, bf16 and pairs of them. */
#include <string.h>

#include "ptx/lower/lower.h"

bool lower_is_half(enum ptx_type t)
{
	return t == PT_F16 || t == PT_F16X2 || t == PT_BF16 || t == PT_BF16X2;
}

static bool is_pair(enum ptx_type t)
{
	return t == PT_F16X2 || t == PT_BF16X2;
}

static enum ptx_type part_type(const struct lower *w, unsigned i)
{
	return i < w->n_parts ? ptx_type_of(w->part[i], strlen(w->part[i])) : PT_NONE;
}

static struct half_op half_of(enum ptx_type t)
{
	return (struct half_op){
		.format = t == PT_F16 || t == PT_F16X2 ? HALF_F16 : HALF_BF16, .n = is_pair(t) ? 2 : 1, .second = NO_CODE};
}

static void keep(struct lower *w, const struct half_op *h, enum trace_op op)
{
	w->i->kind = INSN_HALF;
	w->t->op = op;
	*(struct half_op *)APPEND(w, w->k->halves, w->k->n_halves) = *h;
	w->i->aux = w->k->n_halves - 1;
}

/* The modifiers between the name and the types at the end; false: one of them is not known. */
static bool modifiers(struct lower *w, struct half_op *h, unsigned n_types)
{
	for (unsigned i = 1; i + n_types < w->n_parts; i++) {
		const char *p = w->part[i];

		if (!strcmp(p, "ftz"))
			h->ftz = true;
		else if (!strcmp(p, "sat"))
			h->sat = true;
		else if (!strcmp(p, "relu"))
			h->relu = true;
		else if (!strcmp(p, "NaN"))
			h->nan = true;
		else if (!strcmp(p, "satfinite"))
			h->satfinite = true;
		else if (!strcmp(p, "rz") && h->kind == HALF_PACK)
			h->toward_zero = true;
		else if (!strcmp(p, "xorsign"))
			h->xorsign = true;
		else if (strcmp(p, "rn") && strcmp(p, "approx") && (strcmp(p, "abs") || !h->xorsign)) {
			lower_complain(w, ".%s is not known", p);
			return false;
		}
	}
	return true;
}

void lower_half(struct lower *w)
{
	static const struct {
		const char *name;
		enum half_kind kind;
		unsigned sources;
		enum trace_op op;
	} known[] = {
		{"add", HALF_ADD, 2, OP_FP32_ADD}, {"sub", HALF_SUB, 2, OP_FP32_ADD}, {"mul", HALF_MUL, 2, OP_FP32_MUL},
		{"fma", HALF_FMA, 3, OP_FP32_MAD}, {"neg", HALF_NEG, 1, OP_FP32_ADD}, {"abs", HALF_ABS, 1, OP_FP32_MAX},
		{"min", HALF_MIN, 2, OP_FP32_MAX}, {"max", HALF_MAX, 2, OP_FP32_MAX}, {"tanh", HALF_TANH, 1, OP_SFU},
		{"ex2", HALF_EX2, 1, OP_SFU},
	};
	enum ptx_type type = part_type(w, w->n_parts - 1);
	struct half_op h = half_of(type);
	unsigned size = is_pair(type) ? 4 : 2, k = 0;

	while (k < sizeof known / sizeof known[0] && strcmp(known[k].name, w->part[0]))
		k++;
	if (k == sizeof known / sizeof known[0]) {
		lower_complain(w, "no such operation here");
		return;
	}
	h.kind = known[k].kind;
	if (!modifiers(w, &h, 1) || !lower_operands(w, known[k].sources + 1, known[k].sources + 1))
		return;
	w->i->dst_size = (uint8_t)size;
	w->i->a = w->i->b = w->i->c = lower_src(w, 1, size, type);
	if (known[k].sources > 1)
		w->i->b = lower_src(w, 2, size, type);
	if (known[k].sources > 2)
		w->i->c = lower_src(w, 3, size, type);
	w->i->d = lower_dst(w, 0, size);
	keep(w, &h, known[k].op);
}

static bool is_compare(const char *p)
{
	static const char *const known[] = {"eq",  "ne",  "lt",	 "le",	"gt",  "ge",  "equ",
					    "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};

	for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++)
		if (!strcmp(known[i], p))
			return true;
	return false;
}

/* The comparison, and with what a predicate it is combined. */
static void compare_parts(struct lower *w, struct half_op *h, unsigned n_types)
{
	for (unsigned i = 1; i + n_types < w->n_parts; i++) {
		const char *p = w->part[i];

		if (i == 1 && is_compare(p))
			memcpy(h->compare, p, strlen(p) + 1);
		else if (!strcmp(p, "and") || !strcmp(p, "or") || !strcmp(p, "xor"))
			h->combine = p[0] == 'a' ? COMBINE_AND : p[0] == 'o' ? COMBINE_OR : COMBINE_XOR;
		else if (!strcmp(p, "ftz"))
			h->ftz = true;
		else
			lower_complain(w, ".%s is not known", p);
	}
	if (!h->compare[0])
		lower_complain(w, "no such comparison here");
}

static uint32_t predicate(struct lower *w, const struct ptx_operand *o)
{
	return o->kind == OPD_SINK ? NO_CODE : lower_dst_of(w, o, SIZE_PRED);
}

/* setp.lt{.and}.f16x2 p|q, a, b{, c}: of a single value, q is what p is not. */
void lower_half_setp(struct lower *w)
{
	enum ptx_type type = part_type(w, w->n_parts - 1);
	struct half_op h = half_of(type);
	const struct ptx_operand *o = w->f->s->opd;
	unsigned size = is_pair(type) ? 4 : 2, n;

	h.kind = HALF_SETP;
	compare_parts(w, &h, 1);
	n = h.combine == COMBINE_NONE ? 3 : 4;
	if (w->complaint || !lower_operands(w, n, n))
		return;
	w->i->a = w->i->c = lower_src(w, 1, size, type);
	w->i->b = lower_src(w, 2, size, type);
	if (n == 4) {
		w->i->c = lower_src_of(w, &o[3], SIZE_PRED, PT_PRED);
		h.c_negated = o[3].negated;
	}
	if (o[0].kind == OPD_PAIR)
		h.second = predicate(w, &o[0].elem[1]);
	w->i->d = predicate(w, o[0].kind == OPD_PAIR ? &o[0].elem[0] : &o[0]);
	w->i->dst_size = SIZE_PRED;
	keep(w, &h, OP_FP32_ADD);
}

/* set.lt.f16x2.f16x2, set.lt.u32.f16, set.lt.u32.f16x2 (a mask of 16 bits for each) */
void lower_half_set(struct lower *w)
{
	enum ptx_type type = part_type(w, w->n_parts - 1), to = part_type(w, w->n_parts - 2);
	struct half_op h = half_of(type);
	unsigned size = is_pair(type) ? 4 : 2, to_size = ptx_type_bytes(to);

	h.kind = HALF_SET;
	h.mask = to >= PT_U8 && to <= PT_S64;
	compare_parts(w, &h, 2);
	if ((h.mask ? to_size != size && to_size != 4 : to != type) || to_size < size || h.combine != COMBINE_NONE)
		lower_complain(w, "no such comparison here");
	if (w->complaint || !lower_operands(w, 3, 3))
		return;
	w->i->a = w->i->c = lower_src(w, 1, size, type);
	w->i->b = lower_src(w, 2, size, type);
	w->i->dst_size = (uint8_t)to_size;
	w->i->d = lower_dst(w, 0, to_size);
	keep(w, &h, OP_FP32_ADD);
}

/* cvt.rn.satfinite{.relu}.e4m3x2.f32 d, a, b; ....f16x2 d, a; cvt.rn{.relu}.f16x2.e4m3x2 d, a; false: another one. */
static bool byte_cvt(struct lower *w)
{
	static const char *const names[] = {"e4m3x2", "e5m2x2"};
	struct half_op h = half_of(PT_F16X2);
	unsigned n = w->n_parts;
	bool to = false, from = false;

	for (unsigned i = 0; i < 2 && n > 3; i++) {
		bool is_to = !strcmp(w->part[n - 2], names[i]), is_from = !strcmp(w->part[n - 1], names[i]);

		to |= is_to;
		from |= is_from;
		if (is_to || is_from)
			h.bytes = i ? ELEMENT_E5M2 : ELEMENT_E4M3;
	}
	if (!to && !from)
		return false;
	h.kind = to ? HALF_TO_BYTES : HALF_FROM_BYTES;
	h.n = to && part_type(w, n - 1) == PT_F32 ? 1 : 2;
	if (to ? part_type(w, n - 1) != PT_F32 && part_type(w, n - 1) != PT_F16X2 : part_type(w, n - 2) != PT_F16X2)
		lower_complain(w, "no such conversion here");
	if (!modifiers(w, &h, 2) || w->complaint || !lower_operands(w, h.n == 1 ? 3 : 2, h.n == 1 ? 3 : 2))
		return true;
	w->i->a = w->i->b = w->i->c = lower_src(w, 1, from ? 2 : 4, PT_B32);
	if (h.n == 1)
		w->i->b = lower_src(w, 2, 4, PT_F32);
	w->i->dst_size = from ? 4 : 2;
	w->i->d = lower_dst(w, 0, w->i->dst_size);
	keep(w, &h, OP_FP32_ADD);
	return true;
}

/* cvt.rn{.relu}.f16x2.f32 d, a, b and cvt.rna.tf32.f32 d, a; false: another conversion. */
bool lower_half_cvt(struct lower *w)
{
	enum ptx_type to = part_type(w, w->n_parts - 2), from = part_type(w, w->n_parts - 1);
	struct half_op h = half_of(to);

	if (byte_cvt(w))
		return true;
	if (from != PT_F32 || (!is_pair(to) && to != PT_TF32))
		return false;
	h.kind = to == PT_TF32 ? HALF_TF32 : HALF_PACK;
	if (h.kind == HALF_TF32 && (w->n_parts != 4 || strcmp(w->part[1], "rna")))
		lower_complain(w, "to .tf32 only .rna is supported");
	if (w->complaint || (is_pair(to) && !modifiers(w, &h, 2)) || !lower_operands(w, is_pair(to) ? 3 : 2, is_pair(to) ? 3 : 2))
		return true;
	w->i->a = w->i->b = w->i->c = lower_src(w, 1, 4, PT_F32);
	if (is_pair(to))
		w->i->b = lower_src(w, 2, 4, PT_F32);
	w->i->dst_size = 4;
	w->i->d = lower_dst(w, 0, 4);
	keep(w, &h, OP_FP32_ADD);
	return true;
}
