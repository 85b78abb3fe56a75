/* The window of a mismatch as JSON, for whom a wave file is too much: the report's page draws it.
 *
 *   {"block", "cycle", "step",                        of the first difference
 *    "steps": [{"step", "cycle", "reset"}, ...],      the last WINDOW_STEPS of the window
 *    "inputs": [{"name", "values": [...]}, ...],      a value a step
 *    "pairs": [{"name", "golden": [...], "rtl": [...]}, ...]}
 *
 * Pairs are elements of outputs and registers: first the one that differs first, then the others that differ anywhere
 * in the window, then outputs as there is room. Values are texts as in the report, "-" what a reset leaves open.
 */
#ifndef HARNESS_LOCKSTEP_WINDOW_H
#define HARNESS_LOCKSTEP_WINDOW_H

#include "lockstep/scenario.h"

enum { WINDOW_STEPS = 128, WINDOW_PAIRS = 24, WINDOW_INPUTS = 24 };

/* h: the steps of the wave; those from cycle `from` on are meant. */
int window_write(const struct scenario *s, const struct outcome *o, const struct history *h, uint64_t from, const char *path,
		 struct err *e);

#endif
