/* A block's test bench under Icarus Verilog, fed with vectors that a test writes. */
#ifndef TESTS_SUPPORT_ICARUS_H
#define TESTS_SUPPORT_ICARUS_H

#include <stdio.h>

#include "hw/block.h"
#include "support/program.h"

/* Opens a file of vectors in program_tmp(); its path goes into `path`. */
FILE *icarus_vectors(char path[4096]);

/* Prints the fields of a side, in the order of the twin's header, as one number in hex; the first field lowest. data:
 * struct xyz_in or xyz_out. */
void icarus_print_fields(FILE *f, const struct hw_block *b, const void *params, enum hw_side side, const void *data);

/* A cycle of a clocked block as a line for rtl/clocked_tb.vh. */
void icarus_print_cycle(FILE *f, const struct hw_block *b, const void *params, const void *in, const void *out);

/* Compiles and runs a test bench; what it prints. `make coverage` makes it Verilator (scripts/simulate). */
struct program icarus_simulate(const char *top, const char *parameters, const char *vectors, const char *sources);

#endif
