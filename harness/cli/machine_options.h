/* The options of every command that builds a machine: which machine, with which changes, and where a result goes.
 *
 * Each group of options is an argp of its own, which a command names as a child with a struct machine_options as its
 * input. Every error is one line that names option, file or key.
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

extern const struct argp machine_argp; /* --machine, --set */
extern const struct argp json_argp;    /* --json */

/* It points into `o`. */
struct machine_choice machine_options_choice(const struct machine_options *o);

/* Whether two KEY=VALUE have one key. */
bool machine_options_same_key(const char *one, const char *other);
/* Whether a --set has the key. */
bool machine_options_sets(const struct machine_options *o, const char *key);

/* Reads the machine and applies --set in order. Not yet resolved: the caller may have changes of its own. */
int machine_options_load(const struct machine_options *o, struct machine *m, struct err *e);

/* Takes in one KEY=VALUE of an option that may be given `max` times. */
void machine_options_push(struct argp_state *state, const char *option, const char **list, unsigned *n, unsigned max,
			  const char *text);

#endif
