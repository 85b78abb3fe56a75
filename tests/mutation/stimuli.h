/* The steps that mutants of a block's Verilog are run with: for each block the random stimulus of its own lockstep
 * tests, which keeps to its protocol for the most part; and one for any block, all inputs at random. Both reset the
 * block now and then. */
#ifndef TESTS_MUTATION_STIMULI_H
#define TESTS_MUTATION_STIMULI_H

#include "lockstep/scenario.h"

/* Appends about so many steps. Returns false if the block has no stimulus of its own. */
bool stimulus_own(struct scenario *s, uint64_t seed, uint64_t steps);

/* Each input field takes its values in one manner for some steps, then in another: any, 0 mostly, all ones mostly, one
 * more than before, a few small ones, or as it was. */
void stimulus_free(struct scenario *s, uint64_t seed, uint64_t steps);

#endif
