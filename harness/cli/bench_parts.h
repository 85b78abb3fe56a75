/* Which parts of a machine one host thread spends its time in, for `locus bench`: what can go on side by side, and what
 * bounds that. */
#ifndef HARNESS_CLI_BENCH_PARTS_H
#define HARNESS_CLI_BENCH_PARTS_H

#include "run/gpu.h"

enum { BENCH_PARTS_MAX = 12 };

struct bench_parts {
	unsigned n;
	struct bench_part {
		const char *name;
		double share; /* of the time of a run */
	} part[BENCH_PARTS_MAX];
};

/* By looks from another thread, some thousands in a second. The last part is the loop itself. */
int bench_parts_measure(const struct machine *m, struct trace *t, struct bench_parts *out, struct err *e);

#endif
