/* The checkout that this program belongs to: where machines, workloads and RTL blocks are read from. */
#ifndef CSIM_BASE_ROOT_H
#define CSIM_BASE_ROOT_H

enum { ROOT_PATH_MAX = 4096 };

/* Path of a file of the checkout ("traces/syrk/kernel.ptx"): below $LOCUS_ROOT if that is set, else below the folder above build/
 * in which the program stands. Returns out. */
const char *root_path(const char *relative, char out[ROOT_PATH_MAX]);

#endif
