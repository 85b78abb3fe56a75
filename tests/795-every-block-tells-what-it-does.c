/* 795: each block of the program has a text track, and random steps of it make texts that fit: no block is
 * forgotten. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "bind/params.h"
#include "hw/twins/blocks.h"
#include "support/random.h"
#include "waves/track.h"

enum { STEPS = 2000 };

static void draw(uint64_t *words, const struct bind_side *s, uint64_t *state)
{
	for (unsigned i = 0; i < s->n; i++)
		for (uint32_t k = 0, left = s->slot[i].bits; k < s->slot[i].words; k++, left -= 64)
			words[s->slot[i].word + k] = random_u64(state) & (left < 64 ? (UINT64_C(1) << left) - 1 : UINT64_MAX);
}

/* What the ports show is drawn, not what the block would do: a teller has to bear what a faulty RTL says. */
static unsigned told(const struct hw_block *b)
{
	unsigned char params[BIND_PARAMS_MAX];
	struct bind_layout *l = xcalloc(1, sizeof *l);
	uint64_t *words[HW_SIDES + 1], seed = 795;
	struct track t;
	unsigned n = 0;

	hw_params_default(b, params);
	bind_layout_of(l, b, params);
	track_init(&t, b, params, l);
	for (int i = 0; i <= HW_SIDES; i++)
		words[i] = xcalloc(l->side[i < HW_SIDES ? i : HW_REG].words + 1, sizeof(uint64_t));
	for (unsigned k = 0; k < STEPS; k++) {
		for (int i = 0; i <= HW_SIDES; i++)
			draw(words[i], &l->side[i < HW_SIDES ? i : HW_REG], &seed);
		track_before(&t, words[HW_INPUT], words[HW_OUTPUT], words[HW_REG]);
		n += track_after(&t, words[HW_SIDES]);
		cr_assert_eq(strlen(t.text.at), t.text.n, "%s: %s", b->name, t.text.at);
		cr_assert_leq(t.text.n, BIND_TEXT);
		for (const char *c = t.text.at; *c; c++)
			cr_assert(*c >= ' ' && *c <= '~', "%s: %s", b->name, t.text.at);
	}
	for (int i = 0; i <= HW_SIDES; i++)
		free(words[i]);
	track_free(&t);
	free(l);
	return n;
}

Test(tracks, of_all_blocks_tell_something)
{
	for (const struct hw_block *const *b = hw_blocks; *b; b++) {
		cr_assert(track_of(*b), "%s", (*b)->name);
		cr_assert_gt(told(*b), STEPS / 8, "%s", (*b)->name);
	}
}
