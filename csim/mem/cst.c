#include "mem/cst.h"

void cst_init(struct l1 *c, struct arena *a, const struct machine *m, uint32_t sm, uint32_t buffers)
{
	struct l1_shape s = {.cache = m->cst.c, .enabled = true, .sm = sm, .client = L1_TOKEN_CONST, .buffers = buffers};

	s.cache.mshr_entries = CST_MSHR_ENTRIES;
	s.cache.mshr_merges = CST_MSHR_MERGES;
	s.cache.miss_queue = CST_MISS_QUEUE;
	l1_init_shape(c, a, m, &s, NULL);
}
