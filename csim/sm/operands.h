/* Operand collectors and the banks of an SM's register file.
 *
 * An instruction that issues goes through three places on its way to its unit, each a cycle at least: a register behind
 * the schedulers, a collector, a register ahead of the unit. In a collector it waits for its source registers. A
 * register of warp slot w is in bank (register + w) mod operands.banks, and a bank reads one register a core cycle, for
 * whichever collector asked it first; in a cycle in which a result is written to a bank it reads nothing. So two
 * registers of one bank, or a bank that others ask too, hold an instruction up, and once all collectors are taken the
 * schedulers.
 *
 * SP, SFU, tensor and load/store units have collectors of their own, and registers before and behind them and moves a
 * cycle as many as there are units. Instructions without a unit go with those of the SP. In a core cycle, ahead of the
 * schedulers: units take the instruction that waits for them, in the order of issue; collectors that have all registers
 * hand over, round robin; banks read; collectors that are free take an instruction, the oldest first. Nothing in the
 * way, an instruction of cycle c is in a collector in c+1, is read in c+2, leaves in c+3, and its unit begins in c+4
 * (the load/store unit, which is asked last, in c+3); without a source register, a cycle earlier. These cycles are a
 * part of pipe.depth.
 *
 * The guard is not read: predicates are kept apart. A result that is written does not wait for its bank.
 * Knows nothing of warps: the SM hands instructions in and takes them out (sm/collect.c).
 * Source: GPGPU-Sim 4.2, opndcoll_rfu_t (gpgpu-sim/shader.h, shader.cc); docs/explanation/sm.md.
 */
#ifndef CSIM_SM_OPERANDS_H
#define CSIM_SM_OPERANDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "machine/machine.h"
#include "sm/inst/kernel.h"

enum { OPERANDS_MAX_WIDTH = 16, OPERANDS_MAX_COLLECTORS = 64, OPERANDS_MAX_BANKS = 64 };
/* Cycles from issue to the unit, nothing in the way. */
enum { OPERANDS_CYCLES = 4, OPERANDS_CYCLES_LDST = OPERANDS_CYCLES - 1 };

struct operands_inst {	 /* an instruction between issue and its unit */
	uint64_t number; /* in the order of issue */
	const struct core_inst *in;
	uint32_t pc, mask;
	uint32_t addr; /* index of its address record in the CTA's addrs, if it has one */
	uint8_t slot, cta;
	bool sync; /* it orders warps (sm/waits.h) */
};

struct operands_list { /* oldest first */
	uint32_t n;
	struct operands_inst inst[OPERANDS_MAX_WIDTH];
};

struct operands_unit { /* what leads to the units of one kind */
	uint32_t width;
	uint64_t collectors;		  /* a bit each */
	struct operands_list in, out;	  /* behind the schedulers; ahead of the units */
	uint8_t last[OPERANDS_MAX_WIDTH]; /* the collector that handed over last, of each hand-over a cycle */
};

struct operands_bank {
	uint32_t first, end; /* of its requests, counted up indefinitely */
	uint8_t *collector;  /* who asks */
};

struct operands_stats {
	uint64_t asked, reads; /* registers */
	uint64_t waits;	       /* cycles that they waited behind others, or behind a write, in all */
};

struct operands {
	bool on;
	uint32_t banks;
	uint64_t issued, held; /* instructions that came in; that are inside */
	struct operands_unit unit[UNIT_COUNT];
	struct operands_inst collector[OPERANDS_MAX_COLLECTORS];
	uint8_t left[OPERANDS_MAX_COLLECTORS]; /* registers that it waits for */
	uint64_t idle, complete;	       /* collectors: free; with all registers */
	uint64_t asked;			       /* banks with requests */
	uint64_t queued;		       /* requests */
	uint32_t bank_mask, write_mask;
	struct operands_bank bank[OPERANDS_MAX_BANKS];
	struct operands_writes { /* banks that are written in a cycle */
		uint64_t cycle, banks;
	} * writes;
	struct operands_stats stats;
};

/* For a machine with operands.banks > 0; one that has not been initialised is off. product: the longest latency of a
 * product of matrices in core cycles, 0 if there is none. */
void operands_init(struct operands *o, struct arena *a, const struct machine *m, uint32_t product);

/* Whether results can be as far ahead as on this machine, without more memory than operands_init took. */
bool operands_reach(const struct operands *o, const struct machine *m, uint32_t product);

static inline enum core_unit operands_way(const struct core_inst *in)
{
	return in->unit == UNIT_NONE ? UNIT_SP : in->unit;
}

static inline bool operands_has_room(const struct operands *o, enum core_unit u)
{
	return o->unit[u].in.n < o->unit[u].width;
}

/* All places ahead of the units are taken: it is these that hold up what is behind. */
static inline bool operands_wait_for_unit(const struct operands *o, enum core_unit u)
{
	return o->unit[u].out.n == o->unit[u].width;
}

/* Takes in an instruction that issues; there is room. `number` is given here. */
void operands_enter(struct operands *o, enum core_unit u, struct operands_inst inst);

/* A core cycle of collectors and banks. */
void operands_step(struct operands *o, uint64_t now);

/* The oldest instruction that its unit may take; NULL. */
static inline const struct operands_inst *operands_front(const struct operands *o, enum core_unit u)
{
	return o->unit[u].out.n ? &o->unit[u].out.inst[0] : NULL;
}
void operands_leave(struct operands *o, enum core_unit u);

/* Results of a warp are written in cycle `at`, now or later. */
void operands_write(struct operands *o, uint64_t now, uint64_t at, unsigned slot, const uint16_t *reg, unsigned n);

/* Whether collectors or banks have something to do in the next cycle. */
bool operands_moves(const struct operands *o);

#endif
