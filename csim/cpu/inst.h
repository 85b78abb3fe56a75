/* An instruction as a CPU core sees it, and where a core's instructions come from.
 *
 * A CPU core replays a stream: it needs to know of an instruction which earlier ones it waits for, how long it
 * computes, and which lines it touches. Sources are distances: back[k] = 3 waits for the result of the third
 * instruction before. Distances that reach beyond what the core still holds wait for nothing.
 *
 * A block is many instructions of a cycle each, none of which waits for another, given as one: what a program does
 * between two accesses, of which nothing but the number is known.
 *
 * A vector instruction (cpu.simd lanes) is one instruction that touches several lines; each line is named once.
 *
 * What a store stores, and which command a fence carries, the core does not look at: it hands both to the store hook
 * (cpu/store_hook.h), if it has one.
 */
#ifndef CSIM_CPU_INST_H
#define CSIM_CPU_INST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/panic.h"
#include "trace/inst.h"

/* A fence retires when all stores before it are in the caches and, at a core with a store hook, when the hook has taken
 * the fence's command; one that flushes, when what the core's caches hold has also been sent to the L3, and the L3 has
 * been asked to write back all that it holds. A fence that flushes carries no command. */
enum cpu_kind { CPU_COMPUTE, CPU_LOAD, CPU_STORE, CPU_FENCE };

/* 32 lanes whose accesses each cross a line. */
enum { CPU_MAX_SOURCES = TRACE_MAX_REGS, CPU_MAX_LINES = 64 };

struct cpu_store {
	uint64_t addr, value; /* virtual; the value in the low bits */
	uint32_t bytes;	      /* 1, 2, 4 or 8, naturally aligned; 0: not known, as in the trace of a kernel */
};

struct cpu_inst {
	enum cpu_kind kind : 8;
	uint8_t n_back, n_lines;
	bool flush;		/* of CPU_FENCE */
	uint16_t latency;	/* of CPU_COMPUTE: cycles from operands to result, >= 1 */
	uint32_t block;		/* of CPU_COMPUTE: it is the last of so many; 0 or 1: a single one */
	uint32_t command;	/* of CPU_FENCE: its number among the stream's commands, from 1 on; 0: none */
	struct cpu_store store; /* of CPU_STORE; must be known at a core with a store hook */
	uint32_t back[CPU_MAX_SOURCES];
	uint64_t line[CPU_MAX_LINES]; /* of a load or store: virtual address >> log2(cpu.line); at least one */
};

/* Adds a line, unless it is there. */
static inline void cpu_inst_add_line(struct cpu_inst *in, uint64_t line)
{
	for (uint32_t i = in->n_lines; i > 0; i--)
		if (in->line[i - 1] == line)
			return;
	PANIC_UNLESS(in->n_lines < CPU_MAX_LINES, "cpu_inst", in->n_lines);
	in->line[in->n_lines++] = line;
}

/* Adds the lines of `bytes` bytes, at most a line's size, from addr on. */
static inline void cpu_inst_touch(struct cpu_inst *in, uint64_t addr, uint32_t bytes, uint32_t line_shift)
{
	cpu_inst_add_line(in, addr >> line_shift);
	cpu_inst_add_line(in, (addr + bytes - 1) >> line_shift);
}

/* Where a core's instructions come from: a sequence of pieces of work (CTAs, loops of the host program), each begun by
 * its number. Pieces follow one another in one stream, so that distances may reach back into the one before. The first
 * member of a source's own struct.
 *
 * next: false: the piece has ended. Fields that *out does not need by its kind may be left as they are. */
struct cpu_feed {
	int (*begin)(struct cpu_feed *f, uint32_t launch, uint32_t piece, struct err *e);
	bool (*next)(struct cpu_feed *f, struct cpu_inst *out);
};

#endif
