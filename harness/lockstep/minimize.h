/* The smallest scenario that still shows a difference: fewer steps first, then smaller inputs.
 *
 * Steps are taken out by delta debugging (Zeller and Hildebrandt, 2002): halves, quarters and so on are left out as
 * long as the same field still differs, until no single step can go. Then the inputs go towards zero as long as the
 * same holds: each bit of a field in all steps at once, then each field of each step, whole or bit by bit. A start
 * state is replaced by the reset if that shows it too. The number of steps run is bounded; the result is the smallest
 * found until then.
 */
#ifndef HARNESS_LOCKSTEP_MINIMIZE_H
#define HARNESS_LOCKSTEP_MINIMIZE_H

#include "lockstep/scenario.h"

struct minimized {
	uint64_t runs;			  /* how often a candidate was tried */
	uint64_t bits_before, bits_after; /* ones in the inputs */
};

/* -1 if nothing differs in s. On success the caller frees *out. */
int scenario_minimize(const struct scenario *s, const struct bind_abi *abi, struct scenario *out, struct minimized *stats);

#endif
