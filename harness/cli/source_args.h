/* What to execute or open, on the command line of subcommands that need no machine: a workload with its size and
 * options, a launch file, a recorded or imported trace. */
#ifndef HARNESS_CLI_SOURCE_ARGS_H
#define HARNESS_CLI_SOURCE_ARGS_H

#include <argp.h>

#include "workload/source.h"

struct source_args { /* zero-initialise */
	struct source_options source;
	const char **list; /* --arg */
};

extern const struct argp source_args_argp; /* its input: a struct source_args */

/* source_open; the arguments are freed in any case. */
int source_args_open(struct source_args *a, struct source *s, struct err *e);

#endif
