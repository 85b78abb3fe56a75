/* A core of the CPU: an approximation of an out-of-order processor that replays an instruction stream.
 *
 *   feed --width--> reorder buffer --width, in order--> retired; stores go on to the store buffer
 *                     |  loads                             |  in order
 *                     +--> cpu.ports lookups a cycle <----+     --> L1, L2, L3, memory
 *
 * The core knows of an instruction which earlier ones it waits for (inst.h). It enters the reorder buffer if an entry
 * is free, up to `width` a cycle, and begins as soon as its operands are there, in the cycle of its entry at the
 * earliest: registers are renamed without end, execution units never short, branches perfectly predicted. An
 * instruction that computes and begins in cycle c has its result in c + latency. A load looks its lines up in c, or
 * when a port is free, oldest operands first; it has its result when the last of its lines is there. So the loads that
 * can be on their way at once are those that the reorder buffer holds. Up to `width` instructions whose results are
 * there leave the buffer in order; their entries can be taken in the same cycle. A store leaves it when all its lines
 * have a slot of the store buffer; there each is looked up with the ports that loads leave free, and the slots are
 * released in order when the line is there. A load never waits for an earlier store, nor takes data from one.
 *
 * A fence retires when the store buffer is empty. A store hook (store_hook.h) may be between store buffer and L1: then
 * a line is looked up only when the hook has taken its store, which it can do in the same cycle; while it takes none
 * the store buffer waits. A fence with a command then retires when the hook has taken that. A fence that flushes sends
 * a dirty line to the L3 in each cycle that has room on the wires, and retires with the last message.
 *
 * A block of n instructions (inst.h) enters as n do, up to `width` a cycle, and is then held in one entry: a reorder
 * buffer that stores and other instructions fill is modelled, one that blocks fill is not.
 *
 * In-order (cpu.in_order): an instruction enters only when its operands are there (it stalls on use); all else is the
 * same.
 *
 * Order inside a cycle: replies, messages, store buffer, retirement, entry, ports. The core acts only in cycles in
 * which something can change. Talks to the dispatcher and the L3 through queues only. Units: CPU cycles.
 * Source: coda, Table 1 (4-wide, 256-entry ROB); tafe, section 6; the approximation is our choice
 * (docs/explanation/cpu.md).
 */
#ifndef CSIM_CPU_CORE_H
#define CSIM_CPU_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/queue.h"
#include "cpu/inst.h"
#include "cpu/private_caches.h"
#include "cpu/store_hook.h"
#include "noc/cta_message.h"
#include "machine/machine.h"

/* Where a core's cycles go; the cause is the oldest instruction's when the next one finds no entry (or operands). */
enum cpu_stalls {
	CPU_ENTERED,  /* an instruction entered */
	CPU_COMPUTES, /* the oldest computes */
	CPU_MEMORY,   /* the oldest is a load that waits for data */
	CPU_STORES,   /* the oldest is a store for which the store buffer has no slot, or a fence */
	CPU_DRAINS,   /* there is no further instruction; the last ones are on their way */
	CPU_IDLE,
	CPU_STALLS
};

struct cpu_core_ports {
	struct cta_start_queue *start;
	struct cta_done_queue *done; /* all that the CTA stored is in the caches */
	struct cpu_wires wires;
};

struct cpu_entry {	   /* of the reorder buffer */
	uint64_t complete; /* the cycle from which on its result is there; CYCLE_NEVER: not known yet */
	uint64_t ready;	   /* the latest known operand's */
	uint64_t first;	   /* of its lines, in the ring of lines */
	uint32_t users;	   /* operands that wait for this one: a list of operand numbers */
	uint32_t insts;	   /* that it stands for */
	uint16_t pending;  /* operands whose time is not known */
	uint16_t latency;
	enum cpu_kind kind : 8;
	uint8_t n_lines, moved, left; /* lines looked up (load) or handed to the store buffer; lines not yet there */
	bool flush;		      /* of a fence */
	uint32_t command;	      /* as in the instruction, for the hook; 0 without one */
	struct cpu_store store;
};

struct cpu_stored { /* a slot of the store buffer: a line of a store */
	uint64_t line, done;
	struct cpu_store store; /* for the hook, with the store's first line; else bytes is 0 */
};

struct cpu_ready { /* a load with its operands */
	uint64_t cycle, number;
};

struct cpu_piece { /* work that is not yet reported as done */
	uint32_t launch, piece;
	uint64_t last, stores; /* once its stream has ended: instructions, then stores, up to its end */
	bool ended, drained;   /* its stream has; its instructions have retired, and `stores` is known */
};

enum { CPU_PIECES = 16 /* begun, waiting or not yet reported, of a core; a power of two */ };

struct cpu_core_stats {
	uint64_t insts, loads, stores; /* retired */
	uint64_t pieces;
	uint64_t refused; /* lookups that were put off until a reply */
	uint64_t stalls[CPU_STALLS];
};

struct cpu_core {
	uint32_t id, width, rob, ports, sb_size;
	bool in_order;
	uint64_t period;
	struct cpu_core_ports port;
	struct cpu_feed *feed;
	struct private_caches cache;

	uint64_t now, counted; /* the cycle that was stepped last; cycles that the stall breakdown holds: [0,
			        * counted) */
	bool fetched;	       /* `inst` is the next instruction, not yet entered */
	struct cpu_inst inst;
	uint32_t ahead;	     /* of the block that `inst` is: still to enter before it */
	bool running;	     /* `width` of these enter in each cycle until the next step */
	uint32_t mask;	     /* of the ring of entries */
	uint64_t head, tail; /* numbers of the oldest instruction held, of the next to enter */
	struct cpu_entry *entry;
	uint32_t *next_user; /* by operand number: instruction & mask, times CPU_MAX_SOURCES, + operand */
	uint64_t *line;	     /* ring: lines of what is held */
	uint64_t line_mask, line_tail;
	struct cpu_ready *heap; /* loads that can be looked up; the first to go on top */
	uint32_t heap_n;
	uint64_t *work; /* of finish() */
	bool refused;	/* the next lookup has to wait for a reply */
	uint64_t flush; /* the cycle from which on the flush of the oldest instruction can go on; CYCLE_NEVER: a wake
			 * will come */
	struct cpu_stored *sb;
	uint64_t sb_mask, sb_head, sb_next, sb_tail; /* oldest, next to be looked up, next free */
	struct cpu_store_hook *hook;		     /* NULL: none */
	bool passed;				     /* it has taken the store that is looked up next */
	struct cpu_piece piece[CPU_PIECES];
	uint32_t piece_head, piece_begun, piece_tail; /* oldest, the one after the last whose stream was begun, next
						       * free */
	enum cpu_stalls cause;			      /* of the cycles until the next step */
	struct cpu_core_stats stats;
	struct err error; /* the feed failed; the run ends */
};

void cpu_core_init(struct cpu_core *c, struct arena *a, const struct machine *m, uint32_t id, struct cpu_core_ports port,
		   struct cpu_feed *feed);

/* Puts a hook between store buffer and L1, or none (NULL), while the core holds no instruction. */
void cpu_core_set_store_hook(struct cpu_core *c, struct cpu_store_hook *hook);

/* Acts at tick `now`, an edge of the CPU's clock; returns the next tick at which there is something to do. */
struct ticks cpu_core_step(struct cpu_core *c, struct ticks now);

/* Closes the stall breakdown at the run's length. The core may have been stepped beyond it, if it did nothing there. */
void cpu_core_finish(struct cpu_core *c, uint64_t cycles);

#endif
