/* Filter files of GTKWave, a value and its name a line: "4 SCAN". They show the state registers of a block by the
 * names that the RTL gives their values (bind_abi.states: a line a register). A file is beside the wave and named after
 * it and the register: syrk.steal.state_q.txt for syrk.fst.
 */
#ifndef HARNESS_WAVES_FILTER_H
#define HARNESS_WAVES_FILTER_H

#include "base/err.h"

enum { FILTER_PATH = 1400 };

/* Bits of a value of that register; 0: its values have no names. */
unsigned filter_bits(const char *states, const char *reg);

/* The name of its file, beside the wave of that name. Returns out. */
const char *filter_name(char out[FILTER_PATH], const char *fst, const char *reg);

int filter_write(const char *states, const char *reg, const char *path, struct err *e);

#endif
