/* What a profile costs: for `locus bench`. */
#ifndef HARNESS_CLI_BENCH_PROFILE_H
#define HARNESS_CLI_BENCH_PROFILE_H

#include "run/gpu.h"

/* CPU time of a run with a profile over that of one without: the least of `repeat` runs of either kind, which take
 * turns, since what disturbs a run makes it longer and never shorter. */
int bench_profile_ratio(const struct machine *m, struct trace *t, unsigned repeat, double *ratio, struct err *e);

#endif
