/* The steps that mutants of a block's Verilog are run with: for each block the random stimulus of its own lockstep
 * tests, which keeps to its protocol for the most part and resets the block now and then. Beside it stands that of any
 * block, support/corner_scenario.h. */
#ifndef TESTS_MUTATION_STIMULI_H
#define TESTS_MUTATION_STIMULI_H

#include "base/alloc.h"
#include "lockstep/scenario.h"

/* Appends about so many steps. Returns false if the block has no stimulus of its own. */
bool stimulus_own(struct scenario *s, uint64_t seed, uint64_t steps);

#endif
