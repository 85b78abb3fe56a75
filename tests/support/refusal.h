/* Parameters that a block cannot have, listed once for both sides: its RTL stops Verilator, Icarus and Yosys at
 * elaboration, and its golden twin says what is wrong. */
#ifndef TESTS_SUPPORT_REFUSAL_H
#define TESTS_SUPPORT_REFUSAL_H

#include "hw/block.h"

struct refusal {
	const char *parameters; /* by the RTL's names, "SETS=1 POLY=1"; the others have their defaults */
	const char *said;	/* among the twin's words */
};

/* Each of the n is refused by all four. */
void refusals_hold(const struct hw_block *b, const struct refusal *refusal, unsigned n);

#endif
