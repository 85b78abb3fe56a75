/* Programs whose warps wait for one another, written by hand: a launch of CTAs, each warp a list of steps in the order
 * in which the program was executed. */
#ifndef TESTS_SUPPORT_WAITS_RIG_H
#define TESTS_SUPPORT_WAITS_RIG_H

#include "run/gpu_impl.h"

enum { WAITS_RIG_MAX = 4096, WAITS_RIG_CTAS = 256 };

/* Instructions of the kernel, which steps issue. A wait is LOAD, TEST, BRANCH; an attempt that fails repeats
 * all three. */
enum waits_rig_pc {
	RIG_LOAD,
	RIG_TEST,
	RIG_BRANCH,
	RIG_STORE,
	RIG_ADD,
	RIG_WORK,
	RIG_FENCE,
	RIG_EXIT,
	RIG_LOAD_SHARED,
	RIG_TEST_SHARED,
	RIG_BRANCH_SHARED,
	RIG_STORE_SHARED,
	RIG_BARRIER,
	RIG_SLEEP,
	RIG_INSTS
};

struct waits_rig {
	uint32_t ctas, warps;
	struct trace_sync sync;
	struct trace_sync_word word[WAITS_RIG_MAX];
	struct trace_sync_item item[2 * WAITS_RIG_MAX];
	struct trace_run tail[2];
	uint32_t sleep[WAITS_RIG_MAX];
	struct trace_sync_access access[WAITS_RIG_MAX];
	uint32_t cta_of[WAITS_RIG_MAX]; /* of each access */
	uint32_t records[WAITS_RIG_CTAS][TRACE_MAX_WARPS];
	uint32_t n_steps;
	struct waits_rig_step {
		uint32_t cta, warp, pc, len, lanes;
		uint64_t addr[TRACE_WARP_SIZE];
	} step[WAITS_RIG_MAX];
};

struct waits_rig *waits_rig_new(uint32_t ctas, uint32_t warps);

/* A word that is modified: of global memory, or, with its CTA, of shared memory. Returns its number. */
uint32_t waits_rig_word(struct waits_rig *r, uint64_t addr, uint32_t cta);

/* Steps of a warp. Work: so many instructions, each of which waits for the one before. */
void waits_rig_work(struct waits_rig *r, uint32_t cta, uint32_t warp, uint32_t n);
void waits_rig_op(struct waits_rig *r, uint32_t cta, uint32_t warp, enum waits_rig_pc pc);
/* Its first lane sleeps so long (ns), the others half as long. */
void waits_rig_sleep(struct waits_rig *r, uint32_t cta, uint32_t warp, uint64_t ns);
/* Its store, or atomic, is the word's next modification. */
void waits_rig_store(struct waits_rig *r, uint32_t cta, uint32_t warp, uint32_t word);
void waits_rig_add(struct waits_rig *r, uint32_t cta, uint32_t warp, uint32_t word);
/* Waits until the word has had as many modifications as steps so far have made; of `need`. */
void waits_rig_wait(struct waits_rig *r, uint32_t cta, uint32_t warp, uint32_t word);
void waits_rig_wait_for(struct waits_rig *r, uint32_t cta, uint32_t warp, uint32_t word, uint32_t need);
/* Attempts of the wait that came last sleep so long when they have failed. */
void waits_rig_back_off(struct waits_rig *r, const uint32_t *ns, uint32_t n);
/* An atomic that waits until all modifications so far have been performed, and is the next one. */
void waits_rig_lock(struct waits_rig *r, uint32_t cta, uint32_t warp, uint32_t word);
/* A loop of two loads: neither leaves it before the other has seen what it waits for. */
void waits_rig_wait_for_both(struct waits_rig *r, uint32_t cta, uint32_t warp, uint32_t a, uint32_t b);
/* A load that waits for n words of global memory, each by a lane of its own. */
void waits_rig_wait_for_all(struct waits_rig *r, uint32_t cta, uint32_t warp, const uint32_t *word, uint32_t n);

/* Ends all warps: the trace. Frees the rig. */
struct trace *waits_rig_end(struct waits_rig *r);

/* A program with all of them: 12 CTAs of 4 warps. */
struct trace *waits_rig_program(void);

/* Runs it, which must keep the invariants; returns the metrics as JSON, which names the run's cycles too. */
char *waits_rig_run(const struct gpu_config *c);
/* A metric of them. */
double waits_rig_metric(const char *metrics, const char *name);

#endif
