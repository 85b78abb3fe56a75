/* What an assembler folds of a kernel: for the registers that it allocates (fold.c), and for the instructions that it
 * leaves (fold_view.c). */
#ifndef CSIM_PTX_FOLD_H
#define CSIM_PTX_FOLD_H

#include <string.h>

#include "ptx/lower/lower.h"

struct fold_value { /* a virtual register */
	uint32_t writes, reads;
	uint32_t address_reads, sum_reads; /* of the reads: as an address; by an addition of 64 bits */
	uint32_t same;			   /* as this one; itself: none */
	bool whole;			   /* its upper half is needed */
	bool constant, scaled;
	bool needed; /* of a constant: it is in a register, for what takes no constant operand */
};

struct fold {
	struct lower *w;
	struct trace_inst *inst;
	uint32_t n, n_regs; /* the last two registers are for constants: 32 and 64 bits */
	uint8_t *weight;
	struct fold_value *v;
	bool keeps_constants; /* those that are needed in registers stay what they are */
};

static inline bool fold_starts(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static inline const char *fold_opcode(const struct fold *f, uint32_t i)
{
	return f->w->flat[i].s->opcode;
}

static inline bool fold_is_memory(const struct trace_inst *t)
{
	return t->space != SPACE_NONE && t->space != SPACE_SLEEP;
}

static inline bool fold_is_guarded(const struct trace_inst *t)
{
	return t->flags & TRACE_PREDICATED;
}

/* Sources of its operands: the guard, which is the last one, left out. */
static inline uint32_t fold_operands_end(const struct trace_inst *t)
{
	return (uint32_t)t->ndst + t->nsrc - (fold_is_guarded(t) ? 1 : 0);
}

/* The register that addresses a memory access; UINT32_MAX: none does. */
uint32_t fold_address(const struct fold *f, uint32_t i);

/* Makes f of the kernel, with its instructions as they are; then takes out what needs no instruction and no register of
 * its own, which becomes an OP_NOP without registers. */
void fold_begin(struct fold *f, struct lower *w, struct arena *a);
void fold_names(struct fold *f);

/* Registers of a thread: those alive at once with f's instructions in an order inst[] within their blocks; what an
 * assembler takes for so many; up to how many it lets latency decide: with more, fewer warps would fit than
 * .minnctapersm and .maxntid ask for, or than there can be; and the most that it may take. */
enum {
	STACK_REGISTERS = 1, /* R1 */
	FOLD_UNIT = 8,	     /* 256 of a warp: what is given out at once */
	FULL_OCCUPANCY = 32  /* 65,536 registers over 2,048 threads: fewer let no more warps in */
};
uint32_t fold_alive(const struct fold *f, const struct trace_inst *inst, const struct cfg_node *node);
uint32_t fold_registers(const struct fold *f, uint32_t alive);
uint32_t fold_target(const struct fold *f);
uint32_t fold_limit(const struct fold *f);

#endif
