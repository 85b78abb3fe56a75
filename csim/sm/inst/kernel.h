/* A kernel's instructions as an SM issues them: the trace's static table joined with the machine's latencies, once a
 * launch.
 *
 * Which unit an instruction takes, how long it holds the unit's input (interval) and when its result can be read
 * (latency) depend on nothing but the machine and the opcode class, so the issue loop looks them up here and decides
 * nothing itself.
 *
 * Integer and fp32 classes run on the SP units, the .approx forms on the SFU, fp64 and divisions on either
 * (pipe.fp64, pipe.div), by a long interval; memory instructions on the LDST unit. A machine may have units of their
 * own for integers and for fp64 (pipe.int, pipe.dp). A product of matrices holds a
 * tensor unit for its multiply-adds over the unit's rate for such elements, and has its result latency.tensor after
 * that; where there is no such unit or rate it is the multiply-adds of a lane one behind the other, on the pipeline of
 * fp32, integer or fp64. Branches, barriers, fences, exits and nops take an issue slot and no unit. Latencies of
 * arithmetic have the pipeline's depth in them, but those of int, fp32 and fp64 with sm.dependences fixed. Cycles are
 * core cycles. Source: dwt-pric, Table 1; docs/explanation/timing.md,
 * docs/explanation/sm.md.
 */
#ifndef CSIM_SM_INST_KERNEL_H
#define CSIM_SM_INST_KERNEL_H

#include "base/arena.h"
#include "machine/machine.h"
#include "trace/inst.h"

enum core_unit { UNIT_NONE, UNIT_SP, UNIT_SFU, UNIT_TENSOR, UNIT_INT, UNIT_DP, UNIT_LDST, UNIT_COUNT };

/* It holds a pipeline for an interval, and its results have a time when that begins. */
static inline bool core_unit_is_arithmetic(enum core_unit u)
{
	return u >= UNIT_SP && u <= UNIT_DP;
}

enum core_act {
	ACT_ALU,
	ACT_NOP,
	ACT_BRANCH,
	ACT_BARRIER,
	ACT_MEMBAR,
	ACT_SLEEP, /* its record of addresses holds for how long */
	ACT_PARAM, /* kernel parameters: a uniform read that always hits */
	ACT_CONST,
	ACT_SHARED,
	ACT_GLOBAL, /* also textures: there is no texture cache */
	ACT_LOCAL,
	ACT_FOLDED /* it is not issued: another instruction does what it does (sm.fold) */
};

/* Registers are reg[0..n_regs), destinations first. The first ones are in fast[] too, padded with the kernel's spare
 * register, which is always ready: the common instruction's operands are checked without a loop. Few instructions have
 * more, and one may have TRACE_MAX_REGS: these are elsewhere, so that the issue loop's table stays small. With
 * sm.dependences fixed the destinations of arithmetic, n_over of them, are checked by themselves: fast[] is what
 * follows them. */
enum { CORE_REGS_FAST = 4 };

struct core_inst {
	enum core_unit unit : 8;
	enum core_act act : 8;
	enum trace_op op : 8;
	uint8_t n_dst, n_regs, n_over;
	uint8_t width, flags; /* as in struct trace_inst */
	bool records;	      /* of one that is folded: it owns a record of addresses */
	uint32_t latency, interval;
	uint32_t macs;	/* multiply-adds of a product of matrices, else 0 */
	uint32_t row;	/* its number among the instructions of all kernels (sm/profile.h) */
	uint32_t place; /* how many of its kernel that are issued are ahead of it: where it is in memory (sm/fetch.h) */
	uint16_t fast[CORE_REGS_FAST];
	const uint16_t *reg; /* fast, if all are there */
};

struct core_kernel {
	struct core_inst *inst;
	uint32_t n_inst;
	uint32_t n_regs;      /* the spare register is number n_regs */
	uint32_t folded;      /* instructions that are not issued */
	uint32_t local_words; /* 4-byte words of local memory a thread */
	uint32_t product;     /* the longest latency of a product of matrices; 0: it has none */
	uint64_t code;	      /* address of the first instruction (sm/fetch.h) */
};

/* The number of its first instruction, by which all of them are numbered, is 0 at first. */
void core_kernel_number(struct core_kernel *k, uint32_t first_row);

/* The longest latency of a product of matrices on this machine; 0: the kernel has none. */
uint32_t core_kernel_product_on(const struct machine *m, const struct trace_kernel *t);

/* How long its instructions take, anew, of a machine that differs from that of core_kernel_init in latencies alone. */
void core_kernel_time(struct core_kernel *k, const struct machine *m, const struct trace_kernel *t);

void core_kernel_init(struct core_kernel *k, struct arena *a, const struct machine *m, const struct trace_kernel *t);

/* The same of these n kernels. */
uint32_t core_kernels_product(const struct core_kernel *k, uint32_t n);

#endif
