/* The options of commands that prepare or run a program on a modelled machine: `locus run`, `cosim`, `cuda`, `plan`,
 * `footprint`, `profile` and `why`.
 *
 * Each group of options is an argp of its own, named after the step of a session (session/session.h) that reads it.
 * A command names the groups that it reads as children of its argp; it neither lists nor accepts the others, whose
 * members then keep their defaults.
 */
#ifndef HARNESS_CLI_MODEL_OPTIONS_H
#define HARNESS_CLI_MODEL_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "cli/machine_options.h"
#include "cli/program_options.h"
#include "session/session.h"

struct model_options {
	struct program_options from;
	struct machine_options on;
	const char *l1_index, *l2_index, *scheduler;
	/* policies with their settings (session/policy_choice.h) */
	const char *throttle, *l1_bypass, *l2_bypass, *l1_prefetch, *l1_pin, *l1_front;
	uint64_t max_cycles, max_insts, max_thread_insts;
	bool no_skip;
	uint32_t threads;		/* 0: as many as the host has cores */
	bool always_threads;		/* also where one is faster */
	const char *plan;		/* planners, or NULL */
	struct session_program program; /* for model_options_session */
};

/* Input of each: a struct model_options. */
extern const struct argp policies_argp;	  /* --scheduler, --throttle, --l1-*, --l2-*: read by the SMs and caches */
extern const struct argp plan_argp;	  /* --plan */
extern const struct argp limits_argp;	  /* --max-*: end the run of the model */
extern const struct argp simulation_argp; /* --threads, --no-skip: how the host steps the model */
enum { MODEL_GROUPS = 4 };
extern const struct argp model_argp; /* these, and those of machine_options: for a command that runs the model */

/* The session options point into `o`. The caller adds those of its own options. */
struct session_options model_options_session(struct model_options *o);

#endif
