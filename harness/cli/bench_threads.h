/* What host threads buy: for `locus bench`. */
#ifndef HARNESS_CLI_BENCH_THREADS_H
#define HARNESS_CLI_BENCH_THREADS_H

#include "run/gpu.h"

struct bench_threads {
	uint32_t threads;    /* as many as the host has cores, at most four */
	double faster;	     /* wall time of a run by one thread over that of one by so many */
	double side_by_side; /* the runs that so many processes end, each by one thread, while one alone ends one */
};

/* The least of `repeat` wall times each, which take turns. Fails also if the two runs' cycles differ. */
int bench_threads_measure(const struct machine *m, struct trace *t, unsigned repeat, struct bench_threads *out, struct err *e);

#endif
