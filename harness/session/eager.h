/* The cycle model while a CUDA program runs: how long the launches so far took, for the times of its events. As the run
 * at the end will be, but for what that has beside: a plan, blocks in Verilog, records. */
#ifndef HARNESS_SESSION_EAGER_H
#define HARNESS_SESSION_EAGER_H

#include "base/err.h"
#include "machine/machine.h"
#include "trace/trace.h"

/* end_ns: nanoseconds from the first launch's begin to the end of each. */
int eager_time(const struct machine *m, struct trace *t, double *end_ns, struct err *e);

#endif
