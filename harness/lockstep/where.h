/* Where a field gets its value: the lines that assign it in the golden twin's C and in the RTL, so that who reads a
 * mismatch can look at both. Found by name in the text: a hint for people, not an analysis.
 */
#ifndef HARNESS_LOCKSTEP_WHERE_H
#define HARNESS_LOCKSTEP_WHERE_H

#include <stdio.h>

#include "lockstep/scenario.h"

/* Prints up to `most` lines "    golden PATH:LINE: TEXT" of the twin's source, and as many "    rtl    ..." of the
 * scenario's. Nothing of a file that is not there, as in an installation without sources. */
void where_print(const struct scenario *s, enum hw_side side, const struct bind_slot *slot, unsigned most, FILE *to);

#endif
