/* A warp throttle under orders: the oldest warps of each scheduler, as many as it was last told (csim/throttle/). */
#include "policy/warp_throttle.h"

struct ordered {
	uint32_t limit; /* 0: none */
};

static void init(void **state, struct arena *a, const struct machine *m)
{
	(void)m;
	*state = arena_alloc(a, sizeof(struct ordered));
}

static uint64_t active(void *state, const struct warp_view *v)
{
	const struct ordered *o = state;

	return o->limit ? warp_throttle_oldest(v, o->limit) : ~UINT64_C(0);
}

void warp_throttle_order(void *state, uint32_t limit)
{
	struct ordered *o = state;

	o->limit = limit;
}

const struct warp_throttle warp_throttle_ordered = {.name = "dwt-cs", .init = init, .active = active};
