#include "support/locality_stimulus.h"

#include "support/corner.h"
#include "support/random.h"

static uint64_t an_end(const struct locality_table *t, uint64_t *seed)
{
	uint64_t i = random_below(seed, t->p.entries);

	return random_u64(seed) & 1 ? t->base[i] : t->bound[i];
}

/* Small ranges, which overlap, and corners, those beside the ends of entries among them. */
static uint64_t address(const struct locality_table *t, uint64_t *seed)
{
	uint64_t near = an_end(t, seed);

	return random_u64(seed) & 1 ? corner_value(seed, t->p.addr_w, near) : random_below(seed, 64);
}

/* Half of them at an end of an entry, or just below it. */
static uint64_t asked(const struct locality_table *t, uint64_t *seed)
{
	uint64_t below = random_below(seed, 2), last = UINT64_MAX >> (64 - t->p.addr_w);

	return random_u64(seed) & 1 ? address(t, seed) : (an_end(t, seed) - below) & last;
}

struct locality_table_in locality_stimulus(const struct locality_table *t, uint64_t n, uint64_t *seed)
{
	uint64_t r = random_u64(seed);
	struct locality_table_in in = {
		.wr_valid = n < 2 * t->p.entries || (r & 7) == 0,
		.wr_used = (r >> 3 & 7) != 0,
		.wr_caching = (uint8_t)(r >> 24 & 3),
		.wr_prefetch = (uint8_t)(r >> 26 & 3),
		.look_valid = (r >> 28 & 3) != 0,
		.ans_ready = n / 64 % 4 ? r >> 30 & 1 : n / 64 % 8 == 0,
	};

	in.wr_index = (uint32_t)random_below(seed, UINT64_C(1) << locality_table_index_w(t->p.entries));
	in.wr_base = address(t, seed);
	in.wr_bound = address(t, seed);
	in.wr_prio = (uint32_t)corner_value(seed, t->p.prio_w, t->prio[0]); /* equal ones, often */
	in.wr_distance = (uint32_t)corner_value(seed, t->p.dist_w, t->distance[0]);
	in.look_addr = asked(t, seed);
	return in;
}
