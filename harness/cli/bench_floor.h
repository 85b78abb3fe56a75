/* How far the cycle model stands from the least that it must do: for `locus bench`. The floor is one pass over the
 * trace by itself: each CTA read once, each access coalesced into lines or bank cycles, and these counted. What the
 * model adds to that is time: who is where when. */
#ifndef HARNESS_CLI_BENCH_FLOOR_H
#define HARNESS_CLI_BENCH_FLOOR_H

#include "run/gpu.h"

struct bench_floor {
	double floor, model;	/* CPU seconds: the least of as many passes and runs, which take turns */
	uint64_t insts;		/* warp instructions of the trace */
	uint64_t lines, cycles; /* transactions at L1 and constant cache; bank cycles of shared memory */
};

int bench_floor_measure(const struct machine *m, struct trace *t, unsigned repeat, struct bench_floor *out, struct err *e);

#endif
