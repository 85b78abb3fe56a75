/* Random steps of any block, from its list of input fields alone: each value is a corner of its field, one beside the
 * last value, or any; inputs of one bit are high at a rate that lasts for some tens of steps. No protocol is kept. The
 * same block, parameters and seed give the same steps. */
#ifndef HARNESS_SIGNOFF_STEPS_H
#define HARNESS_SIGNOFF_STEPS_H

#include "lockstep/scenario.h"

/* Appends steps to s, the first one and some later ones a reset. */
void steps_fill(struct scenario *s, uint64_t seed, uint64_t steps);

#endif
