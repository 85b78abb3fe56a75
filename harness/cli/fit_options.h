/* How the Verilog of --rtl is connected, on the command line of every command that takes it: an argp of their own. */
#ifndef HARNESS_CLI_FIT_OPTIONS_H
#define HARNESS_CLI_FIT_OPTIONS_H

#include <argp.h>

#include "bind/fit.h"

struct fit_options {
	struct bind_fit fit;
	struct err e; /* the first bad option value */
};

extern const struct argp fit_options_argp;

/* Whether one of the options was given. */
static inline bool fit_options_given(const struct fit_options *o)
{
	return o->fit.n || o->fit.dirs[0];
}

#endif
