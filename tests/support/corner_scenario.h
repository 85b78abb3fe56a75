/* Corner stimulus (corner_stimulus.h) as the steps of a scenario: what lockstep compares without the model. */
#ifndef TESTS_SUPPORT_CORNER_SCENARIO_H
#define TESTS_SUPPORT_CORNER_SCENARIO_H

#include "lockstep/scenario.h"

/* Appends steps; s has its block and parameters, scenario_init() has run. */
void corner_scenario_fill(struct scenario *s, uint64_t seed, unsigned steps);

/* Whether twin and RTL agree in such steps when every bit of the RTL's registers is random before the first reset. Ends
 * the test if they do not. */
void corner_scenario_agrees_from_any_start(const struct hw_block *b, const void *params, uint64_t seed);

#endif
