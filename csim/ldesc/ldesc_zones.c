/* The search: NUMA_PART, COMP_UTIL, and the candidates. */
#include "ldesc/ldesc_zones_impl.h"

#include <string.h>

#include "ldesc/ldesc_clusters.h"

/* The CTAs of each tile in each zone. */
static void count_ctas(const struct ldesc_tiles *t, const struct ldesc_numa *m, const uint16_t *zone, uint64_t *ctas)
{
	uint32_t at[3];

	memset(ctas, 0, (uint64_t)t->count * m->n_zones * sizeof *ctas);
	for (uint32_t i = 0; i < t->n_ctas; i++) {
		ldesc_cta_position(t, i, at);
		ctas[(uint64_t)ldesc_tile_at(t, at) * m->n_zones + zone[i]]++;
	}
}

/* local / (local + remote) */
static double local_share(uint32_t n_tiles, uint32_t n_zones, const uint64_t *ctas, const uint64_t *held)
{
	uint64_t local = 0, all = 0;

	for (uint32_t t = 0; t < n_tiles; t++, ctas += n_zones, held += n_zones) {
		uint64_t n = 0, bytes = 0;

		for (uint32_t z = 0; z < n_zones; z++) {
			local += ctas[z] * held[z];
			n += ctas[z];
			bytes += held[z];
		}
		all += n * bytes;
	}
	return all ? (double)local / (double)all : 0;
}

/* ---- CTAs ---- */

/* The parts into which C-tiles are split, each inside one C-tile. */
struct parts {
	uint32_t size[3], a_tile[3], n[3], count;
};

static void count_parts(struct parts *p, const struct ldesc_tiles *t)
{
	p->count = 1;
	for (unsigned d = 0; d < 3; d++) {
		uint32_t rest = t->at->grid[d] % t->size[d];

		p->a_tile[d] = (t->size[d] - 1) / p->size[d] + 1;
		p->n[d] = t->at->grid[d] / t->size[d] * p->a_tile[d] + (rest ? (rest - 1) / p->size[d] + 1 : 0);
		p->count *= p->n[d];
	}
}

static struct parts split(const struct ldesc_tiles *t, uint32_t sms)
{
	struct parts p;

	memcpy(p.size, t->size, sizeof p.size);
	do
		count_parts(&p, t);
	while (p.count < sms && ldesc_halve(p.size));
	return p;
}

static uint32_t part_at(const struct parts *p, const struct ldesc_tiles *t, const uint32_t cta[3])
{
	uint32_t at[3];

	for (unsigned d = 0; d < 3; d++)
		at[d] = cta[d] / t->size[d] * p->a_tile[d] + cta[d] % t->size[d] / p->size[d];
	return at[0] + p->n[0] * (at[1] + p->n[1] * at[2]);
}

/* Whether zone a is less full than b, which both have SMs. */
static bool emptier(const struct ldesc_numa *m, const uint64_t *load, uint32_t a, uint32_t b)
{
	return load[a] * m->sms[b] < load[b] * m->sms[a];
}

static uint32_t best_zone(const struct ldesc_numa *m, const uint64_t *held, const uint64_t *load)
{
	uint32_t best = m->n_zones;

	for (uint32_t z = 0; z < m->n_zones; z++)
		if (m->sms[z] &&
		    (best == m->n_zones || held[z] > held[best] || (held[z] == held[best] && emptier(m, load, z, best))))
			best = z;
	return best;
}

static bool balanced(const struct ldesc_numa *m, const uint64_t *load, uint64_t n_ctas)
{
	for (uint32_t z = 0; z < m->n_zones; z++) {
		uint64_t share = n_ctas * m->sms[z]; /* times n_sms */

		if (4 * load[z] * m->n_sms > 5 * share && load[z] > (share + m->n_sms - 1) / m->n_sms)
			return false;
	}
	return true;
}

/* NUMA_PART. False: the zones are not balanced. */
static bool numa_part(const struct ldesc_tiles *t, const struct ldesc_numa *m, const uint64_t *held, uint16_t *zone)
{
	struct arena a = {0};
	struct parts p = split(t, m->n_sms);
	uint32_t *size = arena_array(&a, p.count, sizeof *size), *tile = arena_array(&a, p.count, sizeof *tile), at[3];
	uint16_t *of = arena_array(&a, p.count, sizeof *of);
	uint64_t *load = arena_array(&a, m->n_zones, sizeof *load);
	bool good;

	for (uint32_t i = 0; i < t->n_ctas; i++) {
		ldesc_cta_position(t, i, at);
		size[part_at(&p, t, at)]++;
		tile[part_at(&p, t, at)] = ldesc_tile_at(t, at);
	}
	for (uint32_t k = 0; k < p.count; k++) {
		of[k] = (uint16_t)best_zone(m, &held[(uint64_t)tile[k] * m->n_zones], load);
		load[of[k]] += size[k];
	}
	for (uint32_t i = 0; i < t->n_ctas; i++) {
		ldesc_cta_position(t, i, at);
		zone[i] = of[part_at(&p, t, at)];
	}
	good = balanced(m, load, t->n_ctas);
	arena_free(&a);
	return good;
}

void ldesc_split_evenly(const struct ldesc_numa *m, uint32_t n_ctas, uint16_t *zone)
{
	uint64_t before = 0; /* SMs */

	for (uint32_t z = 0, i = 0; z < m->n_zones; z++)
		for (before += m->sms[z]; i < n_ctas && i < before * n_ctas / m->n_sms; i++)
			zone[i] = (uint16_t)z;
}

/* ---- the search ---- */

/* What is tried for the first descriptor: its map, what follows from it, and what is best for the others. */
struct candidate {
	bool valid;
	uint16_t *zone; /* of CTAs */
	double total;
	double *utility;       /* of descriptors */
	struct ldesc_map *map; /* of descriptors */
};

struct search {
	const struct ldesc_set *set;
	const struct ldesc_launch *at;
	const struct ldesc_numa *m;
	const struct ldesc_map *const *fixed;
	struct arena *keep, scratch;
	struct candidate c[LDESC_CANDIDATES];
	uint64_t *held, *ctas;
};

static const struct ldesc_map *fixed_map(const struct search *s, uint32_t i)
{
	return s->fixed ? s->fixed[i] : NULL;
}

/* Whether candidate k is open to descriptor i; one that is decided has only its own. */
static bool is_open(const struct search *s, uint32_t i, unsigned k)
{
	const struct ldesc_map *f = fixed_map(s, i);

	return !f || f->bit == LDESC_BIT_LOW + k;
}

static void try_first(struct search *s, const struct ldesc_tiles *t, unsigned k)
{
	struct candidate *c = &s->c[k];
	const struct ldesc_map *f = fixed_map(s, 0);

	c->map = arena_array(s->keep, s->set->n, sizeof *c->map);
	c->utility = arena_array(s->keep, s->set->n, sizeof *c->utility);
	c->zone = arena_array(s->keep, t->n_ctas, sizeof *c->zone);
	c->map[0].bit = (uint8_t)(LDESC_BIT_LOW + k);
	if (f) {
		c->map[0] = *f;
	} else if (c->map[0].bit == LDESC_PAGES) {
		ldesc_new_pages(&c->map[0], t->l, s->m, s->keep);
		ldesc_pages_in_runs(&c->map[0], s->m);
	}
	ldesc_held_bytes(t, s->m, &c->map[0], s->held);
	c->valid = numa_part(t, s->m, s->held, c->zone);
	count_ctas(t, s->m, c->zone, s->ctas);
	c->utility[0] = s->set->n * local_share(t->count, s->m->n_zones, s->ctas, s->held);
	c->total = c->utility[0];
}

/* COMP_UTIL of descriptor i under one of its own candidates, beside candidate c of the first. */
static void offer(struct search *s, struct candidate *c, uint32_t i, const struct ldesc_tiles *t, const struct ldesc_map *map)
{
	double util = (double)(s->set->n - i) * local_share(t->count, s->m->n_zones, s->ctas, s->held);

	if (c->map[i].bit != LDESC_UNPLACED && util <= c->utility[i])
		return;
	c->map[i] = *map;
	c->utility[i] = util;
}

static void try_pages(struct search *s, struct candidate *c, uint32_t i, const struct ldesc_tiles *t)
{
	const struct ldesc_map *f = fixed_map(s, i);
	struct ldesc_map map = {0};

	if (f) {
		map = *f;
	} else {
		ldesc_new_pages(&map, t->l, s->m, s->keep);
		ldesc_pages_by_use(&map, t, s->m, s->ctas);
	}
	ldesc_held_bytes(t, s->m, &map, s->held);
	offer(s, c, i, t, &map);
}

/* All candidates of descriptor i beside all of the first. What is where does not depend on the first's, but for
 * pages. */
static void try_other(struct search *s, uint32_t i)
{
	struct ldesc_tiles t = ldesc_tiles_of(&s->set->d[i], s->at);

	for (unsigned k = 0; k < LDESC_CANDIDATES; k++) {
		struct ldesc_map map = {.bit = (uint8_t)(LDESC_BIT_LOW + k)};

		if (!is_open(s, i, k))
			continue;
		if (map.bit != LDESC_PAGES)
			ldesc_held_bytes(&t, s->m, &map, s->held);
		for (unsigned first = 0; first < LDESC_CANDIDATES; first++) {
			struct candidate *c = &s->c[first];

			if (!c->valid)
				continue;
			count_ctas(&t, s->m, c->zone, s->ctas);
			if (map.bit == LDESC_PAGES)
				try_pages(s, c, i, &t);
			else
				offer(s, c, i, &t, &map);
		}
	}
	for (unsigned first = 0; first < LDESC_CANDIDATES; first++)
		if (s->c[first].valid)
			s->c[first].total += s->c[first].utility[i];
}

static void take_best(struct ldesc_zones *z, const struct search *s, uint32_t n_ctas)
{
	const struct candidate *best = NULL;

	for (unsigned k = 0; k < LDESC_CANDIDATES; k++) {
		const struct candidate *c = &s->c[k];

		z->candidate[k] = c->valid ? c->total : -1;
		if (c->valid && c->total > (best ? best->total : 0))
			best = c;
	}
	if (best) {
		z->zone = best->zone;
		z->map = best->map;
		z->utility = best->utility;
		z->total = best->total;
		return;
	}
	z->map = arena_array(s->keep, s->set->n, sizeof *z->map);
	z->utility = arena_array(s->keep, s->set->n, sizeof *z->utility);
	z->zone = arena_array(s->keep, n_ctas, sizeof *z->zone);
	z->total = 0;
	for (uint32_t i = 0; i < s->set->n; i++)
		z->map[i] = fixed_map(s, i) ? *fixed_map(s, i) : (struct ldesc_map){.bit = LDESC_XOR};
	ldesc_split_evenly(s->m, n_ctas, z->zone);
}

void ldesc_find_zones(struct ldesc_zones *z, const struct ldesc_set *set, const struct ldesc_launch *at, const struct ldesc_numa *m,
		      const struct ldesc_map *const *fixed, struct arena *a)
{
	struct search s = {.set = set, .at = at, .m = m, .fixed = fixed, .keep = a};
	struct ldesc_tiles first = ldesc_tiles_of(&set->d[0], at);
	uint64_t room = 0;

	for (uint32_t i = 0; i < set->n; i++) {
		uint64_t need = (uint64_t)ldesc_tiles_of(&set->d[i], at).count * m->n_zones;

		room = need > room ? need : room;
	}
	s.held = arena_array(&s.scratch, room, sizeof *s.held);
	s.ctas = arena_array(&s.scratch, room, sizeof *s.ctas);
	for (unsigned k = 0; k < LDESC_CANDIDATES; k++)
		if (is_open(&s, 0, k))
			try_first(&s, &first, k);
	for (uint32_t i = 1; i < set->n; i++)
		try_other(&s, i);
	take_best(z, &s, first.n_ctas);
	arena_free(&s.scratch);
}
