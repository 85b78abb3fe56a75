/* A kernel's trace as the instructions of a CPU core: how the program's threads would run on the CPU.
 *
 * A CTA is one piece of work of a core. Its threads run one after another, as a compiler makes loops over threads of a
 * kernel: thread 0 from its begin to the first barrier, thread 1 likewise, ...; then all of them from there to the
 * next barrier. `simd` consecutive lanes of a warp run together: a warp instruction becomes one instruction for each
 * such group with a lane that executes it, which touches the lines of its lanes; simd = 1 is scalar code. What no lane
 * of the group executes does not appear.
 *
 * Dependences are those of the trace's registers, a set for each group; what a group left in registers before a
 * barrier is there after it. Latencies are the machine's cpu.int_latency, cpu.fp_latency and cpu.sfu_latency by
 * class; branches, barriers, fences and reads of parameters take a cycle. An atomic is a load and a store. Global,
 * constant and texture addresses are as in the trace; shared memory is a region of the core's own, local memory one of
 * the thread's, from `scratch` on. A trace has no values: what its stores store is not known (struct cpu_store).
 *
 * Source: coda, section 6.6 ("the same overall computational capability as the all NDP stacks"),
 * docs/explanation/cpu.md.
 */
#ifndef CSIM_CPU_KERNEL_STREAM_H
#define CSIM_CPU_KERNEL_STREAM_H

#include "base/arena.h"
#include "cpu/inst.h"
#include "machine/machine.h"
#include "trace/trace.h"

/* SLEEP: it owns an address record, and takes a cycle: nobody else is there for whom a thread could make room. */
enum kernel_act { KERNEL_ACT_NONE, KERNEL_ACT_ATOMIC, KERNEL_ACT_BARRIER, KERNEL_ACT_SLEEP };

struct kernel_op { /* a kernel's instruction */
	enum cpu_kind kind : 8;
	enum kernel_act act : 8;
	enum trace_space space : 8;
	uint8_t width, n_dst, n_src;
	uint16_t latency;
	uint16_t reg[TRACE_MAX_REGS]; /* written ones first */
};

struct kernel_code { /* a kernel */
	struct kernel_op *op;
	uint32_t *memory_before; /* by pc, and at the end: instructions with an address record before it */
	uint32_t n_regs, local_bytes, shared_bytes;
};

struct kernel_cursor {	    /* where a group is in its warp's stream */
	uint32_t run, done; /* instructions of the run that it has passed */
	uint32_t addr;
};

struct kernel_stream_stats {
	uint64_t thread_insts; /* lanes of the instructions fed to the core; an atomic counts once */
	uint64_t ctas;
};

struct kernel_stream {
	struct cpu_feed feed;
	struct trace *trace;
	const struct kernel_code *code; /* by kernel */
	uint32_t line_shift, simd;
	uint64_t shared_base, local_base; /* of this core */

	const struct kernel_code *now; /* of the CTA's kernel */
	struct trace_cta cta;
	uint32_t warps, groups, threads; /* groups: a warp */
	struct kernel_cursor *cursor;	 /* by warp * groups + group */
	uint32_t turn;			 /* the cursor whose turn it is */
	bool more;			 /* some group is at a barrier: there is another round */
	uint64_t number, group_began;	 /* instructions fed to the core; when the present group's turn began */
	uint64_t *writer;		 /* by register: the number of the instruction that wrote it last, + 1 */
	bool store_follows;		 /* the second half of an atomic: */
	struct cpu_inst store;
	struct kernel_stream_stats stats;
};

/* The code of all of the trace's kernels, by kernel. */
struct kernel_code *kernel_code_new(struct arena *a, const struct machine *m, const struct trace *t);

/* Bytes that a core needs from its scratch address on. */
uint64_t kernel_stream_scratch(const struct trace *t);

void kernel_stream_init(struct kernel_stream *k, struct arena *a, const struct machine *m, struct trace *t,
			const struct kernel_code *code, uint64_t scratch);
void kernel_stream_free(struct kernel_stream *k);

#endif
