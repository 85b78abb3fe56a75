/* What `locus run`, `cosim`, `plan` and `footprint` have in common on the command line: what to run, on which machine,
 * with which changes.
 *
 * The options are an argp of their own; a subcommand names it as its child and hands it a struct model_options as the
 * child's input. They then become the options of a session (session/session.h).
 */
#ifndef HARNESS_CLI_MODEL_OPTIONS_H
#define HARNESS_CLI_MODEL_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "cli/machine_options.h"
#include "session/session.h"

enum { MODEL_MAX_ARGS = 64 };

struct model_options {
	const char *what; /* workload, launch file, trace or Accel-Sim trace */
	struct machine_options on;
	const char *size;
	const char *arg[MODEL_MAX_ARGS];
	unsigned n_args;
	const char *l1_index, *l2_index, *scheduler;
	/* policies with their settings (session/policy_choice.h) */
	const char *throttle, *l1_bypass, *l2_bypass, *l1_prefetch, *l1_pin, *l1_front;
	uint64_t max_cycles, max_insts, max_thread_insts;
	bool no_skip, print;
	uint32_t threads;    /* 0: as many as the host has cores */
	bool always_threads; /* also where one is faster */
	enum ptx_oob oob;
	const char *plan; /* planners, or NULL */
	struct accelsim_options accelsim;
	struct session_program program; /* for model_options_session */
};

extern const struct argp model_options_argp;

/* They point into `o`. What a subcommand has beside is its own to add. */
struct session_options model_options_session(struct model_options *o);

#endif
