/* What `locus run` and `locus cosim` have in common on the command line: what to run, on which machine, with which changes.
 *
 * The options are an argp of their own; a subcommand names it as its child and hands it a struct model_options as the child's
 * input. The two functions then make a resolved machine and a trace of it; every error is one line that names option, file or key.
 */
#ifndef HARNESS_CLI_MODEL_OPTIONS_H
#define HARNESS_CLI_MODEL_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "cli/machine_options.h"
#include "workload/source.h"
#include "machine/machine.h"
#include "plan/planner.h"

enum { MODEL_MAX_ARGS = 64 };

struct model_options {
	const char *what; /* workload, launch file, trace or Accel-Sim trace */
	struct machine_options on;
	const char *size;
	const char *arg[MODEL_MAX_ARGS];
	unsigned n_args;
	const char *l1_index, *l2_index, *scheduler;
	const char *throttle, *l1_bypass, *l2_bypass, *l1_prefetch; /* policies with their settings (cli/policy_options.h) */
	uint64_t max_cycles, max_insts;
	bool no_skip, print;
	const char *plan; /* planners, or NULL */
	bool taf;	  /* the program's TAFE calls are kept even if no planner wants them */
	bool analyse;	  /* the PTX is analysed even if no planner wants it */
	struct accelsim_options accelsim;
};

extern const struct argp model_options_argp;

/* Reads the machine, applies --set in order, then --l1-index, --l2-index, --scheduler and the policies, and checks
 * it. */
int model_options_machine(const struct model_options *o, struct machine *m, struct err *e);

/* Executes the workload or launch file, or opens the trace. Before that, --plan is checked. */
int model_options_source(const struct model_options *o, const struct machine *m, struct source *s, struct err *e);

/* Makes the plan that --plan asks for; *p is NULL if it asks for none. All of it lies in the arena. extents: what a tracker made of
 * the program's stores; NULL: what the software tracker makes of them. */
int model_options_plan(const struct model_options *o, const struct machine *m, const struct source *s,
		       const struct taf_memory *extents, struct arena *a, const struct plan **p, struct err *e);

#endif
