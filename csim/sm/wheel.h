/* A timing wheel of warps: which warps become ready at which cycle.
 *
 * A slot stands for one cycle and holds a bit per warp. A warp that waits longer than the wheel is round is put at its
 * far end and looked at again there (the caller keeps the warp's true time). Cycles are core cycles.
 */
#ifndef CSIM_SM_WHEEL_H
#define CSIM_SM_WHEEL_H

#include <stdint.h>

#include "base/panic.h"
#include "base/ticks.h"

enum { WHEEL_SLOTS = 256, WHEEL_WORDS = WHEEL_SLOTS / 64 };

struct wheel {
	uint64_t slot[WHEEL_SLOTS];   /* warps */
	uint64_t filled[WHEEL_WORDS]; /* slots that hold a warp */
};

/* at > now. Returns the cycle at which the warp will come out: `at`, or earlier if that is too far away. */
static inline uint64_t wheel_add(struct wheel *w, unsigned warp, uint64_t at, uint64_t now)
{
	unsigned i;

	PANIC_UNLESS(at > now && warp < 64, "wheel", now);
	if (at - now >= WHEEL_SLOTS)
		at = now + WHEEL_SLOTS - 1;
	i = at % WHEEL_SLOTS;
	w->slot[i] |= UINT64_C(1) << warp;
	w->filled[i / 64] |= UINT64_C(1) << (i % 64);
	return at;
}

/* Empties the slot of cycle `now`. No earlier slot may still be filled. */
static inline uint64_t wheel_take(struct wheel *w, uint64_t now)
{
	unsigned i = now % WHEEL_SLOTS;
	uint64_t warps = w->slot[i];

	w->slot[i] = 0;
	w->filled[i / 64] &= ~(UINT64_C(1) << (i % 64));
	return warps;
}

/* The first cycle after `now` with a warp in it, CYCLE_NEVER if the wheel is empty. */
static inline uint64_t wheel_next(const struct wheel *w, uint64_t now)
{
	unsigned from = (now + 1) % WHEEL_SLOTS, word = from / 64;
	uint64_t bits = w->filled[word] & (~UINT64_C(0) << (from % 64));

	for (unsigned n = 0; n <= WHEEL_WORDS; n++) {
		if (bits) {
			unsigned i = word * 64 + (unsigned)__builtin_ctzll(bits);

			return now + 1 + (i - from + WHEEL_SLOTS) % WHEEL_SLOTS;
		}
		word = (word + 1) % WHEEL_WORDS;
		bits = w->filled[word];
	}
	return CYCLE_NEVER;
}

#endif
