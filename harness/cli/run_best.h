/* `locus run ... --throttle swt:best[=DIR]`: the search for the best static limit of each kernel, ahead of the run with
 * what it has found. */
#ifndef HARNESS_CLI_RUN_BEST_H
#define HARNESS_CLI_RUN_BEST_H

#include <stdbool.h>

#include "limits/limit_search.h"

/* Whether --throttle's text asks for it. *dir: where the search keeps its results. */
bool run_best_is_wanted(const char *throttle, const char **dir);

/* argc, argv: of the command; o: its options, whose throttle it replaces by text in `schedule`. */
int run_best(int argc, char **argv, struct session_options *o, const char *dir, char schedule[LIMIT_SCHEDULE], struct err *e);

#endif
