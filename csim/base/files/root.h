/* The root: the folder where machines, kernels and RTL blocks are read from.
 *
 * It is $LOCUS_ROOT if that is set; else the checkout that the program was built in (the program is in build/,
 * build/san/ or build/tests/); else, for an installed PREFIX/bin/locus, PREFIX/lib/locus, which `make install` fills
 * with what a checkout has at the same paths. Nothing is compiled in, so that an installed tree may be moved.
 */
#ifndef CSIM_BASE_FILES_ROOT_H
#define CSIM_BASE_FILES_ROOT_H

#include "base/err.h"

enum { ROOT_PATH_MAX = 4096 };

/* Path of a file below the root ("traces/syrk/kernel.ptx"). Returns out. */
const char *root_path(const char *relative, char out[ROOT_PATH_MAX]);

/* Error: nothing at the root, which is what a copy of the program alone gets; says where it was looked for. */
int root_check(struct err *e);

/* The program that goes with the root, for scripts that outlive this process. Returns out. */
const char *root_program(char out[ROOT_PATH_MAX]);

#endif
