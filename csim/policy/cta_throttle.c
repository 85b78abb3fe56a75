/* Static CTA throttling: the warps of the oldest throttle.ctas CTAs of an SM, for the whole run (dwt-pric, section 6).
 * The others stay on the SM, as with swt; sm.ctas limits how many come there at all. */
#include "policy/warp_throttle.h"

struct cta_throttle {
	uint32_t ctas;
};

static void init(void **state, struct arena *a, const struct machine *m)
{
	struct cta_throttle *l = arena_alloc(a, sizeof *l);

	l->ctas = m->throttle.ctas;
	*state = l;
}

/* A CTA whose warps have all exited counts no more, though it may wait for its stores. */
static uint64_t active(void *state, const struct warp_view *v)
{
	const struct cta_throttle *l = state;
	uint64_t chosen = 0;
	uint32_t n = 0;

	for (unsigned c = 0; c < v->n_ctas && n < l->ctas; c++)
		if (v->of_cta[c] & v->eligible) {
			chosen |= v->of_cta[c];
			n++;
		}
	return chosen;
}

const struct warp_throttle warp_throttle_cta = {.name = "cta", .init = init, .active = active};
