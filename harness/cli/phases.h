/* The long phases of a command, as every subcommand goes through them: with progress on stderr (process/progress.h), and the run of
 * the model cut short by a signal (process/interrupt.h), which leaves a result up to there. In the other phases a signal ends the
 * program: nothing of theirs is worth keeping.
 */
#ifndef HARNESS_CLI_PHASES_H
#define HARNESS_CLI_PHASES_H

#include "run/gpu.h"
#include "workload/source.h"
#include "plan/planner.h"

/* source_open. */
int phase_source(struct source *s, const struct source_options *o, struct err *e);

/* planner_make. */
int phase_plan(struct plan *p, const char *text, struct plan_ask *ask, struct err *e);

/* gpu_run or cpu_run; c without progress and stop. */
typedef int phase_run_fn(const struct gpu_config *c, struct gpu_result *r, struct err *e);
int phase_run(const struct gpu_config *c, phase_run_fn *run, struct gpu_result *r, struct err *e);

#endif
