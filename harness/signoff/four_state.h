/* A scenario in Icarus, whose bits have four states: what nothing has set is x there, and an output that depends on it
 * is neither 0 nor 1. */
#ifndef HARNESS_SIGNOFF_FOUR_STATE_H
#define HARNESS_SIGNOFF_FOUR_STATE_H

#include "lockstep/scenario.h"
#include "signoff/findings.h"

/* Runs the first steps, and compares the outputs with the golden twin's; the first that differs is a finding. */
int four_state_check(const struct frontends *t, const struct scenario *s, uint64_t steps, struct signoff_findings *f,
		     struct err *e);

#endif
