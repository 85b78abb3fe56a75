/* What every command that builds a machine has on its command line: which machine, with which changes, and where a
 * result goes.
 *
 * The options are an argp of their own; whoever wants them names it as a child and hands it a struct machine_options as
 * the child's input. Every error is one line that names option, file or key.
 */
#ifndef HARNESS_CLI_MACHINE_OPTIONS_H
#define HARNESS_CLI_MACHINE_OPTIONS_H

#include <argp.h>

#include "base/err.h"
#include "session/machine_choice.h"

enum { MACHINE_MAX_SETS = 64 };

struct machine_options {
	const char *machine; /* name or path; NULL: gtx480 */
	const char *json;    /* path, or NULL */
	const char *set[MACHINE_MAX_SETS];
	unsigned n_sets;
};

extern const struct argp machine_options_argp;
extern const struct argp machine_argp; /* the same without --json, for a command that prints its lines and has no result
				        * to write */

/* It points into `o`. */
struct machine_choice machine_options_choice(const struct machine_options *o);

/* Reads the machine and applies --set in order. Not yet resolved: the caller may have changes of its own. */
int machine_options_load(const struct machine_options *o, struct machine *m, struct err *e);

/* Takes in one KEY=VALUE of an option that may be given `max` times. */
void machine_options_push(struct argp_state *state, const char *option, const char **list, unsigned *n, unsigned max,
			  const char *text);

#endif
