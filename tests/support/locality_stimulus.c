#include "support/locality_stimulus.h"

#include "support/random.h"

static uint64_t bits(uint64_t value, uint32_t width)
{
	return width == 64 ? value : value & ((UINT64_C(1) << width) - 1);
}

/* Small ranges and large ones. */
static uint64_t address(const struct locality_table *t, uint64_t *seed)
{
	uint64_t r = random_u64(seed);

	return bits(r & 1 ? r >> 8 : r >> 8 & 63, t->p.addr_w);
}

/* Half of them at an end of an entry, or beside it. */
static uint64_t asked(const struct locality_table *t, uint64_t *seed)
{
	uint64_t r = random_u64(seed), i = (r >> 8) % t->p.entries;

	if (r & 1)
		return address(t, seed);
	return bits((r & 2 ? t->base[i] : t->bound[i]) - (r >> 2 & 1), t->p.addr_w);
}

struct locality_table_in locality_stimulus(const struct locality_table *t, uint64_t n, uint64_t *seed)
{
	uint64_t r = random_u64(seed), d = random_u64(seed);

	return (struct locality_table_in){
		.wr_valid = n < 2 * t->p.entries || (r & 7) == 0,
		.wr_index = (uint32_t)bits(r >> 8, locality_table_index_w(t->p.entries)),
		.wr_used = (r >> 3 & 7) != 0,
		.wr_base = address(t, seed),
		.wr_bound = address(t, seed),
		.wr_prio = (uint32_t)bits(r & 64 ? r >> 16 : r >> 16 & 1, t->p.prio_w), /* equal ones, often */
		.wr_caching = (uint8_t)(r >> 24 & 3),
		.wr_prefetch = (uint8_t)(r >> 26 & 3),
		.wr_distance = (uint32_t)bits(d, t->p.dist_w),
		.look_valid = (r >> 28 & 3) != 0,
		.look_addr = asked(t, seed),
		.ans_ready = n / 64 % 4 ? r >> 30 & 1 : n / 64 % 8 == 0,
	};
}
