/* 843: Algorithm 2 of the Locality Descriptor: which CTAs and which data go to which zone. Known answers are worked
 * out by hand; beside them the search is held against one that tries every combination of maps and looks at every
 * element. */
#include <criterion/criterion.h>
#include <string.h>

#include "ldesc/ldesc_clusters.h"
#include "ldesc/ldesc_zones.h"
#include "support/random.h"

enum { MAX_CTAS = 256, MAX_ZONES = 4, MAX_PAGES = 4096, BITS = LDESC_PAGES - LDESC_BIT_LOW };

static const uint16_t own_stack[] = {0, 1, 2, 3};

static struct ldesc_numa four_zones(const uint32_t *sms)
{
	return (struct ldesc_numa){
		.n_sms = 4 * sms[0], .n_zones = 4, .n_stacks = 4, .page = 65536, .sms = sms, .zone_of_stack = own_stack};
}

/* CTAs in each zone. */
static void count(const struct ldesc_zones *z, uint32_t n, uint32_t of[MAX_ZONES])
{
	memset(of, 0, MAX_ZONES * sizeof *of);
	for (uint32_t i = 0; i < n; i++)
		of[z->zone[i]]++;
}

/* ---- known answers ---- */

/* A row of D-tiles, a CTA each. */
static struct ldesc row(uint64_t base, uint32_t tiles, uint64_t bytes, uint32_t priority)
{
	return (struct ldesc){.base = base,
			      .bytes = tiles * bytes,
			      .element = 1,
			      .len = {tiles * bytes, 1, 1},
			      .type = LDESC_NO_REUSE,
			      .d_tile = {bytes, 1, 1},
			      .c_tile = {1, 1, 1},
			      .rank = {1, 0, 0},
			      .priority = priority};
}

static void find(struct ldesc_zones *z, const struct ldesc *l, uint32_t n, const struct ldesc_launch *at,
		 const struct ldesc_numa *m, struct arena *a)
{
	struct err e = {""};

	cr_assert_eq(ldesc_check_all(&(struct ldesc_set){n, l}, at, &e), 0, "%s", e.text);
	ldesc_find_zones(z, &(struct ldesc_set){n, l}, at, m, NULL, a);
}

/* Rows of 43,008 bytes, tiles of 3,072: at a granularity of 1 KB a third of each tile is in each of two zones, {0, 2}
 * for even columns and {1, 3} for odd ones, and ties go round. The row that is cut ends with 3/4 of a tile, 1 KB of it
 * where most is. */
Test(zones, of_histo)
{
	static const uint32_t sms[] = {2, 2, 2, 2};
	struct ldesc l = {.base = 0x100000,
			  .bytes = 1035840 * 4,
			  .element = 4,
			  .len = {14 * 768, 97, 1},
			  .type = LDESC_NO_REUSE,
			  .d_tile = {768, 97, 1},
			  .c_tile = {1, 16, 1},
			  .rank = {1, 0, 0}};
	struct ldesc_numa m = four_zones(sms);
	struct ldesc_zones z;
	struct arena a = {0};
	uint32_t of[MAX_ZONES];

	find(&z, &l, 1, &(struct ldesc_launch){{14, 16, 1}, {768, 1, 1}}, &m, &a);
	count(&z, 14, of); /* the top row has a CTA of each C-tile */
	cr_expect(of[0] == 4 && of[1] == 4 && of[2] == 3 && of[3] == 3, "%u %u %u %u", of[0], of[1], of[2], of[3]);
	cr_expect_eq(z.map[0].bit, 10);
	cr_expect_float_eq(z.total, 1349.0 * 1024 / (1035840 * 4), 1e-12);
	arena_free(&a);
}

/* A CTA reads 64 bytes of each of 16 rows, and writes what another does: the input is local by bits 7 and 8. A row of
 * tiles of the output is a page, which goes to the zone of the one column of CTAs that writes it. By bits it would be
 * local by chance. */
Test(zones, of_transpose_want_whole_pages_for_the_output)
{
	static const uint32_t sms[] = {16, 16, 16, 16};
	const struct ldesc_launch at = {{64, 64, 1}, {16, 16, 1}};
	struct ldesc l[2] = {{.bytes = 4 << 20,
			      .element = 4,
			      .len = {1024, 1024, 1},
			      .type = LDESC_NO_REUSE,
			      .d_tile = {16, 16, 1},
			      .c_tile = {1, 1, 1},
			      .rank = {1, 2, 0},
			      .priority = 1}};
	struct ldesc_numa m = four_zones(sms);
	struct ldesc_zones z;
	struct arena a = {0};
	double best = 0;
	uint8_t best_in = 0, best_out = 0;

	l[1] = l[0];
	l[1].base = 4 << 20;
	l[1].priority = 2;
	l[1].rank[0] = 2;
	l[1].rank[1] = 1;
	find(&z, l, 2, &at, &m, &a);
	cr_expect(z.map[0].bit == 7 && z.map[1].bit == LDESC_PAGES && z.total == 3.0, "(%u, %u) %g", z.map[0].bit, z.map[1].bit,
		  z.total);
	for (unsigned i = 0; i < BITS * BITS; i++) { /* bits alone */
		struct ldesc_map in = {.bit = (uint8_t)(LDESC_BIT_LOW + i / BITS)},
				 out = {.bit = (uint8_t)(LDESC_BIT_LOW + i % BITS)};
		const struct ldesc_map *fixed[] = {&in, &out};

		ldesc_find_zones(&z, &(struct ldesc_set){2, l}, &at, &m, fixed, &a);
		if (z.total <= best)
			continue;
		best = z.total;
		best_in = in.bit;
		best_out = out.bit;
	}
	cr_expect(best == 2.25 && best_in == 7 && best_out == 7, "(%u, %u) %g", best_in, best_out, best);
	arena_free(&a);
}

Test(zones, of_figure_13)
{
	static const uint32_t sms[] = {4, 4, 4, 4};
	struct ldesc l[2] = {row(0, 16, 64 << 10, 1), row(1 << 20, 16, 16 << 10, 2)};
	struct ldesc_numa m = four_zones(sms);
	struct ldesc_zones z;
	struct arena a = {0};

	find(&z, l, 2, &(struct ldesc_launch){{16, 1, 1}, {32, 1, 1}}, &m, &a);
	cr_expect(z.map[0].bit == 16 && z.map[1].bit == 14 && z.total == 3.0, "(%u, %u) %g", z.map[0].bit, z.map[1].bit, z.total);
	for (uint32_t i = 0; i < 16; i++)
		cr_expect_eq(z.zone[i], i % 4);
	arena_free(&a);
}

/* By any bits a tile of 256 KB is a quarter in each zone. */
Test(zones, of_large_tiles_have_whole_pages)
{
	static const uint32_t sms[] = {4, 4, 4, 4};
	struct ldesc l = row(0, 16, 256 << 10, 1);
	struct ldesc_numa m = four_zones(sms);
	struct ldesc_zones z;
	struct arena a = {0};

	find(&z, &l, 1, &(struct ldesc_launch){{16, 1, 1}, {32, 1, 1}}, &m, &a);
	cr_expect(z.map[0].bit == LDESC_PAGES && z.map[0].n_pages == 64 && z.total == 1);
	for (unsigned k = 0; k < LDESC_PAGES - LDESC_BIT_LOW; k++)
		cr_expect_eq(z.candidate[k], 0.25);
	for (uint32_t i = 0; i < 16; i++)
		cr_expect_eq(z.zone[i], i / 4);
	arena_free(&a);
}

/* 21 tiles of 3 KB are in one unit of 64 KB, all local if all CTAs run in zone 0. No zone may hold more than 6 (5.25 x
 * 1.25). */
Test(zones, that_are_not_balanced_are_discarded)
{
	static const uint32_t sms[] = {4, 4, 4, 4};
	struct ldesc l = row(0, 21, 3 << 10, 1);
	struct ldesc_numa m = four_zones(sms);
	struct ldesc_zones z;
	struct arena a = {0};
	uint32_t of[MAX_ZONES];

	find(&z, &l, 1, &(struct ldesc_launch){{21, 1, 1}, {32, 1, 1}}, &m, &a);
	cr_expect_lt(z.candidate[16 - LDESC_BIT_LOW], 0);
	cr_expect_gt(z.total, 0);
	count(&z, 21, of);
	for (uint32_t k = 0; k < 4; k++)
		cr_expect_leq(of[k], 6);
	arena_free(&a);
}

/* 128 bytes in all: they are in one zone whatever the bits. */
Test(zones, are_an_even_split_if_nothing_survives)
{
	static const uint32_t sms[] = {1, 1, 1, 1}, uneven[] = {4, 0};
	static const uint16_t far[] = {1, 1};
	struct ldesc l = row(0, 8, 16, 1);
	struct ldesc_numa m = four_zones(sms),
			  no_memory = {.n_sms = 4, .n_zones = 2, .n_stacks = 2, .page = 65536, .sms = uneven, .zone_of_stack = far};
	struct ldesc_zones z;
	struct arena a = {0};

	find(&z, &l, 1, &(struct ldesc_launch){{8, 1, 1}, {32, 1, 1}}, &m, &a);
	cr_expect(z.map[0].bit == LDESC_XOR && z.total == 0);
	for (uint32_t i = 0; i < 8; i++)
		cr_expect_eq(z.zone[i], i / 2);
	find(&z, &l, 1, &(struct ldesc_launch){{8, 1, 1}, {32, 1, 1}}, &no_memory, &a);
	cr_expect_eq(z.map[0].bit, LDESC_XOR, "no SM beside any memory: nothing can be local");
	for (uint32_t i = 0; i < 8; i++)
		cr_expect_eq(z.zone[i], 0);
	arena_free(&a);
}

/* ---- every combination ---- */

struct random_case {
	struct ldesc_launch at;
	struct ldesc_numa m;
	uint32_t sms[MAX_ZONES], n, ctas;
	uint16_t zone_of_stack[2 * MAX_ZONES];
	struct ldesc l[3];
};

/* Where a C-tile is in the grid: worked out anew from the definition. */
struct view {
	uint32_t tile[3], n[3];
	uint64_t held[MAX_CTAS][MAX_ZONES];
};

static uint32_t below(uint64_t *seed, uint32_t n)
{
	return (uint32_t)random_below(seed, n);
}

static void make_up_descriptor(struct random_case *r, struct ldesc *l, uint64_t *seed)
{
	static const uint8_t ranks[][3] = {{1, 2, 3}, {1, 3, 2}, {2, 1, 3}, {2, 3, 1}, {3, 1, 2}, {3, 2, 1}};
	uint32_t tiles[4] = {0};

	memset(l, 0, sizeof *l);
	memcpy(l->rank, ranks[below(seed, 6)], 3);
	l->type = LDESC_NO_REUSE;
	l->element = 4u << 2 * below(seed, 3);
	l->c_unit = below(seed, 6) ? LDESC_CTAS : LDESC_THREADS;
	for (unsigned d = 0; d < 3; d++) {
		uint32_t extent = r->at.grid[d] * (l->c_unit == LDESC_THREADS ? r->at.block[d] : 1);

		l->c_tile[d] =
			l->c_unit == LDESC_THREADS ? r->at.block[d] * (1 + below(seed, 2)) / (1 + below(seed, r->at.block[d])) : 0;
		l->c_tile[d] = l->c_unit == LDESC_THREADS && l->c_tile[d] ? l->c_tile[d] : 1 + below(seed, r->at.grid[d]);
		tiles[l->rank[d]] = (extent + l->c_tile[d] - 1) / l->c_tile[d];
	}
	l->bytes = l->element;
	for (unsigned d = 0; d < 3; d++) { /* D-tiles along X are as many as C-tiles of rank 1 */
		l->d_tile[d] = 1 + below(seed, d ? 2 : 16);
		l->len[d] = tiles[d + 1] * l->d_tile[d] - below(seed, (uint32_t)l->d_tile[d]);
		l->bytes *= l->len[d];
	}
	l->base = (uint64_t)below(seed, 64) * 1024;
	l->bytes -= below(seed, 2) ? l->element * below(seed, (uint32_t)l->len[0]) : 0;
}

static void make_up(struct random_case *r, uint64_t *seed)
{
	uint32_t copies = 1 + below(seed, 2);

	memset(r, 0, sizeof *r);
	r->ctas = 1;
	for (unsigned d = 0; d < 3; d++) {
		r->at.grid[d] = 1 + below(seed, 5 - d);
		r->at.block[d] = 1 + below(seed, 2);
		r->ctas *= r->at.grid[d];
	}
	r->m.n_zones = 2u << below(seed, 2);
	r->m.n_stacks = copies * r->m.n_zones;
	r->m.page = 2048u << below(seed, 3);
	for (uint32_t z = 0; z < r->m.n_zones; z++)
		r->m.n_sms += r->sms[z] = 1 + below(seed, 3);
	for (uint32_t k = 0; k < r->m.n_stacks; k++)
		r->zone_of_stack[k] = (uint16_t)(k / copies);
	r->m.sms = r->sms;
	r->m.zone_of_stack = r->zone_of_stack;
	r->n = 1 + below(seed, 3);
	for (uint32_t i = 0; i < r->n; i++) {
		make_up_descriptor(r, &r->l[i], seed);
		r->l[i].base += (uint64_t)i << 40; /* structures of their own */
	}
}

/* The CTA-level C-tile that a D-tile belongs to, from the C-tile's place in the traversal. */
static uint32_t owner(const struct random_case *r, const struct ldesc *l, const struct view *v, const uint64_t d_tile[3])
{
	uint32_t n[4] = {0}, at[3], mine;
	uint64_t index;

	for (unsigned d = 0; d < 3; d++) {
		uint32_t extent = r->at.grid[d] * (l->c_unit == LDESC_THREADS ? r->at.block[d] : 1);

		n[l->rank[d]] = (extent + l->c_tile[d] - 1) / l->c_tile[d];
	}
	index = d_tile[0] + n[1] * (d_tile[1] + (uint64_t)n[2] * d_tile[2]); /* as many along X as there are of rank 1
									      * .. */
	for (unsigned d = 0; d < 3; d++) {
		uint64_t before = 1;

		for (unsigned k = 1; k < l->rank[d]; k++)
			before *= n[k];
		mine = (uint32_t)(index / before % n[l->rank[d]]) * l->c_tile[d];
		at[d] = (l->c_unit == LDESC_THREADS ? mine / r->at.block[d] : mine) / v->tile[d];
	}
	return at[0] + v->n[0] * (at[1] + v->n[1] * at[2]);
}

static void view_of(const struct random_case *r, const struct ldesc *l, struct view *v)
{
	for (unsigned d = 0; d < 3; d++) {
		uint32_t b = l->c_unit == LDESC_THREADS ? r->at.block[d] : 1, t = (l->c_tile[d] + b - 1) / b;

		v->tile[d] = t < r->at.grid[d] ? t : r->at.grid[d];
		v->n[d] = (r->at.grid[d] + v->tile[d] - 1) / v->tile[d];
	}
}

static uint32_t tile_of(const struct random_case *r, const struct view *v, uint32_t cta)
{
	const uint32_t *g = r->at.grid;

	return cta % g[0] / v->tile[0] + v->n[0] * (cta / g[0] % g[1] / v->tile[1] + v->n[1] * (cta / g[0] / g[1] / v->tile[2]));
}

/* Calls for each element in the buffer: its address and the tile that accesses it. */
typedef void (*element_fn)(void *ctx, uint64_t addr, uint32_t tile);
static void each_element(const struct random_case *r, const struct ldesc *l, const struct view *v, element_fn fn, void *ctx)
{
	for (uint64_t z = 0, i = 0; z < l->len[2]; z++)
		for (uint64_t y = 0; y < l->len[1]; y++)
			for (uint64_t x = 0; x < l->len[0]; x++, i++)
				if (i * l->element < l->bytes)
					fn(ctx, l->base + i * l->element,
					   owner(r, l, v, (uint64_t[]){x / l->d_tile[0], y / l->d_tile[1], z / l->d_tile[2]}));
}

struct held_ctx {
	const struct random_case *r;
	const struct ldesc *l;
	struct view *v;
	unsigned bit;
	uint64_t pages; /* bit == LDESC_PAGES: in equal runs */
};

static void hold(void *ctx, uint64_t addr, uint32_t tile)
{
	struct held_ctx *h = ctx;
	const struct ldesc_numa *m = &h->r->m;
	uint64_t page = addr / m->page - h->l->base / m->page;
	uint64_t stack = h->bit == LDESC_PAGES ? page * m->n_stacks / h->pages : addr >> h->bit & (m->n_stacks - 1);

	h->v->held[tile][m->zone_of_stack[stack]] += h->l->element;
}

static void hold_all(const struct random_case *r, const struct ldesc *l, struct view *v, unsigned bit)
{
	struct held_ctx h = {r, l, v, bit, (l->base + l->bytes - 1) / r->m.page - l->base / r->m.page + 1};

	memset(v->held, 0, sizeof v->held);
	each_element(r, l, v, hold, &h);
}

/* CTAs are in one part if they are in one C-tile, and beside each other in it within a box of `size`. */
static uint32_t parts_of(const struct random_case *r, const struct view *v, const uint32_t size[3], uint32_t part[MAX_CTAS])
{
	const uint32_t *g = r->at.grid;
	uint64_t key[MAX_CTAS];
	uint32_t n = 0;

	/* In X, Y, Z order of the parts; a key is unique to one. */
	for (uint32_t i = 0; i < r->ctas; i++) {
		uint32_t c[3] = {i % g[0], i / g[0] % g[1], i / g[0] / g[1]};

		key[i] = 0;
		for (int d = 2; d >= 0; d--)
			key[i] = key[i] * 65536 + c[d] / v->tile[d] * 256 + c[d] % v->tile[d] / size[d];
	}
	for (uint32_t done = 0; done < r->ctas; n++) {
		uint64_t low = UINT64_MAX;

		for (uint32_t i = 0; i < r->ctas; i++)
			low = key[i] < low ? key[i] : low;
		for (uint32_t i = 0; i < r->ctas; i++)
			if (key[i] == low) {
				key[i] = UINT64_MAX;
				part[i] = n;
				done++;
			}
	}
	return n;
}

static bool partition(const struct random_case *r, const struct view *v, uint16_t *zone)
{
	uint32_t size[3] = {v->tile[0], v->tile[1], v->tile[2]}, part[MAX_CTAS], n = parts_of(r, v, size, part);
	uint64_t load[MAX_ZONES] = {0};
	bool good = true;

	while (n < r->m.n_sms && size[0] * size[1] * size[2] > 1) {
		unsigned d = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;

		size[d] = (size[d] + 1) / 2;
		n = parts_of(r, v, size, part);
	}
	for (uint32_t k = 0; k < n; k++) {
		uint32_t best = 0, first = 0;

		while (part[first] != k)
			first++;
		for (uint32_t z = 1; z < r->m.n_zones; z++) {
			uint64_t mine = v->held[tile_of(r, v, first)][z], other = v->held[tile_of(r, v, first)][best];

			if (mine > other || (mine == other && load[z] * r->sms[best] < load[best] * r->sms[z]))
				best = z;
		}
		for (uint32_t i = 0; i < r->ctas; i++)
			if (part[i] == k) {
				zone[i] = (uint16_t)best;
				load[best]++;
			}
	}
	for (uint32_t z = 0; z < r->m.n_zones; z++) {
		double share = (double)r->ctas * r->sms[z] / r->m.n_sms,
		       up = (double)((r->ctas * r->sms[z] + r->m.n_sms - 1) / r->m.n_sms);

		good &= (double)load[z] <= 1.25 * share || (double)load[z] <= up;
	}
	return good;
}

struct use_ctx {
	const struct random_case *r;
	const struct ldesc *l;
	const struct view *v;
	const uint16_t *zone;
	uint64_t (*used)[MAX_ZONES];
};

static void use(void *ctx, uint64_t addr, uint32_t tile)
{
	struct use_ctx *u = ctx;
	uint64_t page = addr / u->r->m.page - u->l->base / u->r->m.page;

	cr_assert_lt(page, MAX_PAGES);
	for (uint32_t i = 0; i < u->r->ctas; i++)
		if (tile_of(u->r, u->v, i) == tile)
			u->used[page][u->zone[i]] += u->l->element;
}

/* Each page where most of its accesses come from: no other way to place pages has more local ones. */
static uint64_t local_by_pages(const struct random_case *r, const struct ldesc *l, const struct view *v, const uint16_t *zone)
{
	static uint64_t used[MAX_PAGES][MAX_ZONES];
	struct use_ctx u = {r, l, v, zone, used};
	uint64_t local = 0;

	memset(used, 0, sizeof used);
	each_element(r, l, v, use, &u);
	for (uint32_t p = 0; p < MAX_PAGES; p++) {
		uint64_t most = 0;

		for (uint32_t z = 0; z < r->m.n_zones; z++)
			most = used[p][z] > most ? used[p][z] : most;
		local += most;
	}
	return local;
}

/* Descriptor i's utility with the CTAs where they are. first: whole pages are in runs. */
static double utility(const struct random_case *r, uint32_t i, unsigned bit, const uint16_t *zone, bool first)
{
	static struct view v;
	uint64_t local = 0, all = 0;

	view_of(r, &r->l[i], &v);
	hold_all(r, &r->l[i], &v, bit);
	for (uint32_t c = 0; c < r->ctas; c++) {
		local += v.held[tile_of(r, &v, c)][zone[c]];
		for (uint32_t z = 0; z < r->m.n_zones; z++)
			all += v.held[tile_of(r, &v, c)][z];
	}
	if (bit == LDESC_PAGES && !first)
		local = local_by_pages(r, &r->l[i], &v, zone);
	return all ? (double)(r->n - i) * ((double)local / (double)all) : 0;
}

struct answer {
	double total;
	unsigned bit[3];
	uint16_t zone[MAX_CTAS];
};

static void by_brute_force(const struct random_case *r, struct answer *best)
{
	static struct view v;
	uint16_t zone[MAX_CTAS];
	double util[3][LDESC_CANDIDATES];

	*best = (struct answer){0};
	for (unsigned a = 0; a < LDESC_CANDIDATES; a++) {
		view_of(r, &r->l[0], &v);
		hold_all(r, &r->l[0], &v, LDESC_BIT_LOW + a);
		if (!partition(r, &v, zone))
			continue;
		util[0][a] = utility(r, 0, LDESC_BIT_LOW + a, zone, true);
		for (unsigned k = 0; k < LDESC_CANDIDATES; k++)
			for (uint32_t i = 1; i < r->n; i++)
				util[i][k] = utility(r, i, LDESC_BIT_LOW + k, zone, false);
		for (unsigned b = 0; b < (r->n > 1 ? LDESC_CANDIDATES : 1u); b++)
			for (unsigned c = 0; c < (r->n > 2 ? LDESC_CANDIDATES : 1u); c++) {
				double sum = util[0][a] + (r->n > 1 ? util[1][b] : 0) + (r->n > 2 ? util[2][c] : 0);

				if (sum <= best->total)
					continue;
				*best = (struct answer){sum, {LDESC_BIT_LOW + a, LDESC_BIT_LOW + b, LDESC_BIT_LOW + c}, {0}};
				memcpy(best->zone, zone, sizeof zone);
			}
	}
}

Test(zones, are_those_of_a_search_through_all_maps)
{
	static struct random_case r;
	static struct answer want;
	uint64_t seed = 7;
	uint32_t placed = 0, pages = 0, several = 0;

	for (int i = 0; i < 3000; i++) {
		struct arena a = {0};
		struct ldesc_zones z;

		make_up(&r, &seed);
		find(&z, r.l, r.n, &r.at, &r.m, &a);
		by_brute_force(&r, &want);
		cr_assert_eq(z.total, want.total, "case %d: %.17g, not %.17g", i, z.total, want.total);
		for (uint32_t k = 0; k < r.n && want.total > 0; k++) {
			cr_assert_eq(z.map[k].bit, want.bit[k], "case %d", i);
			pages += want.bit[k] == LDESC_PAGES;
		}
		cr_assert(want.total == 0 || !memcmp(z.zone, want.zone, r.ctas * sizeof *z.zone), "case %d", i);
		placed += want.total > 0;
		several += want.total > 0 && r.n > 1 && want.bit[0] != want.bit[1];
		arena_free(&a);
	}
	cr_expect(placed > 1000 && pages > 100 && several > 500, "%u %u %u", placed, pages, several);
}
