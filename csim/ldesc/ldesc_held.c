/* How many bytes of what a tile accesses are in which zone, and pages by that. */
#include "ldesc/ldesc_zones_impl.h"

#include <string.h>

/* ---- where bytes are ---- */

struct bytes {
	const struct ldesc_numa *m;
	const struct ldesc *l;
	const struct ldesc_map *map;
	uint64_t *by_zone;
};

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Whole rounds over the stacks count at once. */
static void add_by_bits(const struct bytes *b, uint64_t addr, uint64_t n)
{
	uint64_t unit = UINT64_C(1) << b->map->bit, rounds = n / (unit * b->m->n_stacks);

	for (uint32_t k = 0; rounds && k < b->m->n_stacks; k++)
		b->by_zone[b->m->zone_of_stack[k]] += rounds * unit;
	for (n -= rounds * unit * b->m->n_stacks; n;) {
		uint64_t part = least(n, unit - (addr & (unit - 1)));

		b->by_zone[b->m->zone_of_stack[(addr >> b->map->bit) & (b->m->n_stacks - 1)]] += part;
		addr += part;
		n -= part;
	}
}

static void add_by_pages(const struct bytes *b, uint64_t addr, uint64_t n)
{
	uint64_t page = b->m->page, first = b->l->base / page;

	while (n) {
		uint64_t part = least(n, page - addr % page);

		b->by_zone[b->map->zone[addr / page - first]] += part;
		addr += part;
		n -= part;
	}
}

static void add_run(void *ctx, uint64_t addr, uint64_t n)
{
	const struct bytes *b = ctx;

	(b->map->bit == LDESC_PAGES ? add_by_pages : add_by_bits)(b, addr, n);
}

/* ---- tiles ---- */

struct ldesc_tiles ldesc_tiles_of(const struct ldesc *l, const struct ldesc_launch *at)
{
	struct ldesc_tiles t = {.l = l, .at = at, .count = 1, .n_ctas = 1};

	ldesc_c_tile_ctas(l, at, t.size);
	for (unsigned d = 0; d < 3; d++) {
		t.n[d] = (at->grid[d] - 1) / t.size[d] + 1;
		t.count *= t.n[d];
		t.n_ctas *= at->grid[d];
	}
	return t;
}

uint32_t ldesc_tile_at(const struct ldesc_tiles *t, const uint32_t cta[3])
{
	return cta[0] / t->size[0] + t->n[0] * (cta[1] / t->size[1] + t->n[1] * (cta[2] / t->size[2]));
}

void ldesc_cta_position(const struct ldesc_tiles *t, uint32_t cta, uint32_t out[3])
{
	out[0] = cta % t->at->grid[0];
	out[1] = cta / t->at->grid[0] % t->at->grid[1];
	out[2] = cta / t->at->grid[0] / t->at->grid[1];
}

void ldesc_held_bytes(const struct ldesc_tiles *t, const struct ldesc_numa *m, const struct ldesc_map *map, uint64_t *held)
{
	struct bytes b = {m, t->l, map, NULL};
	uint32_t cta[3];

	memset(held, 0, (uint64_t)t->count * m->n_zones * sizeof *held);
	for (uint64_t i = 0; i < ldesc_d_tiles(t->l); i++) {
		ldesc_first_cta(t->l, t->at, i, cta);
		b.by_zone = &held[(uint64_t)ldesc_tile_at(t, cta) * m->n_zones];
		ldesc_d_tile_runs(t->l, i, add_run, &b);
	}
}

/* ---- pages ---- */

void ldesc_new_pages(struct ldesc_map *map, const struct ldesc *l, const struct ldesc_numa *m, struct arena *a)
{
	uint64_t size = least(l->bytes, l->len[0] * l->len[1] * l->len[2] * l->element);

	map->bit = LDESC_PAGES;
	map->n_pages = (uint32_t)((l->base + size - 1) / m->page - l->base / m->page + 1);
	map->zone = arena_array(a, map->n_pages, sizeof *map->zone);
}

void ldesc_pages_in_runs(const struct ldesc_map *map, const struct ldesc_numa *m)
{
	for (uint32_t p = 0; p < map->n_pages; p++)
		map->zone[p] = m->zone_of_stack[(uint64_t)p * m->n_stacks / map->n_pages];
}

struct page_use {
	const struct ldesc_numa *m;
	const struct ldesc *l;
	const uint64_t *ctas; /* by zone, of the tile */
	uint64_t *used;	      /* bytes by page and zone */
};

static void use_run(void *ctx, uint64_t addr, uint64_t n)
{
	const struct page_use *u = ctx;
	uint64_t page = u->m->page, first = u->l->base / page;

	while (n) {
		uint64_t part = least(n, page - addr % page), *used = &u->used[(addr / page - first) * u->m->n_zones];

		for (uint32_t z = 0; z < u->m->n_zones; z++)
			used[z] += u->ctas[z] * part;
		addr += part;
		n -= part;
	}
}

/* The zone with most of the accesses; of equal ones that with the fewest pages so far. Only zones with memory are
 * asked. */
static uint16_t busiest(const struct ldesc_numa *m, const uint64_t *used, const uint32_t *pages)
{
	uint16_t best = m->zone_of_stack[0];

	for (uint32_t k = 1; k < m->n_stacks; k++) {
		uint16_t z = m->zone_of_stack[k];

		if (used[z] > used[best] || (used[z] == used[best] && pages[z] < pages[best]))
			best = z;
	}
	return best;
}

void ldesc_pages_by_use(const struct ldesc_map *map, const struct ldesc_tiles *t, const struct ldesc_numa *m, const uint64_t *ctas)
{
	struct arena a = {0};
	struct page_use u = {.m = m, .l = t->l, .used = arena_array(&a, (size_t)map->n_pages * m->n_zones, sizeof *u.used)};
	uint32_t *pages = arena_array(&a, m->n_zones, sizeof *pages), cta[3];

	for (uint64_t i = 0; i < ldesc_d_tiles(t->l); i++) {
		ldesc_first_cta(t->l, t->at, i, cta);
		u.ctas = &ctas[(uint64_t)ldesc_tile_at(t, cta) * m->n_zones];
		ldesc_d_tile_runs(t->l, i, use_run, &u);
	}
	for (uint32_t p = 0; p < map->n_pages; p++)
		pages[map->zone[p] = busiest(m, &u.used[(size_t)p * m->n_zones], pages)]++;
	arena_free(&a);
}
