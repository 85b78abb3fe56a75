/* The sign-off of a user's Verilog for a block: what three front ends warn of, whether it agrees with the golden twin
 * from random initial values on, and whether it does so with four states.
 *
 * The front ends read the wrapper of the block's library (bind/wrap.h) with the user's files, so that ports and
 * parameters are as in a co-simulation; what they say about the wrapper alone does not count.
 */
#ifndef HARNESS_SIGNOFF_SIGNOFF_H
#define HARNESS_SIGNOFF_SIGNOFF_H

#include <stdio.h>

#include "lockstep/scenario.h"

struct signoff_request {
	const struct hw_block *block;
	const void *params;
	const char *rtl; /* bind_request.rtl */
	const struct bind_fit *fit;
	uint64_t x_init;      /* seed of the first run; each next one has the next seed */
	uint64_t steps;	      /* of each run in lockstep, >= 1 */
	uint64_t four_states; /* steps of the run with four states, at most `steps` */
};
enum { SIGNOFF_RUNS = 4 };

/* Checks, and prints one page. Returns the number of findings, or -1 with what cannot be used. */
int signoff_run(const struct signoff_request *q, FILE *to, struct err *e);

#endif
