#include "policy/prefetcher.h"

static void no_state(void **state, struct arena *a, const struct machine *m)
{
	(void)a, (void)m;
	*state = NULL;
}

static bool next_line(void *state, const struct prefetch_trigger *t, uint64_t *line)
{
	(void)state;
	*line = t->line + 1;
	return t->missed;
}

const struct prefetcher prefetcher_none = {.name = "none", .init = no_state};
const struct prefetcher prefetcher_next_line = {.name = "next-line", .init = no_state, .observe = next_line};

const struct prefetcher prefetcher_locality = {.name = "locality", .init = no_state};

static const struct prefetcher *const prefetchers[] = {
	[PREFETCH_NONE] = &prefetcher_none,
	[PREFETCH_NEXT_LINE] = &prefetcher_next_line,
	[PREFETCH_LOCALITY] = &prefetcher_locality,
};

const struct prefetcher *prefetcher_of(const struct machine *m)
{
	return prefetchers[m->l1.prefetch.policy];
}
