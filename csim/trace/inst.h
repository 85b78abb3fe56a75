/* What the cycle model knows of a kernel: its instructions without their values.
 *
 * A static instruction names what the pipelines and the scoreboard need: the class (which pipeline, which latency), the
 * registers, the memory space and width. Instruction numbers (`pc`) count from 0 in the order of the PTX text;
 * registers are PTX virtual registers, renumbered densely per kernel over all types, predicates included.
 */
#ifndef CSIM_TRACE_INST_H
#define CSIM_TRACE_INST_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/lines.h"

/* Opcode classes with a latency and an initiation interval of their own (machine file, `latency.*`). */
enum trace_op {
	OP_INT_ADD, /* also logic, shifts, moves, set-predicate, selection, and conversions between integers */
	OP_INT_MAX, /* min, max, abs */
	OP_INT_MUL,
	OP_INT_MAD,
	OP_INT_DIV,  /* div, rem */
	OP_FP32_ADD, /* also conversions from, to and between floats of 32 bits or fewer */
	OP_FP32_MAX,
	OP_FP32_MUL,
	OP_FP32_MAD, /* fma */
	OP_FP32_DIV, /* div, rcp, sqrt, rsqrt: precise forms */
	OP_FP64_ADD,
	OP_FP64_MAX,
	OP_FP64_MUL,
	OP_FP64_MAD,
	OP_FP64_DIV,
	OP_SFU, /* .approx forms: ex2, lg2, sin, cos, rcp, rsqrt, sqrt, div */
	OP_LOAD,
	OP_STORE,
	OP_ATOM, /* atom and red */
	OP_BARRIER,
	OP_MEMBAR,
	OP_BRANCH, /* bra, call, and a ret from a function */
	OP_EXIT,   /* exit, or ret from the kernel: the lanes of the mask end here */
	OP_NOP,
	OP_TENSOR_F16, /* products of matrices, by the elements of a and b: f16, bf16 */
	OP_TENSOR_TF32,
	OP_TENSOR_8BIT, /* s8, u8, e4m3, e5m2 */
	OP_TENSOR_4BIT,
	OP_TENSOR_F64,
	OP_COUNT
};

enum { TRACE_TENSOR_CLASSES = OP_COUNT - OP_TENSOR_F16, TRACE_MAX_LOG_MACS = 20 };

static inline bool trace_op_is_tensor(enum trace_op op)
{
	return op >= OP_TENSOR_F16 && op < OP_COUNT;
}

/* Where a memory instruction goes. What each space's addresses are: see trace/trace.h. SPACE_SLEEP is none: the record
 * of an OP_NOP that sleeps (nanosleep) holds for how long. */
enum trace_space {
	SPACE_NONE,
	SPACE_GLOBAL,
	SPACE_SHARED,
	SPACE_LOCAL,
	SPACE_CONST,
	SPACE_PARAM,
	SPACE_TEX,
	SPACE_SLEEP,
	SPACE_COUNT
};

enum trace_flags {
	TRACE_VOLATILE = 1,   /* ld.volatile, st.volatile: not served from L1 */
	TRACE_NC = 2,	      /* ld.global.nc */
	TRACE_PREDICATED = 4, /* has a guard: the mask of each execution is that of the lanes whose guard holds */
	/* cache operators: .cg; .cs and .lu; L1::no_allocate */
	TRACE_PAST_L1 = 8,
	TRACE_STREAMS = 16,
	TRACE_NO_ALLOCATE = 32,
	TRACE_OPERATORS = TRACE_PAST_L1 | TRACE_STREAMS | TRACE_NO_ALLOCATE,
	TRACE_OPERATORS_SHIFT = 3
};

/* Those of wmma: fragments d, a, b and c of 8 registers each, and the guard. */
enum { TRACE_MAX_REGS = 4 * 8 + 1 };

struct trace_inst {
	enum trace_op op : 8;
	enum trace_space space : 8; /* SPACE_NONE for all but loads, stores, atomics and sleeps */
	uint8_t width;		    /* bytes that a lane reads or writes, all vector elements together: 1 2 4 8 16; of
				     * OP_TENSOR_*: log2 of the multiply-adds of the warp's product; else 0 */
	uint8_t flags;		    /* enum trace_flags */
	uint8_t ndst, nsrc;	    /* ndst + nsrc <= TRACE_MAX_REGS; reg[0..ndst) written, reg[ndst..ndst+nsrc) read
				     * (guard included) */
	uint16_t reg[TRACE_MAX_REGS];
	uint16_t name; /* index into the kernel's opcode names, for the instruction mix: "fma.rn.f32" */
	uint32_t line; /* of the PTX file, from 1, lines of debug information left out: it is part of a trace's hash.
			* The line in the file, and that of the source: trace_kernel.lines */
};

/* Whether each execution of it by a lane owns a record of addresses (trace/trace.h). */
static inline bool trace_has_record(const struct trace_inst *i)
{
	return i->space != SPACE_NONE && i->space != SPACE_PARAM;
}

struct trace_kernel {
	char *name;
	uint32_t n_inst;
	struct trace_inst *inst;
	uint32_t n_names;
	char **names;
	uint32_t n_regs;	   /* dense virtual registers: all reg[] are below this; <= 65535 */
	uint32_t regs_per_thread;  /* 32-bit registers after allocation, see ptx/fold.c */
	uint32_t shared_bytes;	   /* static, a CTA */
	uint32_t local_bytes;	   /* a thread */
	struct trace_lines *lines; /* where its instructions were written (trace/lines.h); NULL: not known */
	struct trace_inst *folds;  /* n_inst, as an assembler would leave them (trace/folds.h); NULL: not known */
};

#endif
