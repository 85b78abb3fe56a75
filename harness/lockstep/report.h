/* What a mismatch prints: block, owner, cycle, step and field; both values and the bits in which they differ; the last
 * steps of both sides in columns with an arrow at the first difference; the lines of both sides' sources that assign
 * the field, as either may be wrong; all in a sentence. */
#ifndef HARNESS_LOCKSTEP_REPORT_H
#define HARNESS_LOCKSTEP_REPORT_H

#include <stdio.h>

#include "lockstep/scenario.h"

/* h: the steps up to the difference. bundle: name of the folder to replay, or NULL. */
void report_print(const struct scenario *s, const struct outcome *o, const struct history *h, const char *bundle, FILE *to);

/* The registers that are not compared, if there are any, as one side has no such register. of: how many the golden
 * twin has. */
void report_registers(const struct bind_abi *abi, unsigned of, FILE *to);

/* With a user's Verilog in the golden twin's place: how many of the block's registers both files have. */
void report_common(unsigned n, unsigned of, FILE *to);

/* A single bit is 0 or 1, all else is hexadecimal with leading zeros. Returns out. */
enum { REPORT_VALUE = 24 };
const char *report_value(const struct bind_slot *slot, uint64_t value, char out[REPORT_VALUE]);

/* "count_q[7]" or "set_o". Returns out. */
const char *report_field(const struct bind_slot *slot, enum hw_side side, uint32_t element, char out[80]);

#endif
