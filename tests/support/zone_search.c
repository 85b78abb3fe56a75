#include "support/zone_search.h"

#include <criterion/criterion.h>
#include <string.h>

#include "support/random.h"

enum { MAX_PAGES = 4096 };

/* Where a C-tile is in the grid: worked out anew from the definition. */
struct view {
	uint32_t tile[3], n[3];
	uint64_t held[ZONE_MAX_CTAS][ZONE_MAX_ZONES];
};

static uint32_t below(uint64_t *seed, uint32_t n)
{
	return (uint32_t)random_below(seed, n);
}

static void make_up_descriptor(struct zone_case *r, struct ldesc *l, uint64_t *seed)
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

void zone_case_make_up(struct zone_case *r, uint64_t *seed)
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
static uint32_t owner(const struct zone_case *r, const struct ldesc *l, const struct view *v, const uint64_t d_tile[3])
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

static void view_of(const struct zone_case *r, const struct ldesc *l, struct view *v)
{
	for (unsigned d = 0; d < 3; d++) {
		uint32_t b = l->c_unit == LDESC_THREADS ? r->at.block[d] : 1, t = (l->c_tile[d] + b - 1) / b;

		v->tile[d] = t < r->at.grid[d] ? t : r->at.grid[d];
		v->n[d] = (r->at.grid[d] + v->tile[d] - 1) / v->tile[d];
	}
}

static uint32_t tile_of(const struct zone_case *r, const struct view *v, uint32_t cta)
{
	const uint32_t *g = r->at.grid;

	return cta % g[0] / v->tile[0] + v->n[0] * (cta / g[0] % g[1] / v->tile[1] + v->n[1] * (cta / g[0] / g[1] / v->tile[2]));
}

/* Calls for each element in the buffer: its address and the tile that accesses it. */
typedef void (*element_fn)(void *ctx, uint64_t addr, uint32_t tile);
static void each_element(const struct zone_case *r, const struct ldesc *l, const struct view *v, element_fn fn, void *ctx)
{
	for (uint64_t z = 0, i = 0; z < l->len[2]; z++)
		for (uint64_t y = 0; y < l->len[1]; y++)
			for (uint64_t x = 0; x < l->len[0]; x++, i++)
				if (i * l->element < l->bytes)
					fn(ctx, l->base + i * l->element,
					   owner(r, l, v, (uint64_t[]){x / l->d_tile[0], y / l->d_tile[1], z / l->d_tile[2]}));
}

struct held_ctx {
	const struct zone_case *r;
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

static void hold_all(const struct zone_case *r, const struct ldesc *l, struct view *v, unsigned bit)
{
	struct held_ctx h = {r, l, v, bit, (l->base + l->bytes - 1) / r->m.page - l->base / r->m.page + 1};

	memset(v->held, 0, sizeof v->held);
	each_element(r, l, v, hold, &h);
}

/* CTAs are in one part if they are in one C-tile, and beside each other in it within a box of `size`. */
static uint32_t parts_of(const struct zone_case *r, const struct view *v, const uint32_t size[3], uint32_t part[ZONE_MAX_CTAS])
{
	const uint32_t *g = r->at.grid;
	uint64_t key[ZONE_MAX_CTAS];
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

static bool partition(const struct zone_case *r, const struct view *v, uint16_t *zone)
{
	uint32_t size[3] = {v->tile[0], v->tile[1], v->tile[2]}, part[ZONE_MAX_CTAS], n = parts_of(r, v, size, part);
	uint64_t load[ZONE_MAX_ZONES] = {0};
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
	const struct zone_case *r;
	const struct ldesc *l;
	const struct view *v;
	const uint16_t *zone;
	uint64_t (*used)[ZONE_MAX_ZONES];
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
static uint64_t local_by_pages(const struct zone_case *r, const struct ldesc *l, const struct view *v, const uint16_t *zone)
{
	static uint64_t used[MAX_PAGES][ZONE_MAX_ZONES];
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
static double utility(const struct zone_case *r, uint32_t i, unsigned bit, const uint16_t *zone, bool first)
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

void zone_search(const struct zone_case *r, struct zone_answer *best)
{
	static struct view v;
	uint16_t zone[ZONE_MAX_CTAS];
	double util[3][LDESC_CANDIDATES];

	*best = (struct zone_answer){0};
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
				*best = (struct zone_answer){sum, {LDESC_BIT_LOW + a, LDESC_BIT_LOW + b, LDESC_BIT_LOW + c}, {0}};
				memcpy(best->zone, zone, sizeof zone);
			}
	}
}
