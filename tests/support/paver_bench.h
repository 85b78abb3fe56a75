/* A bench for PAVER's hardware: a memory with the group table and the CTA list that answers late, in any order, and
 * holds requests up; SMs whose CTAs run for a time and that are not always ready; and a scoreboard.
 *
 * The scoreboard fails the test if a CTA is issued twice, if an entry of either table is read twice or is outside it,
 * or if a launch does not end in time; paver_bench_run() also if one is never issued.
 */
#ifndef TESTS_SUPPORT_PAVER_BENCH_H
#define TESTS_SUPPORT_PAVER_BENCH_H

#include "hw/twins/paver.h"

enum { PAVER_BENCH_CONTEXTS = 32, PAVER_BENCH_LOG = 1 << 16 };

/* Groups one after the other: group g is entries first[g] to first[g + 1] - 1 of the CTA list. */
struct paver_launch {
	uint32_t n_groups;
	uint32_t first[PAVER_BENCH_LOG];
	uint32_t cta[PAVER_BENCH_LOG];
	bool steal;
};

struct paver_issue {
	uint32_t cta, sm;
	uint64_t cycle; /* in which it was taken */
	bool stolen;
};

struct paver_bench {
	struct paver_port port;
	uint64_t cycle, seed;
	unsigned latency;	    /* a response comes 1 to 1 + latency cycles after its request, */
	bool fixed;		    /* or always latency + 1 */
	unsigned stall_in;	    /* a request waits one cycle in so many, 2 or more; 0: never */
	unsigned hold_in;	    /* so does an SM that has a free context */
	unsigned contexts;	    /* of an SM */
	unsigned run_min, run_more; /* a CTA runs run_min to run_min + run_more cycles; run_min 0: indefinitely */
	bool skip;		    /* leave out the cycles that may be left out */
	const struct paver_launch *launch;
	struct paver_in in;
	struct paver_out out; /* of the last step, before its edge */
	struct {
		bool busy;
		uint64_t due, data;
	} read[PAVER_MAX_SMS];				    /* by tag */
	uint64_t ends[PAVER_MAX_SMS][PAVER_BENCH_CONTEXTS]; /* of the CTAs that run; 0: the context is free */
	bool thief[PAVER_MAX_SMS];
	uint8_t *list_read, *group_read, *issued; /* how often */
	uint32_t n_issued;
	struct paver_issue *log;
	uint64_t steals, moved, steps;			       /* events; cycles that were not left out */
	void (*watch)(void *ctx, const struct paver_bench *b); /* after each step, if set */
	void *watch_ctx;
};

void paver_bench_init(struct paver_bench *b, struct paver_port port, uint64_t seed);
void paver_bench_free(struct paver_bench *b);
uint64_t paver_bench_random(struct paver_bench *b);

/* A launch of groups of these sizes; CTA numbers ascend, or are shuffled. */
void paver_launch_make(struct paver_launch *l, uint32_t n_groups, const uint32_t *size, bool steal);
void paver_launch_shuffle(struct paver_launch *l, struct paver_bench *b);

void paver_bench_step(struct paver_bench *b);
/* Hands the launch over; returns in the cycle after it was taken. */
void paver_bench_begin(struct paver_bench *b, const struct paver_launch *l);
/* The whole launch, to the last CTA and until nothing is on its way. */
void paver_bench_run(struct paver_bench *b, const struct paver_launch *l);

#endif
