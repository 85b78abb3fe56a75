#include "ldesc/ldesc_clusters.h"

#include <string.h>

#include "base/arena.h"

static uint32_t up(uint32_t a, uint32_t b)
{
	return a / b + (a % b != 0);
}

bool ldesc_halve(uint32_t tile[3])
{
	unsigned d = 0;

	for (unsigned k = 1; k < 3; k++)
		d = tile[k] > tile[d] ? k : d;
	if (tile[d] == 1)
		return false;
	tile[d] = up(tile[d], 2);
	return true;
}

static uint32_t grid_size(const uint32_t grid[3])
{
	return grid[0] * grid[1] * grid[2];
}

/* The tile that a CTA is in. */
static uint32_t tile_of(const uint32_t grid[3], const uint32_t tile[3], uint32_t cta)
{
	uint32_t x = cta % grid[0] / tile[0], y = cta / grid[0] % grid[1] / tile[1], z = cta / grid[0] / grid[1] / tile[2];

	return x + up(grid[0], tile[0]) * (y + up(grid[1], tile[1]) * z);
}

static uint32_t tiles(const uint32_t grid[3], const uint32_t tile[3])
{
	return up(grid[0], tile[0]) * up(grid[1], tile[1]) * up(grid[2], tile[2]);
}

static bool is_meant(const struct ldesc_ctas *c, uint32_t cta)
{
	return !c->zone || c->zone[cta] == c->of;
}

/* CTAs of each tile. */
static uint32_t *sizes(const struct ldesc_ctas *c, const uint32_t tile[3], struct arena *a)
{
	uint32_t *n = arena_array(a, tiles(c->grid, tile), sizeof *n);

	for (uint32_t i = 0; i < grid_size(c->grid); i++)
		n[tile_of(c->grid, tile, i)] += is_meant(c, i);
	return n;
}

uint32_t ldesc_clusters(const struct ldesc_ctas *c, const uint32_t tile[3])
{
	struct arena a = {0};
	const uint32_t *size;
	uint32_t n = 0;

	if (!c->zone)
		return tiles(c->grid, tile);
	size = sizes(c, tile, &a);
	for (uint32_t t = 0; t < tiles(c->grid, tile); t++)
		n += size[t] != 0;
	arena_free(&a);
	return n;
}

/* Step 1. */
static void split(const struct ldesc_ctas *c, const uint32_t c_tile[3], uint32_t sms, uint32_t out[3])
{
	memcpy(out, c_tile, 3 * sizeof *out);
	while (ldesc_clusters(c, out) < sms && ldesc_halve(out))
		;
}

void ldesc_cluster(const struct ldesc_ctas *c, const struct ldesc_dims *c_tile, uint32_t n, uint32_t sms, uint32_t cluster[3])
{
	uint32_t tile[3], merged[3];

	split(c, c_tile[0].of, sms, cluster);
	for (uint32_t i = 1; i < n; i++) { /* step 2 */
		split(c, c_tile[i].of, sms, tile);
		for (unsigned d = 0; d < 3; d++)
			merged[d] = cluster[d] * (tile[d] > cluster[d] ? tile[d] / cluster[d] : 1);
		if (ldesc_clusters(c, merged) >= sms)
			memcpy(cluster, merged, sizeof merged);
	}
}

/* ---- SMs ---- */

/* Puts the CTAs in order, tile after tile, and makes of the sizes the first position behind each tile. */
static void sort(const struct ldesc_ctas *c, const uint32_t tile[3], uint32_t *size, uint32_t *order)
{
	uint32_t at = 0;

	for (uint32_t t = 0; t < tiles(c->grid, tile); t++) {
		uint32_t n = size[t];

		size[t] = at;
		at += n;
	}
	for (uint32_t i = 0; i < grid_size(c->grid); i++)
		if (is_meant(c, i))
			order[size[tile_of(c->grid, tile, i)]++] = i;
}

uint32_t ldesc_deal(const struct ldesc_ctas *c, const uint32_t cluster[3], uint32_t sms, uint32_t *order, uint32_t *sm)
{
	struct arena a = {0};
	uint32_t *end = sizes(c, cluster, &a), n = ldesc_clusters(c, cluster), begin = 0, k = 0;

	sort(c, cluster, end, order);
	for (uint32_t t = 0; t < tiles(c->grid, cluster); t++) {
		uint32_t own = k % sms, shared = k + 1 == n ? sms - own : 1;

		if (end[t] == begin)
			continue;
		for (uint32_t i = begin; i < end[t]; i++)
			sm[i] = own + (i - begin) % shared;
		begin = end[t];
		k++;
	}
	arena_free(&a);
	return begin;
}
