/* The registers that an assembler would allocate, estimated: what needs none is taken out of the text, the rest is
 * ordered (ptx/schedule.h), and what is then alive at once is counted.
 *
 * What needs no register of its own, in the machine code that NVIDIA documents (CUDA Binary Utilities, instruction set
 * reference; constant operands c[bank][offset] of any arithmetic instruction):
 *
 * - kernel parameters, constants of a fixed address, immediates, and the extents of block and grid: operands
 * - copies, cvta, and 32-bit values widened to 64 bits: the value itself
 * - sums with an immediate that are only addresses: the offset of the access
 * - a shift or product by an immediate that is only added to 64-bit values: part of LEA and IMAD.WIDE
 * - what nobody reads
 *
 * A constant that is an address by itself, or the value of a store, is put into a register there and then. A kernel
 * keeps one register for the stack pointer (R1). An assembler has no reason to reuse a register at once before fewer
 * warps would fit: up to FULL_OCCUPANCY it takes SPARE more than are alive, which is measured
 * (docs/results/registers.md) and the only number here that is. A value that does not fit below `.maxnreg`, or the 255
 * that an instruction can name, goes to local memory. */
#include <string.h>

#include "ptx/lower/cfg.h"
#include "ptx/lower/fold.h"
#include "ptx/lower/schedule.h"

enum {
	SPARE = 5,
	SM_REGISTERS = 65536, /* since Kepler */
	ENCODED = 255,
	NARROW_PASSES = 4 /* backwards through the text; more than one for loops */
};

uint32_t fold_address(const struct fold *f, uint32_t i)
{
	const struct flat *l = &f->w->flat[i];

	for (unsigned k = 0; fold_is_memory(&f->inst[i]) && k < l->s->n; k++) {
		const struct ptx_operand *o = &l->s->opd[k];

		if (o->kind == OPD_ADDR && o->elem[0].kind == OPD_REG)
			return f->w->reg[l->in->reg_base + o->elem[0].reg].dense - 1;
	}
	return UINT32_MAX;
}

static void count(struct fold *f)
{
	for (uint32_t i = 0; i < f->n; i++) {
		const struct trace_inst *t = &f->inst[i];
		uint32_t address = fold_address(f, i);
		bool sum = fold_starts(fold_opcode(f, i), "add.") && strstr(fold_opcode(f, i), "64");

		for (uint32_t k = 0; k < t->ndst; k++)
			f->v[t->reg[k]].writes++;
		for (uint32_t k = t->ndst; k < (uint32_t)t->ndst + t->nsrc; k++) {
			f->v[t->reg[k]].reads++;
			f->v[t->reg[k]].sum_reads += sum;
		}
		if (address != UINT32_MAX)
			f->v[address].address_reads++;
	}
}

/* The extents of block and grid. */
static bool is_constant_special(const struct ptx_operand *o)
{
	return o->kind == OPD_SPECIAL && o->reg >= SPECIAL_NTID_X && o->reg <= SPECIAL_NCTAID_Z &&
	       !(o->reg >= SPECIAL_CTAID_X && o->reg <= SPECIAL_CTAID_Z);
}

static bool is_fixed(const struct ptx_operand *o)
{
	return o->kind == OPD_IMM || o->kind == OPD_VAR || is_constant_special(o);
}

/* Instruction i only gives its source another name: a copy, a conversion that widens, an offset, a scale. */
static bool renames(const struct fold *f, uint32_t i, const struct fold_value *d)
{
	const struct ptx_stmt *s = f->w->flat[i].s;
	const char *op = s->opcode;

	if (fold_starts(op, "mov.") || fold_starts(op, "cvta."))
		return s->n == 2 && s->opd[0].kind == OPD_REG && s->opd[1].kind == OPD_REG;
	if (fold_starts(op, "cvt."))
		return strcmp(op, "cvt.u64.u32") == 0 || strcmp(op, "cvt.s64.s32") == 0;
	if (s->n != 3 || s->opd[2].kind != OPD_IMM)
		return false;
	if (fold_starts(op, "add.") || fold_starts(op, "sub."))
		return d->reads == d->address_reads;
	return (fold_starts(op, "shl.b64") || fold_starts(op, "mul.wide.")) && d->reads == d->sum_reads;
}

static bool loads_constant(const struct trace_inst *t)
{
	return t->op == OP_LOAD && !t->nsrc && (t->space == SPACE_PARAM || t->space == SPACE_CONST);
}

static void fold_one(struct fold *f, uint32_t i)
{
	struct trace_inst *t = &f->inst[i];
	const struct ptx_stmt *s = f->w->flat[i].s;
	struct fold_value *d = &f->v[t->reg[0]], *from;

	for (uint32_t k = 0; k < t->ndst; k++)
		if (f->v[t->reg[k]].writes != 1)
			return;
	if (!t->ndst || t->flags & TRACE_PREDICATED)
		return;
	if (loads_constant(t) || (!t->nsrc && fold_starts(s->opcode, "mov.") && s->n == 2 && is_fixed(&s->opd[1]))) {
		for (uint32_t k = 0; k < t->ndst; k++)
			f->v[t->reg[k]].constant = true;
	} else if (t->ndst == 1 && t->nsrc == 1 && renames(f, i, d)) {
		from = &f->v[f->v[t->reg[1]].same];
		d->constant = from->constant;
		if (!from->constant && from->writes != 1)
			return;
		d->scaled = s->n == 3 && fold_starts(s->opcode, "mul.wide");
		d->same = f->v[t->reg[1]].same;
	} else {
		return;
	}
	t->ndst = t->nsrc = 0;
	t->op = OP_NOP;
}

/* Instruction i computes the low half of its result from the low halves of its sources. */
static bool is_low(const char *op)
{
	static const char *const name[] = {"add.s64",	 "add.u64",    "sub.s64",    "sub.u64", "mul.lo.s64",
					   "mul.lo.u64", "mad.lo.s64", "mad.lo.u64", "and.b64", "or.b64",
					   "xor.b64",	 "not.b64",    "mov.u64",    "mov.b64", "shl.b64"};

	for (uint32_t k = 0; k < sizeof name / sizeof *name; k++)
		if (strcmp(op, name[k]) == 0)
			return true;
	return fold_starts(op, "cvta.") || fold_starts(op, "selp.");
}

/* Instruction i needs only the low half of its 64-bit sources. The windows of shared and local memory have fewer than
 * 2^32 bytes: so are their addresses in the machine code. */
static bool reads_low(const struct fold *f, uint32_t i)
{
	const struct trace_inst *t = &f->inst[i];
	const char *op = fold_opcode(f, i);

	if (fold_is_memory(t))
		return t->space == SPACE_SHARED || t->space == SPACE_LOCAL || t->space == SPACE_CONST || t->space == SPACE_PARAM;
	if (fold_starts(op, "cvt."))
		return t->ndst == 1 && f->weight[t->reg[0]] == 1 && strstr(op, "64") && !strstr(op, "f");
	return t->ndst == 1 && is_low(op) && !f->v[t->reg[0]].whole;
}

/* What of memory is read or written by itself is needed as a whole. */
static void mark_whole(struct fold *f, uint32_t i)
{
	const struct trace_inst *t = &f->inst[i];
	uint32_t address = fold_address(f, i);
	bool low = reads_low(f, i);

	for (uint32_t k = t->ndst; k < (uint32_t)t->ndst + t->nsrc; k++)
		if (!low || (fold_is_memory(t) && t->reg[k] != address))
			f->v[t->reg[k]].whole = true;
}

/* 64-bit registers of which only the low half is ever needed take one. */
static void narrow(struct fold *f)
{
	for (uint32_t pass = 0; pass < NARROW_PASSES; pass++)
		for (uint32_t i = f->n; i-- > 0;)
			mark_whole(f, i);
	for (uint32_t i = 0; i < f->n; i++)
		for (uint32_t k = 0; k < f->inst[i].ndst; k++)
			if (fold_is_memory(&f->inst[i]))
				f->v[f->inst[i].reg[k]].whole = true;
	for (uint32_t r = 0; r < f->n_regs - 2; r++)
		if (f->weight[r] == 2 && !f->v[r].whole)
			f->weight[r] = 1;
}

/* A constant that is an address by itself, or the value of a store. */
static bool needs_register(const struct fold *f, uint32_t i, uint32_t reg, uint32_t address)
{
	const struct trace_inst *t = &f->inst[i];

	return fold_is_memory(t) && f->v[f->v[reg].same].constant && (reg == address || t->op == OP_STORE);
}

static void add_temporary(struct trace_inst *t, uint32_t reg)
{
	if (t->ndst + t->nsrc >= TRACE_MAX_REGS)
		return;
	memmove(&t->reg[t->ndst + 1], &t->reg[t->ndst], t->nsrc * sizeof *t->reg);
	t->reg[t->ndst++] = (uint16_t)reg;
}

/* A constant that is an address by itself, or a stored value, needs registers for as long as the access. */
static void load_constants(struct fold *f, uint32_t i, const struct trace_inst *before)
{
	struct trace_inst *t = &f->inst[i];
	uint32_t address = fold_address(f, i);

	for (uint32_t k = before->ndst; k < (uint32_t)before->ndst + before->nsrc; k++) {
		uint32_t reg = before->reg[k];

		if (f->v[f->v[reg].same].constant && (reg == address || t->op == OP_STORE))
			add_temporary(t, f->n_regs - (f->weight[reg] == 2 ? 1 : 2));
	}
}

/* Sources become what they are the same as; constants are none. Of two constants of IMAD.WIDE, the factor and what is
 * added, one is in a register. The guard stays the last source even if it is a constant: a predicate takes no register
 * of the file, and a guarded instruction (TRACE_PREDICATED) always has one. */
static void replace(struct fold *f, uint32_t i)
{
	struct trace_inst *t = &f->inst[i], before = *t;
	uint32_t kept = t->ndst, end = (uint32_t)t->ndst + t->nsrc, address = fold_address(f, i);
	uint32_t guard = fold_is_guarded(t) ? end - 1 : end;
	bool scaled = false;

	for (uint32_t k = kept; k < end; k++) {
		uint32_t same = f->v[t->reg[k]].same;

		scaled |= f->v[t->reg[k]].scaled;
		if (needs_register(f, i, t->reg[k], address))
			f->v[same].needed = true;
		if (!f->v[same].constant || (f->keeps_constants && f->v[same].needed) || k == guard)
			t->reg[kept++] = (uint16_t)same;
	}
	t->nsrc = (uint8_t)(kept - t->ndst);
	if (f->keeps_constants)
		return;
	if (kept < end && scaled)
		add_temporary(t, f->n_regs - 2);
	if (fold_is_memory(t))
		load_constants(f, i, &before);
}

static bool has_effect(const struct trace_inst *t)
{
	return t->op == OP_STORE || t->op == OP_ATOM || t->flags & TRACE_VOLATILE;
}

/* Takes out what nobody reads, last instructions first. */
static void remove_unread(struct fold *f)
{
	for (uint32_t r = 0; r < f->n_regs - 2; r++)
		f->v[r].reads = 0;
	for (uint32_t i = 0; i < f->n; i++)
		for (uint32_t k = f->inst[i].ndst; k < (uint32_t)f->inst[i].ndst + f->inst[i].nsrc; k++)
			f->v[f->inst[i].reg[k]].reads++;
	for (uint32_t i = f->n; i-- > 0;) {
		struct trace_inst *t = &f->inst[i];
		bool read = has_effect(t) || !t->ndst;

		for (uint32_t k = 0; k < t->ndst; k++)
			read |= f->v[t->reg[k]].reads > 0;
		for (uint32_t k = t->ndst; !read && k < (uint32_t)t->ndst + t->nsrc; k++)
			f->v[t->reg[k]].reads--;
		if (!read) {
			t->ndst = t->nsrc = 0;
			t->op = OP_NOP;
		}
	}
}

void fold_begin(struct fold *f, struct lower *w, struct arena *a)
{
	*f = (struct fold){.w = w, .n = w->n_flat, .n_regs = w->k->trace.n_regs + 2};
	f->inst = arena_array(a, f->n + 1, sizeof *f->inst);
	f->weight = arena_alloc(a, f->n_regs + 64);
	f->v = arena_array(a, f->n_regs, sizeof *f->v);
	memcpy(f->inst, w->k->trace.inst, f->n * sizeof *f->inst);
	for (unsigned r = 0; r < w->n_reg; r++)
		if (w->reg[r].dense)
			f->weight[w->reg[r].dense - 1] = (uint8_t)((ptx_type_bytes(w->reg[r].type) + 3) / 4);
	f->weight[f->n_regs - 2] = 1;
	f->weight[f->n_regs - 1] = 2;
	for (uint32_t r = 0; r < f->n_regs; r++)
		f->v[r].same = r;
}

void fold_names(struct fold *f)
{
	narrow(f);
	count(f);
	for (uint32_t i = 0; i < f->n; i++)
		fold_one(f, i);
	for (uint32_t i = 0; i < f->n; i++)
		replace(f, i);
	remove_unread(f);
}

uint32_t fold_alive(const struct fold *f, const struct trace_inst *inst, const struct cfg_node *node)
{
	return cfg_registers(node, f->n, inst, f->n_regs, f->weight) + STACK_REGISTERS;
}

uint32_t fold_limit(const struct fold *f)
{
	uint32_t asked = f->w->k->func->max_registers;

	return asked && asked < ENCODED ? asked : ENCODED;
}

uint32_t fold_target(const struct fold *f)
{
	const struct ptx_func *func = f->w->k->func;
	uint64_t threads = (ptx_func_threads(func) + LANES - 1) / LANES * LANES;
	uint64_t n = func->max_registers ? func->max_registers : FULL_OCCUPANCY;

	if (func->min_ctas)
		n = SM_REGISTERS / (threads * func->min_ctas) / FOLD_UNIT * FOLD_UNIT;
	n = n > FULL_OCCUPANCY ? n : FULL_OCCUPANCY;
	return n < fold_limit(f) ? (uint32_t)n : fold_limit(f);
}

uint32_t fold_registers(const struct fold *f, uint32_t alive)
{
	uint32_t n = alive + SPARE;

	if (n > FULL_OCCUPANCY)
		n = alive > FULL_OCCUPANCY ? alive : FULL_OCCUPANCY;
	return n < fold_limit(f) ? n : fold_limit(f);
}

uint32_t lower_registers(struct lower *w, const struct cfg_node *node)
{
	struct arena arena = {0};
	struct fold f;
	uint32_t most;

	fold_begin(&f, w, &arena);
	fold_names(&f);
	schedule_blocks(node, f.n, f.inst, f.n_regs,
			&(struct schedule_rules){.weight = f.weight, .limit = fold_target(&f) - STACK_REGISTERS}, NULL);
	most = fold_registers(&f, fold_alive(&f, f.inst, node));
	arena_free(&arena);
	return most;
}
