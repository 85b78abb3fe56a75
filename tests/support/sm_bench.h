/* One SM on a bench: a hand-made kernel, hand-made warps, and a memory that answers every request after a fixed time.
 *
 * What is built is described in a few calls; bench_run() plays it to the end and notes each issue. The questions are
 * then: in which cycle did warp w issue its i-th instruction. The machine is gtx480 unless a test changes `m` before
 * bench_run.
 */
#ifndef TESTS_SUPPORT_SM_BENCH_H
#define TESTS_SUPPORT_SM_BENCH_H

#include "sm/pipeline.h"
#include "sm/sm.h"
#include "machine/machine.h"
#include "noc/request.h"
#include "trace/trace.h"

enum { BENCH_MAX_INSTS = 256, BENCH_MAX_ISSUES = 1 << 16, BENCH_MAX_CTAS = 64 };

struct bench_issue {
	uint64_t cycle;
	uint32_t slot, pc, scheduler;
};

struct bench {
	struct machine m;
	uint64_t memory_ticks;		      /* from a request's departure to its reply's arrival; default 100 core
					       * cycles */
	const struct warp_throttle *throttle; /* in place of the machine's; NULL: the machine's */
	bool profiled;			      /* the SM counts by instruction (sm/profile.h) */
	const struct pipeline_filter *piped;  /* and logs its pipeline (sm/pipeline.h); NULL: not */
	const struct path_filter *traced;     /* and logs paths of loads (sm/path.h); NULL: not */
	uint64_t closed_until;		      /* core cycle before which the memory takes nothing from the network's
					       * queue of 8 */
	struct trace_kernel kernel;
	struct trace_inst inst[BENCH_MAX_INSTS];
	struct trace_writer *w;
	struct trace *trace;

	struct arena arena;
	struct cta_start_queue start;
	struct cta_done_queue done;
	struct mem_req_queue out, in;
	struct core_kernel core;
	struct sm sm;
	struct pipeline_log pipeline;
	struct bench_issue issue[BENCH_MAX_ISSUES];
	unsigned n_issues, n_done, n_ctas, n_begun;
	uint64_t done_at[BENCH_MAX_CTAS]; /* core cycle of the done message's arrival */
	struct mem_req sent[1024];
	uint64_t sent_at[1024]; /* ticks */
	unsigned n_sent;
	struct ticks next; /* when the SM must be stepped; lowered by its queues */
	uint64_t cycles;
};

struct bench *bench_new(void);
void bench_free(struct bench *b);

/* Appends an instruction; returns its pc. dst, src: register numbers, -1 for none. */
uint32_t bench_op(struct bench *b, enum trace_op op, int dst, int src0, int src1);
uint32_t bench_load(struct bench *b, enum trace_space space, unsigned width, int dst, int addr_reg);
uint32_t bench_store(struct bench *b, enum trace_space space, unsigned width, int value_reg, int addr_reg);

/* After the instructions. Then for each CTA bench_cta(), and bench_exec() and bench_addrs() for its warps; at the end
 * bench_play().
 */
void bench_launch(struct bench *b, unsigned ctas, unsigned warps);
void bench_cta(struct bench *b); /* begins the next one */
void bench_exec(struct bench *b, unsigned warp, uint32_t pc, uint32_t len, uint32_t mask);
void bench_addrs(struct bench *b, unsigned warp, uint64_t base, int64_t stride); /* of all 32 lanes */

/* Sends a CTA a cycle from cycle 0 on, as many as `limit` at a time, and runs until all are done. */
void bench_play(struct bench *b, unsigned limit);

/* The core cycle in which the warp in `slot` issued its n-th instruction (from 0). CTA 0 arrives in cycle 0. */
uint64_t bench_issued(const struct bench *b, unsigned slot, unsigned n);

#endif
