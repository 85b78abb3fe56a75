/* A block's test bench under Icarus Verilog, fed with vectors that a test writes. */
#ifndef TESTS_SUPPORT_ICARUS_H
#define TESTS_SUPPORT_ICARUS_H

#include <stdio.h>

#include "support/program.h"

/* Opens a file of vectors in program_tmp(); its path goes into `path`. */
FILE *icarus_vectors(char path[4096]);

/* Compiles and runs a test bench; what it prints. `make coverage` makes it Verilator (scripts/simulate). */
struct program icarus_simulate(const char *top, const char *parameters, const char *vectors, const char *sources);

#endif
