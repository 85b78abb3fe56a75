/* Static warp throttling: the oldest throttle.warps warps of each scheduler, for the whole run (dwt-pric, section
 * 5). */
#include "policy/warp_throttle.h"

struct swt {
	uint32_t warps;
};

static void init(void **state, struct arena *a, const struct machine *m)
{
	struct swt *l = arena_alloc(a, sizeof *l);

	l->warps = m->throttle.warps;
	*state = l;
}

static uint64_t active(void *state, const struct warp_view *v)
{
	const struct swt *l = state;

	return warp_throttle_oldest(v, l->warps);
}

const struct warp_throttle warp_throttle_swt = {.name = "swt", .init = init, .active = active};
