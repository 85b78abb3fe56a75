/* How hardware blocks are bound to Verilog, on the command line of `locus cosim` and `locus cuda`: an argp of their
 * own, which a subcommand names as its child. */
#ifndef HARNESS_CLI_HW_OPTIONS_H
#define HARNESS_CLI_HW_OPTIONS_H

#include <argp.h>
#include <stdbool.h>

#include "cli/fit_options.h"
#include "lockstep/cosim.h"

struct hw_options {
	struct cosim_options hw;
	struct fit_options fit;
	bool x_init_given;
	struct err e; /* the first bad option value */
};

extern const struct argp hw_options_argp;

/* Ahead of parsing: all blocks in lockstep, waves of the first cycles. */
void hw_options_init(struct hw_options *o);

#endif
