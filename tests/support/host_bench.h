/* Host cores on a bench: a list of instructions for each core, the L3, and a memory that answers every packet after a fixed time.
 *
 * The questions are: how many cycles did it take, what was counted, what went to memory when. The machine has one core with room
 * for everything, 64-byte lines, L1 4, L2 14, L3 40 cycles, memory 200; a test changes `m` before host_bench_play().
 */
#ifndef TESTS_SUPPORT_HOST_BENCH_H
#define TESTS_SUPPORT_HOST_BENCH_H

#include "cpu/core.h"
#include "cpu/l3.h"
#include "machine/machine.h"

enum { HOST_BENCH_CORES = 8, HOST_BENCH_INSTS = 1 << 16, HOST_BENCH_SENT = 1 << 16 };

struct host_list { /* what a core runs */
	struct cpu_inst *inst;
	struct store_tracker_store *told;    /* what the tracking hardware is told of a store, by instruction */
	struct store_tracker_command *fence; /* of a fence */
	struct store_tracker *tafe;	     /* of core 0, or NULL */
	uint32_t n, at;
};

struct host_bench {
	struct arena arena;
	struct machine m;
	uint64_t memory_cycles;	    /* host cycles from a packet's departure to its reply's arrival */
	struct store_tracker *tafe; /* at core 0's store port; NULL: none */
	bool reverse;		    /* step L3 and cores the other way round */
	struct host_list list[HOST_BENCH_CORES];

	struct cpu_l3 l3;
	struct cpu_core core[HOST_BENCH_CORES];
	struct cta_start_queue start[HOST_BENCH_CORES];
	struct cta_done_queue done[HOST_BENCH_CORES];
	struct mem_req_queue out, in;
	struct cpu_l3_port port;
	struct ticks next[HOST_BENCH_CORES + 1];
	struct ticks now;
	uint64_t cycles[HOST_BENCH_CORES]; /* the cycle in which the core sent its done message */
	struct mem_req sent[HOST_BENCH_SENT];
	uint64_t sent_at[HOST_BENCH_SENT]; /* host cycles */
	uint32_t n_sent;
};

/* set: "key=value"s beside those above, ended by NULL; or NULL. */
struct host_bench *host_bench_new(const char *const *set);
void host_bench_free(struct host_bench *b);

/* Appends to a core's list. back: distance to the source, 0 none. */
void host_bench_compute(struct host_bench *b, unsigned core, uint32_t latency, uint32_t back);
void host_bench_load(struct host_bench *b, unsigned core, uint64_t addr, uint32_t back);
void host_bench_store(struct host_bench *b, unsigned core, uint64_t addr, uint32_t back);

/* What the tracking hardware sees of a store: its address, a value and 1 << size bytes. */
void host_bench_tracked(struct host_bench *b, uint64_t addr, uint64_t value, uint32_t size);
void host_bench_fence(struct host_bench *b, struct store_tracker_command command);

/* Every core runs its list (from cycle 0) until all have ended and nothing is on its way. May be called again for another round,
 * which begins at the tick where the last one ended; cycles are then counted from that begin. Checks the invariants of all parts.
 * */
void host_bench_play(struct host_bench *b);

/* Forgets the lists, keeps the caches. */
void host_bench_clear(struct host_bench *b);

#endif
