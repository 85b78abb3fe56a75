/* What the search for zones asks of tiles and maps. */
#ifndef CSIM_LDESC_LDESC_ZONES_IMPL_H
#define CSIM_LDESC_LDESC_ZONES_IMPL_H

#include "ldesc/ldesc_zones.h"

/* The C-tiles of a descriptor, in CTAs. */
struct ldesc_tiles {
	const struct ldesc *l;
	const struct ldesc_launch *at;
	uint32_t size[3], n[3], count;
	uint32_t n_ctas;
};

struct ldesc_tiles ldesc_tiles_of(const struct ldesc *l, const struct ldesc_launch *at);
void ldesc_cta_position(const struct ldesc_tiles *t, uint32_t cta, uint32_t out[3]);
uint32_t ldesc_tile_at(const struct ldesc_tiles *t, const uint32_t cta[3]);

/* The bytes of each tile's data in each zone: held[tile * zones + zone]. */
void ldesc_held_bytes(const struct ldesc_tiles *t, const struct ldesc_numa *m, const struct ldesc_map *map, uint64_t *held);

/* Whole pages, in zone 0 until they are placed: in equal runs of consecutive ones by stacks, or where most accesses
 * come from, with the CTAs of each tile in each zone. */
void ldesc_new_pages(struct ldesc_map *map, const struct ldesc *l, const struct ldesc_numa *m, struct arena *a);
void ldesc_pages_in_runs(const struct ldesc_map *map, const struct ldesc_numa *m);
void ldesc_pages_by_use(const struct ldesc_map *map, const struct ldesc_tiles *t, const struct ldesc_numa *m, const uint64_t *ctas);

#endif
