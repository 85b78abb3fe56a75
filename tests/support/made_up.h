/* A made-up program: kernels, launches and everything that their warps do, drawn at random from a seed and held in
 * plain arrays. It is fed to a trace writer, and what is read back is compared with the arrays. */
#ifndef TESTS_SUPPORT_MADE_UP_H
#define TESTS_SUPPORT_MADE_UP_H

#include "trace/trace.h"

struct made_up_addrs {
	uint32_t mask;
	uint64_t lane[TRACE_WARP_SIZE];
};
struct made_up_warp {
	struct trace_run *run; /* no two adjacent ones could be joined */
	struct made_up_addrs *addrs;
	uint32_t n_runs, n_addrs;
};
struct made_up {
	struct trace_kernel kernel[2];
	struct made_up_launch {
		uint32_t kernel, grid[3], block[3], shared, n_ctas, warps_per_cta;
		uint64_t warp_insts, thread_insts;
		struct made_up_warp *warp; /* of all CTAs */
	} launch[3];
	struct trace_store store[5];
	struct trace_copy copy[4];
	uint32_t n_copies;
	bool waits;		    /* launches 0 and 1 wait for none, launch 2 for launch 1 */
	struct trace_sync *sync[3]; /* NULL: none */
};

/* length: about how many runs a warp has. */
void made_up_init(struct made_up *m, uint64_t seed, uint32_t length);
/* Copies by the host, one of each kind, where there were none: the file has another format version. Before
 * made_up_record. */
void made_up_copy(struct made_up *m);
/* Launches that do not wait for all before them: likewise. */
void made_up_wait(struct made_up *m);
/* Accesses that order the warps of launches 0 and 2, if these access global or shared memory: likewise. */
void made_up_sync(struct made_up *m, uint64_t seed);
void made_up_free(struct made_up *m);
/* Cuts all addresses down to so many bits: for machines on which they are limited. Before made_up_record. */
void made_up_narrow(struct made_up *m, unsigned bits);
/* Writes all of it and finishes; fails the test on an error. */
struct trace *made_up_record(const struct made_up *m, const struct trace_options *o);
/* The tables agree; and every launch's CTAs, read in an order drawn from `seed`. */
void made_up_expect(const struct made_up *m, struct trace *t, uint64_t seed);
/* Both are NULL, or the same but for `moved`, which was added to the addresses in global memory. */
void made_up_expect_sync(const struct trace_sync *want, const struct trace_sync *got, uint32_t n_ctas, uint64_t moved);
void made_up_expect_cta(const struct made_up *m, struct trace *t, uint32_t launch, uint32_t cta, struct trace_cta *scratch);

#endif
