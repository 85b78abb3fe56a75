#include "ptx/lower/fold_wide.h"

#include <stdlib.h>

enum {
	MOST = 16,	 /* log2 of the alignments that are told apart */
	PASSES = 16,	 /* through the text, until alignments are known; else none is */
	NEAR = 256,	 /* instructions between loads that become one */
	MEMBERS = 4,	 /* words of 16 bytes */
	FAR = 1 << 24,	 /* bytes: more than any shared memory has */
	CONSTANT = 65535 /* in place of a register: an address that is known */
};

/* ---- what addresses are multiples of ---- */

struct aligned {
	const struct fold *f;
	uint8_t *log2; /* of registers; MOST: not written yet, or 0 */
};

static uint8_t of_bits(uint64_t bits)
{
	return bits && __builtin_ctzll(bits) < MOST ? (uint8_t)__builtin_ctzll(bits) : MOST;
}

static uint8_t least(unsigned a, unsigned b)
{
	return (uint8_t)(a < b ? a : b);
}

static uint32_t dense_of(const struct fold *f, const struct flat *l, const struct ptx_operand *o)
{
	return f->w->reg[l->in->reg_base + o->reg].dense - 1;
}

/* Where a shared array is, at least: the unsized ones are behind the others, wherever that is. */
static uint8_t of_array(const struct fold *f, const struct flat *l, const struct ptx_operand *o)
{
	uint64_t offset;

	if (o->var->space != SPACE_SHARED)
		return 0;
	lower_location(f->w, l->in, o->var, &offset);
	return least(of_bits(o->var->bytes ? offset : o->var->align), of_bits((uint64_t)o->offset));
}

static uint8_t of_operand(const struct aligned *a, const struct flat *l, unsigned k)
{
	const struct ptx_operand *o = &l->s->opd[k];

	if (k >= l->s->n)
		return 0;
	switch (o->kind) {
	case OPD_REG:
		return dense_of(a->f, l, o) < a->f->n_regs ? a->log2[dense_of(a->f, l, o)] : 0;
	case OPD_IMM:
		return o->number_kind == NUMBER_INT ? of_bits(o->bits) : 0;
	case OPD_VAR:
		return of_array(a->f, l, o);
	default:
		return 0;
	}
}

static bool is_one_of(const char *op, const char *const *names)
{
	for (; *names; names++)
		if (fold_starts(op, *names))
			return true;
	return false;
}

/* Not one that saturates. */
static bool is_sum(const char *op)
{
	static const char *const sums[] = {"add.u32", "add.u64", "add.s32", "add.s64", NULL};

	return is_one_of(op, sums);
}

/* What the result of an instruction is a multiple of: log2. */
static uint8_t of_result(const struct aligned *a, uint32_t i)
{
	static const char *const copies[] = {"mov.u", "mov.s", "mov.b", "cvta.", "cvt.u64.u32", "cvt.s64.s32", "cvt.u32.u64", NULL};
	static const char *const rest[] = {"sub.u32", "sub.u64", "sub.s32", "sub.s64", "or.b", "xor.b", NULL};
	static const char *const products[] = {"mul.lo.u", "mul.lo.s", "mul.wide.u", "mul.wide.s", NULL};
	static const char *const both[] = {"mad.lo.u", "mad.lo.s", "mad.wide.u", "mad.wide.s", NULL};
	const struct flat *l = &a->f->w->flat[i];
	const char *op = l->s->opcode;
	uint8_t x = of_operand(a, l, 1), y = of_operand(a, l, 2);

	if (is_one_of(op, copies))
		return x;
	if (is_sum(op) || is_one_of(op, rest))
		return least(x, y);
	if (is_one_of(op, products))
		return least(x + y, MOST);
	if (is_one_of(op, both))
		return least(least(x + y, MOST), of_operand(a, l, 3));
	if (fold_starts(op, "shl.b") && l->s->n == 3 && l->s->opd[2].kind == OPD_IMM && l->s->opd[2].bits < MOST)
		return least(x + (unsigned)l->s->opd[2].bits, MOST);
	return 0;
}

/* Of the instructions as they are in the text. Whatever a register is given, it is a multiple of the least of that. */
static bool find_alignments(struct aligned *a)
{
	bool changed = true;

	memset(a->log2, MOST, a->f->n_regs);
	for (unsigned pass = 0; changed && pass < PASSES; pass++) {
		changed = false;
		for (uint32_t i = 0; i < a->f->n; i++) {
			const struct trace_inst *t = &a->f->w->k->trace.inst[i];
			uint8_t is = t->ndst == 1 ? of_result(a, i) : 0;

			for (uint32_t k = 0; k < t->ndst; k++) {
				changed |= is < a->log2[t->reg[k]];
				a->log2[t->reg[k]] = least(a->log2[t->reg[k]], is);
			}
		}
	}
	return !changed;
}

/* ---- which loads are neighbours ---- */

struct place {
	uint32_t base;	/* register, or CONSTANT */
	uint8_t log2;	/* what it is a multiple of */
	int64_t offset; /* from there */
};

struct wide {
	struct fold *f;
	struct aligned aligned;
	uint32_t *writes, *def; /* of a register in the text: how often; the last one */
};

/* Offsets of a text may be any; sums of a few of these are numbers still. */
static bool is_near(int64_t offset)
{
	return offset > -FAR && offset < FAR;
}

/* A sum with an immediate is its source, further on. */
static void resolve(const struct wide *w, struct place *p)
{
	for (unsigned steps = 0; steps < MEMBERS && w->writes[p->base] == 1; steps++) {
		const struct flat *l = &w->f->w->flat[w->def[p->base]];
		const struct ptx_operand *o = l->s->opd;
		uint32_t from;

		if (!is_sum(l->s->opcode) || l->s->n != 3 || l->s->guard >= 0 || o[1].kind != OPD_REG || o[2].kind != OPD_IMM ||
		    !is_near((int64_t)o[2].bits))
			return;
		from = dense_of(w->f, l, &o[1]);
		if (from >= w->f->n_regs || w->writes[from] != 1)
			return;
		p->base = from;
		p->offset += (int64_t)o[2].bits;
	}
}

static bool place_of(const struct wide *w, uint32_t i, struct place *p)
{
	const struct flat *l = &w->f->w->flat[i];

	for (unsigned k = 0; k < l->s->n; k++) {
		const struct ptx_operand *o = &l->s->opd[k];

		if (o->kind != OPD_ADDR)
			continue;
		if (!is_near(o->offset))
			return false;
		*p = (struct place){.offset = o->offset, .base = CONSTANT, .log2 = MOST};
		if (o->elem[0].kind == OPD_REG) {
			p->base = dense_of(w->f, l, &o->elem[0]);
			if (p->base >= w->f->n_regs)
				return false;
			resolve(w, p);
			p->log2 = w->aligned.log2[p->base];
			return true;
		}
		if (o->elem[0].kind == OPD_VAR && o->elem[0].var->space == SPACE_SHARED && o->elem[0].var->bytes &&
		    is_near(o->elem[0].offset)) {
			uint64_t at;

			lower_location(w->f->w, l->in, o->elem[0].var, &at);
			p->offset += (int64_t)at + o->elem[0].offset;
			return true;
		}
	}
	return false;
}

static bool is_load(const struct fold *f, uint32_t i)
{
	const struct trace_inst *t = &f->inst[i];

	return t->op == OP_LOAD && t->space == SPACE_SHARED && (t->width == 4 || t->width == 8) && t->ndst &&
	       !(t->flags & (TRACE_VOLATILE | TRACE_PREDICATED)) && fold_starts(fold_opcode(f, i), "ld.shared");
}

/* No load of shared memory passes it. A store without a space is one of global memory to the trace, and may be any. */
static bool is_fence(const struct fold *f, uint32_t i)
{
	const struct trace_inst *t = &f->inst[i];

	return (t->op == OP_STORE && !fold_starts(fold_opcode(f, i), "st.global")) || t->op == OP_ATOM || t->op == OP_BARRIER ||
	       t->op == OP_MEMBAR || t->flags & TRACE_VOLATILE;
}

struct group {
	uint32_t member[MEMBERS], n;
	uint32_t lowest; /* of them, by address */
	int64_t at;	 /* its offset */
	unsigned words;	 /* which of the 16 bytes' four are loaded */
};

/* Adds load i, at p, if it is of the `bytes` aligned ones from `from` on. */
static void add(struct group *g, const struct fold *f, uint32_t i, const struct place *p, int64_t from, int64_t bytes)
{
	unsigned width = f->inst[i].width, words;

	if (p->offset < from || p->offset + width > from + bytes || (p->offset - from) % 4 || g->n == MEMBERS)
		return;
	words = (width == 8 ? 3u : 1u) << (p->offset - from) / 4;
	if (g->words & words)
		return;
	if (!g->n || p->offset < g->at) {
		g->lowest = i;
		g->at = p->offset;
	}
	g->member[g->n++] = i;
	g->words |= words;
}

/* Between two instructions, both left out, nobody reads or writes what the load writes, or writes its base. */
static bool can_move(const struct wide *w, uint32_t load, uint32_t to, uint32_t base)
{
	const struct trace_inst *t = &w->f->inst[load];
	uint32_t first = load < to ? load : to, last = load < to ? to : load;

	for (uint32_t i = first + 1; i < last; i++) {
		const struct trace_inst *in = &w->f->inst[i];

		for (uint32_t k = 0; k < (uint32_t)in->ndst + in->nsrc; k++) {
			if (k < in->ndst && in->reg[k] == base)
				return false;
			for (uint32_t d = 0; d < t->ndst; d++)
				if (in->reg[k] == t->reg[d])
					return false;
		}
	}
	return true;
}

/* One load of all of them; false: it cannot be. */
static bool make_one(struct wide *w, const struct group *g, uint32_t base, unsigned bytes)
{
	struct trace_inst *to = &w->f->inst[g->lowest];
	uint32_t more = 0;

	for (uint32_t m = 0; m < g->n; m++) {
		if (g->member[m] == g->lowest)
			continue;
		more += w->f->inst[g->member[m]].ndst;
		if (!can_move(w, g->member[m], g->lowest, base))
			return false;
	}
	if (to->ndst + to->nsrc + more > TRACE_MAX_REGS)
		return false;
	for (uint32_t m = 0; m < g->n; m++) {
		struct trace_inst *t = &w->f->inst[g->member[m]];

		if (t == to)
			continue;
		memmove(&to->reg[to->ndst + t->ndst], &to->reg[to->ndst], to->nsrc * sizeof to->reg[0]);
		memcpy(&to->reg[to->ndst], t->reg, t->ndst * sizeof t->reg[0]);
		to->ndst = (uint8_t)(to->ndst + t->ndst);
		t->op = OP_NOP;
		t->ndst = t->nsrc = 0;
	}
	to->width = (uint8_t)bytes;
	return true;
}

/* The loads up to instruction `end`, ahead of any fence, of the `bytes` around load i's. */
static struct group neighbours(const struct wide *w, uint32_t i, const struct place *at, int64_t bytes, uint32_t end)
{
	struct group g = {.n = 0};
	int64_t from = at->offset & -bytes;
	struct place p;

	for (uint32_t k = i; k < end && k - i < NEAR && !is_fence(w->f, k); k++)
		if (is_load(w->f, k) && place_of(w, k, &p) && p.base == at->base)
			add(&g, w->f, k, &p, from, bytes);
	return g;
}

static void widen(struct wide *w, uint32_t i, uint32_t end)
{
	struct place at;
	struct group g;

	if (!is_load(w->f, i) || !place_of(w, i, &at))
		return;
	if (at.log2 >= 4) {
		g = neighbours(w, i, &at, 16, end);
		if (g.n > 1 && __builtin_popcount(g.words) > 2 && make_one(w, &g, at.base, 16))
			return;
	}
	if (at.log2 >= 3 && w->f->inst[i].width == 4) {
		g = neighbours(w, i, &at, 8, end);
		if (g.n == 2)
			make_one(w, &g, at.base, 8);
	}
}

static void count_writes(struct wide *w)
{
	for (uint32_t i = 0; i < w->f->n; i++) {
		const struct trace_inst *t = &w->f->w->k->trace.inst[i];

		for (uint32_t k = 0; k < t->ndst; k++) {
			w->writes[t->reg[k]]++;
			w->def[t->reg[k]] = i;
		}
	}
}

void fold_wide(struct fold *f, const struct graph *g)
{
	struct arena a = {0};
	struct wide w = {.f = f,
			 .aligned = {f, arena_alloc(&a, f->n_regs + 1)},
			 .writes = arena_array(&a, f->n_regs, sizeof *w.writes),
			 .def = arena_array(&a, f->n_regs, sizeof *w.def)};

	count_writes(&w);
	if (find_alignments(&w.aligned))
		for (uint32_t i = 0; i < f->n; i++)
			widen(&w, i, g->block[g->block_of[i]].last + 1);
	arena_free(&a);
}
