/* What the locality table says of a load that missed (hw/twins/locality_entry.h): the next line is fetched ahead, or
 * the one `distance` bytes on; nothing beyond the end of the data structure (ldesc, section 4.5). */
#include "policy/prefetcher.h"

struct locality_prefetcher {
	uint32_t line; /* bytes */
};

static void init(void **state, struct arena *a, const struct machine *m)
{
	struct locality_prefetcher *p = arena_alloc(a, sizeof *p);

	p->line = m->l1.c.line;
	*state = p;
}

static bool observe(void *state, const struct prefetch_trigger *t, uint64_t *line)
{
	const struct locality_prefetcher *p = state;
	const struct locality_answer *l = t->locality;
	uint64_t start = l->addr - l->addr % p->line;

	switch (l->prefetch) {
	case LOCALITY_NEXT_LINE:
		*line = start / p->line + 1;
		break;
	case LOCALITY_STRIDE:
		*line = (l->addr + l->distance) / p->line;
		break;
	default:
		return false;
	}
	return t->missed && *line * p->line < l->bound && *line * p->line != start;
}

const struct prefetcher prefetcher_locality = {.name = "locality", .is_virtual = true, .init = init, .observe = observe};
