/* CPU cores on a bench: a list of instructions for each core, the L3, and a memory that answers every packet after a
 * fixed time.
 *
 * The questions are: how many cycles did it take, what was counted, what went to memory when. The machine has one core
 * with room for everything, 64-byte lines, L1 4, L2 14, L3 40 cycles, memory 200; a test changes `m` before
 * cpu_bench_play().
 */
#ifndef TESTS_SUPPORT_CPU_BENCH_H
#define TESTS_SUPPORT_CPU_BENCH_H

#include "cpu/core.h"
#include "cpu/l3.h"
#include "machine/machine.h"

enum { CPU_BENCH_CORES = 8, CPU_BENCH_INSTS = 1 << 16, CPU_BENCH_SENT = 1 << 16 };

struct cpu_list { /* what a core runs */
	struct cpu_feed feed;
	struct cpu_inst *inst;
	uint32_t n, at;
};

struct cpu_bench {
	struct arena arena;
	struct machine m;
	uint64_t memory_cycles;	     /* CPU cycles from a packet's departure to its reply's arrival */
	struct cpu_store_hook *hook; /* of core 0; NULL: none */
	bool reverse;		     /* step L3 and cores the other way round */
	struct cpu_list list[CPU_BENCH_CORES];

	struct cpu_l3 l3;
	struct cpu_core core[CPU_BENCH_CORES];
	struct cta_start_queue start[CPU_BENCH_CORES];
	struct cta_done_queue done[CPU_BENCH_CORES];
	struct mem_req_queue out, in;
	struct cpu_l3_port port;
	struct ticks next[CPU_BENCH_CORES + 1];
	struct ticks now;
	uint64_t in_blocks[CPU_BENCH_CORES]; /* instructions of blocks beside the last ones */
	uint64_t cycles[CPU_BENCH_CORES];    /* the cycle in which the core sent its done message */
	struct mem_req sent[CPU_BENCH_SENT];
	uint64_t sent_at[CPU_BENCH_SENT]; /* CPU cycles */
	uint32_t n_sent;
};

/* set: "key=value"s beside those above, ended by NULL; or NULL. */
struct cpu_bench *cpu_bench_new(const char *const *set);
void cpu_bench_free(struct cpu_bench *b);

/* Appends to a core's list. back: distance to the source, 0 none. */
void cpu_bench_compute(struct cpu_bench *b, unsigned core, uint32_t latency, uint32_t back);
void cpu_bench_block(struct cpu_bench *b, unsigned core, uint32_t insts); /* >= 1, played once */
void cpu_bench_load(struct cpu_bench *b, unsigned core, uint64_t addr, uint32_t back);
void cpu_bench_store(struct cpu_bench *b, unsigned core, uint64_t addr, uint32_t back);

/* For core 0, which has a hook: a store that says what it stores, a fence with a command (0: none). */
void cpu_bench_store_value(struct cpu_bench *b, struct cpu_store s, uint32_t back);
void cpu_bench_fence(struct cpu_bench *b, uint32_t command);
void cpu_bench_flush(struct cpu_bench *b); /* a fence that flushes */

/* Every core runs its list (from cycle 0) until all have ended and nothing is on its way. May be called again for
 * another round, which begins at the tick where the last one ended; cycles are then counted from that begin. Checks
 * the invariants of all parts. */
void cpu_bench_play(struct cpu_bench *b);

/* Forgets the lists, keeps the caches. */
void cpu_bench_clear(struct cpu_bench *b);

#endif
