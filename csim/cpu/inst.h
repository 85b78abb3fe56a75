/* An instruction as a host core sees it, and where a core's instructions come from.
 *
 * A host core replays a stream: it needs to know of an instruction which earlier ones it waits for, how long it computes, and which
 * lines it touches. Sources are told as distances: back[k] = 3 waits for the result of the third instruction before. Distances
 * that reach beyond what the core still holds wait for nothing.
 *
 * A vector instruction (host.simd lanes) is one instruction that touches several lines; each line is named once.
 */
#ifndef CSIM_CPU_INST_H
#define CSIM_CPU_INST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/panic.h"
#include "trace/inst.h"

/* A fence retires when all stores before it are in the caches; at a tracked store port it also carries a command
 * (cpu/store_tracker.h). */
enum cpu_kind { CPU_COMPUTE, CPU_LOAD, CPU_STORE, CPU_FENCE };

/* 32 lanes whose accesses each cross a line. */
enum { CPU_MAX_SOURCES = TRACE_MAX_REGS, CPU_MAX_LINES = 64 };

struct cpu_inst {
	enum cpu_kind kind : 8;
	uint8_t n_back, n_lines;
	uint16_t latency; /* of CPU_COMPUTE: cycles from operands to result, >= 1 */
	uint32_t back[CPU_MAX_SOURCES];
	uint64_t line[CPU_MAX_LINES]; /* of a load or store: virtual address >> log2(host.line); at least one */
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

/* Where a core's instructions come from: a sequence of pieces of work (CTAs, loops of the host program), each begun by its number.
 * Pieces follow one another in one stream, so that distances may reach back into the one before. */
struct cpu_feed {
	void *ctx;
	int (*begin)(void *ctx, uint32_t launch, uint32_t piece, struct err *e);
	bool (*next)(void *ctx, struct cpu_inst *out); /* false: the piece has ended */
};

#endif
