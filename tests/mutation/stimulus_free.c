#include <stdlib.h>

#include "mutation/stimuli.h"
#include "support/random.h"

enum { RESET_EVERY = 701, MANNER_STEPS = 48 };
enum manner { ANY, MOSTLY_0, MOSTLY_1, COUNTS, SMALL, STAYS, MANNERS };

static uint64_t mask_of(uint32_t bits)
{
	return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* The next value of 64 bits of a field. */
static uint64_t value_of(enum manner m, uint64_t last, uint64_t *x)
{
	uint64_t r = random_u64(x), seldom = r & 7 ? 0 : random_u64(x);

	switch (m) {
	case MOSTLY_0:
		return seldom;
	case MOSTLY_1:
		return ~seldom;
	case COUNTS:
		return last + 1;
	case SMALL:
		return r & 3;
	case STAYS:
		return r & 15 ? last : random_u64(x);
	default:
		return r;
	}
}

void stimulus_free(struct scenario *s, uint64_t seed, uint64_t steps)
{
	const struct bind_side *side = &s->layout.side[HW_INPUT];
	enum manner manner[HW_MAX_FIELDS] = {ANY};
	uint64_t *words = xcalloc(side->words + 1, sizeof *words), x = seed * 0x9e3779b97f4a7c15 + 1;

	for (uint64_t n = 0; n < steps; n++) {
		for (unsigned i = 0; i < side->n; i++) {
			const struct bind_slot *slot = &side->slot[i];

			if (random_below(&x, MANNER_STEPS) == 0 || n == 0)
				manner[i] = (enum manner)random_below(&x, MANNERS);
			for (uint32_t k = 0; k < slot->words; k++) {
				uint64_t *w = &words[slot->word + k];

				*w = value_of(manner[i], *w, &x) & mask_of(slot->bits - 64 * k);
			}
		}
		stim_append(&s->stim, n, n % RESET_EVERY == RESET_EVERY - 1, words);
	}
	free(words);
}
