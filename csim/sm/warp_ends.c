#include "sm/warp_ends.h"

#include "base/panic.h"

void warp_ends_init(struct warp_ends *w, struct arena *a, const struct trace *t)
{
	uint32_t n = trace_n_launches(t);

	w->warps = arena_array(a, n, sizeof *w->warps);
	w->first = arena_array(a, n + 1, sizeof *w->first);
	w->first[0] = 0;
	for (uint32_t i = 0; i < n; i++) {
		w->warps[i] = trace_launch(t, i)->warps_per_cta;
		w->first[i + 1] = w->first[i] + (uint64_t)w->warps[i] * trace_launch(t, i)->n_ctas;
	}
	w->end = arena_array(a, w->first[n], sizeof *w->end);
	for (uint64_t i = 0; i < w->first[n]; i++)
		w->end[i] = WARP_ENDS_NEVER;
}

static uint64_t *entry(const struct warp_ends *w, uint32_t launch, uint32_t cta, uint32_t warp)
{
	uint64_t i = w->first[launch] + (uint64_t)cta * w->warps[launch] + warp;

	PANIC_UNLESS(warp < w->warps[launch] && i < w->first[launch + 1], "warp ends", cta);
	return &w->end[i];
}

void warp_ends_note(struct warp_ends *w, uint32_t launch, uint32_t cta, uint32_t warp, uint64_t cycle)
{
	uint64_t *end = entry(w, launch, cta, warp);

	PANIC_UNLESS(*end == WARP_ENDS_NEVER, "warp ends", cycle);
	*end = cycle;
}

uint64_t warp_ends_of(const struct warp_ends *w, uint32_t launch, uint32_t cta, uint32_t warp)
{
	return *entry(w, launch, cta, warp);
}
