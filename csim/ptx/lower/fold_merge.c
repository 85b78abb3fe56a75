/* Pairs of instructions in a block of which the second alone reads the first's result, with together no more than the
 * three inputs that an instruction of the hardware has:
 *
 *     integer product, sum                 IMAD; of 64 bits IMAD.WIDE
 *     shift left by an immediate, sum      LEA
 *     sum, sum                             IADD3
 *     logic, logic                         LOP3
 *     float product, sum                   FFMA, if the PTX leaves the rounding between them open (no .rn)
 *     negation or magnitude, float         the operand's modifier
 *     comparison, logic of predicates      ISETP.AND and the like
 *
 * Source: NVIDIA, CUDA Binary Utilities, instruction set reference of Volta and later;
 * docs/reference/ptx-support.md. */
#include "ptx/lower/fold_merge.h"

enum { MOST_INPUTS = 3, NEAR = 256 /* instructions in a block that are looked through */ };
#define NOWHERE UINT32_MAX

enum sort {
	SORT_OTHER,
	SORT_MUL,   /* 32 bits */
	SORT_WIDE,  /* product of 64 bits of 32-bit factors */
	SORT_SHIFT, /* left, by an immediate */
	SORT_ADD,
	SORT_ADD64,
	SORT_LOGIC,
	SORT_FMUL, /* that may be contracted */
	SORT_FADD,
	SORT_FSIGN,
	SORT_FLOAT, /* other arithmetic on floats */
	SORT_SETP,
	SORT_PLOGIC
};

static bool ends(const char *text, const char *with)
{
	size_t n = strlen(text), m = strlen(with);

	return n >= m && strcmp(text + n - m, with) == 0;
}

static bool is_float(const char *op)
{
	return ends(op, ".f32") || ends(op, ".f64");
}

static enum sort sort_of_float(const char *op)
{
	bool rounds = strstr(op, ".rn") || strstr(op, ".rz") || strstr(op, ".rm") || strstr(op, ".rp") || strstr(op, ".sat");

	if (fold_starts(op, "neg.") || fold_starts(op, "abs."))
		return SORT_FSIGN;
	if (fold_starts(op, "mul.") && !rounds)
		return SORT_FMUL;
	if ((fold_starts(op, "add.") || fold_starts(op, "sub.")) && !rounds)
		return SORT_FADD;
	if (fold_starts(op, "mul.") || fold_starts(op, "add.") || fold_starts(op, "sub.") || fold_starts(op, "fma.") ||
	    fold_starts(op, "min.") || fold_starts(op, "max."))
		return SORT_FLOAT;
	return SORT_OTHER;
}

static bool is_of_32_bits(const char *op)
{
	return ends(op, ".s32") || ends(op, ".u32") || ends(op, ".b32");
}

static enum sort sort_of_integer(const char *op, const struct ptx_stmt *s)
{
	if (fold_starts(op, "mul.wide.") && is_of_32_bits(op))
		return SORT_WIDE;
	if (strcmp(op, "add.s64") == 0 || strcmp(op, "add.u64") == 0)
		return SORT_ADD64;
	if (!is_of_32_bits(op) || strstr(op, ".cc"))
		return SORT_OTHER;
	if (fold_starts(op, "mul.lo."))
		return SORT_MUL;
	if (fold_starts(op, "shl.") && s->n == 3 && s->opd[2].kind == OPD_IMM)
		return SORT_SHIFT;
	if (strcmp(op, "add.s32") == 0 || strcmp(op, "add.u32") == 0)
		return SORT_ADD;
	if (fold_starts(op, "and.") || fold_starts(op, "or.") || fold_starts(op, "xor.") || fold_starts(op, "not."))
		return SORT_LOGIC;
	return SORT_OTHER;
}

static enum sort sort_of(const struct fold *f, uint32_t i)
{
	const char *op = fold_opcode(f, i);

	if (fold_starts(op, "setp.") && f->w->flat[i].s->n == 3)
		return f->inst[i].op == OP_FP64_ADD ? SORT_OTHER : SORT_SETP;
	if (strcmp(op, "and.pred") == 0 || strcmp(op, "or.pred") == 0 || strcmp(op, "xor.pred") == 0)
		return SORT_PLOGIC;
	return is_float(op) ? sort_of_float(op) : sort_of_integer(op, f->w->flat[i].s);
}

/* The class of both as one; OP_COUNT: they are not merged. */
static enum trace_op merged_op(enum sort first, enum sort second, const struct trace_inst *a, const struct trace_inst *b)
{
	if ((first == SORT_MUL && second == SORT_ADD) || (first == SORT_WIDE && second == SORT_ADD64))
		return OP_INT_MAD;
	if ((first == SORT_SHIFT && second == SORT_ADD) || (first == SORT_ADD && second == SORT_ADD) ||
	    (first == SORT_LOGIC && second == SORT_LOGIC))
		return OP_INT_ADD;
	if (first == SORT_FMUL && second == SORT_FADD)
		return a->op == OP_FP64_MUL ? OP_FP64_MAD : OP_FP32_MAD;
	if (first == SORT_FSIGN && (second == SORT_FMUL || second == SORT_FADD || second == SORT_FLOAT))
		return b->op;
	if (first == SORT_SETP && second == SORT_PLOGIC)
		return a->op;
	return OP_COUNT;
}

struct merge {
	struct fold *f;
	const struct graph *g;
	uint32_t *def;	 /* of a register that one instruction writes: that one */
	uint8_t *inputs; /* of an instruction: registers and immediates that it reads */
};

/* A block's instructions from..to, both left out, write none of p's sources. */
static bool keeps_sources(const struct merge *m, uint32_t p, uint32_t to)
{
	const struct trace_inst *a = &m->f->inst[p];

	if (to - p > NEAR)
		return false;
	for (uint32_t k = a->ndst; k < (uint32_t)a->ndst + a->nsrc; k++)
		for (uint32_t i = p + 1; i < to && m->f->v[a->reg[k]].writes != 1; i++)
			for (uint32_t d = 0; d < m->f->inst[i].ndst; d++)
				if (m->f->inst[i].reg[d] == a->reg[k])
					return false;
	return true;
}

/* Takes p's sources into i, in the place of operand k, and p out. */
static void take_in(struct merge *m, uint32_t p, uint32_t i, uint32_t k, enum trace_op op)
{
	struct trace_inst *a = &m->f->inst[p], *b = &m->f->inst[i];
	uint32_t n = a->nsrc, end = (uint32_t)b->ndst + b->nsrc;

	memmove(&b->reg[k + n], &b->reg[k + 1], (end - k - 1) * sizeof b->reg[0]);
	memcpy(&b->reg[k], &a->reg[a->ndst], n * sizeof b->reg[0]);
	b->nsrc = (uint8_t)(b->nsrc - 1 + n);
	b->op = (uint8_t)op;
	m->inputs[i] = (uint8_t)(m->inputs[i] - 1 + m->inputs[p]);
	a->op = OP_NOP;
	a->ndst = a->nsrc = 0;
}

static bool merges(const struct merge *m, uint32_t p, uint32_t i, enum trace_op *op)
{
	const struct trace_inst *a = &m->f->inst[p], *b = &m->f->inst[i];

	if (p >= i || m->g->block_of[p] != m->g->block_of[i] || a->ndst != 1 || fold_is_guarded(a) ||
	    m->inputs[p] + m->inputs[i] - 1 > MOST_INPUTS)
		return false;
	*op = merged_op(sort_of(m->f, p), sort_of(m->f, i), a, b);
	return *op != OP_COUNT && (uint32_t)b->ndst + b->nsrc - 1 + a->nsrc <= TRACE_MAX_REGS && keeps_sources(m, p, i);
}

static void merge_into(struct merge *m, uint32_t i)
{
	const struct trace_inst *b = &m->f->inst[i];
	enum trace_op op;

	for (uint32_t k = b->ndst; b->op != OP_NOP && k < fold_operands_end(b);) {
		const struct fold_value *v = &m->f->v[b->reg[k]];
		uint32_t p = v->reads == 1 && v->writes == 1 ? m->def[b->reg[k]] : NOWHERE;

		if (p != NOWHERE && merges(m, p, i, &op))
			take_in(m, p, i, k, op);
		else
			k++;
	}
}

static void recount(struct fold *f, uint32_t *def)
{
	for (uint32_t r = 0; r < f->n_regs; r++)
		f->v[r].reads = f->v[r].writes = 0;
	for (uint32_t i = 0; i < f->n; i++) {
		const struct trace_inst *t = &f->inst[i];

		for (uint32_t k = 0; k < t->ndst; k++) {
			f->v[t->reg[k]].writes++;
			def[t->reg[k]] = i;
		}
		for (uint32_t k = t->ndst; k < (uint32_t)t->ndst + t->nsrc; k++)
			f->v[t->reg[k]].reads++;
	}
}

void fold_merge(struct fold *f, const struct graph *g)
{
	struct arena a = {0};
	struct merge m = {f, g, arena_array(&a, f->n_regs, sizeof *m.def), arena_array(&a, f->n + 1, sizeof *m.inputs)};

	recount(f, m.def);
	for (uint32_t i = 0; i < f->n; i++) {
		unsigned n = f->w->flat[i].s->n;

		m.inputs[i] = (uint8_t)(n > MOST_INPUTS + 1 ? MOST_INPUTS + 1 : n ? n - 1 : 0);
	}
	for (uint32_t i = 0; i < f->n; i++)
		merge_into(&m, i);
	arena_free(&a);
}

/* ---- copies ---- */

static bool touches(const struct trace_inst *t, uint32_t reg, bool reads)
{
	uint32_t from = reads ? t->ndst : 0, to = (uint32_t)t->ndst + (reads ? t->nsrc : 0);

	for (uint32_t k = from; k < to; k++)
		if (t->reg[k] == reg)
			return true;
	return false;
}

static void rename_in(struct trace_inst *t, uint32_t from, uint32_t to)
{
	for (uint32_t k = 0; k < (uint32_t)t->ndst + t->nsrc; k++)
		if (t->reg[k] == from)
			t->reg[k] = (uint16_t)to;
}

/* Whether `to` could hold what p computes into `from` for the copy i: between them nobody reads or writes `to`, the
 * block's end has all reads of `from`, and no other write of `to` comes behind. */
static bool can_be_in_place(const struct fold *f, const struct block *b, uint32_t p, uint32_t i, uint32_t from, uint32_t to)
{
	uint32_t reads = 0;

	if (p < b->first || p >= i || fold_is_guarded(&f->inst[p]) || b->last - p > NEAR)
		return false;
	for (uint32_t k = p + 1; k <= b->last; k++) {
		const struct trace_inst *t = &f->inst[k];

		if (k != i && touches(t, to, false))
			return false;
		if (k < i && touches(t, to, true))
			return false;
		for (uint32_t s = t->ndst; s < (uint32_t)t->ndst + t->nsrc; s++)
			reads += t->reg[s] == from;
	}
	return reads == f->v[from].reads;
}

static void copy_in_place(struct fold *f, const struct graph *g, uint32_t i, const uint32_t *def)
{
	struct trace_inst *t = &f->inst[i];
	const struct block *b = &g->block[g->block_of[i]];
	uint32_t to = t->reg[0], from = t->reg[1], p = def[from];

	if (f->v[from].writes != 1 || !can_be_in_place(f, b, p, i, from, to))
		return;
	for (uint32_t k = p; k <= b->last; k++)
		rename_in(&f->inst[k], from, to);
	t->op = OP_NOP;
	t->ndst = t->nsrc = 0;
	f->v[to].reads += f->v[from].reads - 1;
	f->v[from] = (struct fold_value){.same = from};
}

void fold_copies(struct fold *f, const struct graph *g)
{
	struct arena a = {0};
	uint32_t *def = arena_array(&a, f->n_regs, sizeof *def);

	recount(f, def);
	for (uint32_t i = 0; i < f->n; i++)
		if (fold_starts(fold_opcode(f, i), "mov.") && f->inst[i].ndst == 1 && f->inst[i].nsrc == 1 &&
		    !fold_is_guarded(&f->inst[i]) && f->w->flat[i].s->n == 2 && f->w->flat[i].s->opd[1].kind == OPD_REG)
			copy_in_place(f, g, i, def);
	arena_free(&a);
}
