/* The long steps of a command: with progress on stderr (process/progress.h), and the run of the model cut short by a
 * signal (process/interrupt.h), which leaves a result up to there. In the other steps a signal ends the program:
 * nothing of theirs is worth keeping.
 */
#ifndef HARNESS_SESSION_STEPS_H
#define HARNESS_SESSION_STEPS_H

#include "run/gpu.h"
#include "workload/source.h"
#include "plan/planner.h"

/* source_open. */
int step_source(struct source *s, const struct source_options *o, struct err *e);

/* planner_make; text: NULL, of several programs that no planner places. */
int step_plan(struct plan *p, const char *text, const struct planner_request *req, struct err *e);

/* gpu_run, gpu_run_sampled or cpu_run; c without progress and stop. */
typedef int step_run_fn(const struct gpu_config *c, struct gpu_result *r, struct err *e);
int step_run(const struct gpu_config *c, step_run_fn *run, struct gpu_result *r, struct err *e);

#endif
