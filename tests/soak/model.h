/* Whole models in lockstep: programs, machines and mechanisms drawn from a seed and run by `locus cosim`, all blocks of
 * the machine compared in every step, until so many minutes have been run.
 *
 * Half of the programs are made up (support/made_up.h), half are workloads of test size. A seed is a command; one that
 * the program refuses in a line, since what was drawn does not go together, counts apart. Each adds a line to
 * FOLDER/model: seed, whether it was refused, steps compared, seconds. A call goes on with the seed after the last.
 */
#ifndef TESTS_SOAK_MODEL_H
#define TESTS_SOAK_MODEL_H

#include <stdint.h>

#include "base/err.h"

/* Returns 0; 1 if a run differed, broke an invariant or ended in any other way, with the command in e; 2 if nothing can
 * be run. locus: path of the program. */
int model_soak(double minutes, const char *folder, const char *locus, struct err *e);

/* One seed again, without a note of it; prints its command. */
int model_seed(uint64_t seed, const char *folder, const char *locus, struct err *e);

/* Prints what was run as a table; nothing if nothing was. */
void model_table(const char *folder);

#endif
