/* What a run was made with, as a hash (XXH3, 64 bits, hexadecimal): results that are kept are those of the same bytes,
 * wherever and whenever they were made.
 *
 * A run's trace, by whose hash one might call it, is known only when it has been executed. It follows from the program
 * (locus itself holds the host programs of the workloads), the kernels, and what a user's files say: these are hashed.
 */
#ifndef HARNESS_SWEEP_CONTENT_H
#define HARNESS_SWEEP_CONTENT_H

#include <stdint.h>

#include "base/err.h"

enum { CONTENT_HEX = 20 /* bytes of a hash as text, and room */ };

/* Of a study's runs: the program, all machines, all kernels of the checkout. program: a path. */
int content_of_checkout(const char *program, char out[CONTENT_HEX], struct err *e);

/* Of a file. */
int content_of_file(const char *path, uint64_t *hash, struct err *e);

/* Of what a run is started from: a workload's kernels; a launch file, an Accel-Sim list or a recorded trace, with all
 * files that they name. */
int content_of_source(const char *what, uint64_t *hash, struct err *e);

#endif
