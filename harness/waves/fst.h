/* Whether a wave file is whole. Verilator's writer of FST files notices no write that failed, so what it left is looked
 * at: the file is a chain of blocks, a byte for the type and eight for the length each, in GTKWave's format
 * (src/helpers/fst/fstapi.h there).
 */
#ifndef HARNESS_WAVES_FST_H
#define HARNESS_WAVES_FST_H

#include <stdbool.h>

#include "base/err.h"

/* Before it is written: the writer removes what has that name, which a device or a folder must not suffer. */
int fst_check_path(const char *path, struct err *e);

/* After it was closed: header, names, geometry and (has_values) values are there, and the last block ends with the
 * file. */
int fst_check(const char *path, bool has_values, struct err *e);

/* Sets the error of a wave that is not whole. Returns -1. */
int fst_cut_short(const char *path, struct err *e);

#endif
