#include "policy/warp_throttle.h"

const struct warp_throttle warp_throttle_none = {.name = "none"};

static const struct warp_throttle *const throttles[] = {
	[THROTTLE_NONE] = &warp_throttle_none,	    [THROTTLE_SWT] = &warp_throttle_swt,   [THROTTLE_CTA] = &warp_throttle_cta,
	[THROTTLE_DWT_CS] = &warp_throttle_ordered, [THROTTLE_CCWS] = &warp_throttle_ccws, [THROTTLE_PCAL] = &warp_throttle_pcal,
};

const struct warp_throttle *warp_throttle_of(const struct machine *m)
{
	return throttles[m->throttle.policy];
}

static uint64_t oldest_of(const struct warp_view *v, uint64_t own, uint32_t n)
{
	uint64_t chosen = 0;

	for (unsigned c = 0; c < v->n_ctas; c++)
		for (uint64_t left = v->of_cta[c] & own & v->eligible; left; left &= left - 1) {
			if (n-- == 0)
				return chosen;
			chosen |= left & -left;
		}
	return chosen;
}

uint64_t warp_throttle_oldest(const struct warp_view *v, uint32_t n)
{
	uint64_t chosen = 0;

	for (unsigned s = 0; s < v->schedulers; s++)
		chosen |= oldest_of(v, v->own[s], n);
	return chosen;
}
