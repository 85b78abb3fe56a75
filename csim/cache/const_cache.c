#include "cache/const_cache.h"

void const_cache_init(struct l1 *c, struct arena *a, const struct machine *m, uint32_t sm, const struct route *route,
		      uint32_t buffers)
{
	struct l1_shape s = {
		.cache = m->const_cache.c, .enabled = true, .sm = sm, .sender = REQ_OF_CONST, .buffers = buffers, .route = route};

	l1_init_shape(c, a, m, &s, NULL);
}
