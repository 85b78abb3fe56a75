/* Maps of buffers, zones and clusters of launches. */
#include <string.h>

#include "ldesc/ldesc_choice.h"
#include "plan/ldesc/ldesc_plan.h"

struct ldesc_launch ldesc_plan_launch(const struct planner_request *req, uint32_t i)
{
	const struct trace_launch *l = trace_launch(req->trace, i);
	struct ldesc_launch at;

	memcpy(at.grid, l->grid, sizeof at.grid);
	memcpy(at.block, l->block, sizeof at.block);
	return at;
}

static struct ldesc_numa numa_of(const struct topology_view *s)
{
	return (struct ldesc_numa){.n_sms = s->n_sms,
				   .n_zones = s->n_modules,
				   .n_stacks = s->n_stacks,
				   .page = s->page,
				   .sms = s->sms,
				   .zone_of_stack = s->module_of_stack};
}

static uint32_t buffer_of(const struct planner_request *req, const struct ldesc *l)
{
	return (uint32_t)trace_buffer_of(req->trace, l->base);
}

/* ---- maps: one placement a buffer and run ---- */

/* Whether the map says which zone has what. */
static bool has_zones(const struct ldesc_map *m)
{
	return m->bit != LDESC_UNPLACED && m->bit != LDESC_XOR;
}

/* The first descriptor of each buffer. with_maps: only of buffers that have a map with zones. */
static struct ldesc_set first_of_buffers(const struct ldesc_plan *f, const struct ldesc_set *set, const struct ldesc_map *with_maps)
{
	struct ldesc *d = arena_array(f->req->arena, set->n, sizeof *d);
	uint32_t n = 0;

	for (uint32_t i = 0; i < set->n; i++) {
		uint32_t buffer = buffer_of(f->req, &set->d[i]);
		bool taken = with_maps && !has_zones(&with_maps[buffer]);

		for (uint32_t k = 0; k < n && !taken; k++)
			taken = buffer_of(f->req, &d[k]) == buffer;
		if (!taken)
			d[n++] = set->d[i];
	}
	return (struct ldesc_set){n, d};
}

/* By buffer: the launch whose descriptor covers most bytes, the first of equal ones; UINT32_MAX: nobody describes
 * it. */
static uint32_t *deciding_launches(const struct ldesc_plan *f, uint32_t n_buffers, uint32_t n_launches)
{
	uint32_t *launch = arena_array(f->req->arena, n_buffers, sizeof *launch);
	uint64_t *bytes = arena_array(f->req->arena, n_buffers, sizeof *bytes);

	memset(launch, 0xff, n_buffers * sizeof *launch);
	for (uint32_t i = 0; i < n_launches; i++)
		for (uint32_t k = 0; f->launch[i].set && k < f->launch[i].set->n; k++) {
			const struct ldesc *l = &f->launch[i].set->d[k];
			uint64_t size = l->len[0] * l->len[1] * l->len[2] * l->element, covered = size < l->bytes ? size : l->bytes;
			uint32_t b = buffer_of(f->req, l);

			if (covered <= bytes[b])
				continue;
			bytes[b] = covered;
			launch[b] = i;
		}
	return launch;
}

/* A map counts pages from its structure; the buffer's other pages are dealt to the stacks in turn, as its zones. */
static struct ldesc_map map_of_buffer(const struct ldesc_plan *f, const struct ldesc *l, const struct ldesc_map *m)
{
	const struct trace_buffer *b = trace_buffer(f->req->trace, buffer_of(f->req, l));
	uint64_t page = f->numa.page, first = b->base / page, at = l->base / page - first;
	struct ldesc_map out = {.bit = m->bit};

	if (m->bit != LDESC_PAGES)
		return out;
	out.n_pages = (uint32_t)((b->base + b->size - 1) / page - first + 1);
	out.zone = arena_array(f->req->arena, out.n_pages, sizeof *out.zone);
	for (uint32_t i = 0; i < out.n_pages; i++)
		out.zone[i] = i - at < m->n_pages ? m->zone[i - at] : f->numa.zone_of_stack[i % f->numa.n_stacks];
	return out;
}

static void find_maps(struct ldesc_plan *f, const struct plan *p)
{
	const uint32_t *deciding = deciding_launches(f, p->n_buffers, p->n_launches);

	for (uint32_t i = 0; i < p->n_launches; i++) {
		struct ldesc_launch at = ldesc_plan_launch(f->req, i);
		struct ldesc_zones z;
		struct ldesc_set set;
		bool decides = false;

		for (uint32_t b = 0; b < p->n_buffers; b++)
			decides |= deciding[b] == i;
		if (!decides)
			continue;
		set = first_of_buffers(f, f->launch[i].set, NULL);
		ldesc_find_zones(&z, &set, &at, &f->numa, NULL, f->req->arena);
		for (uint32_t k = 0; k < set.n; k++) {
			uint32_t b = buffer_of(f->req, &set.d[k]);

			if (deciding[b] == i)
				f->map[b] = map_of_buffer(f, &set.d[k], &z.map[k]);
		}
	}
}

/* ---- zones ---- */

static void find_zones(struct ldesc_plan *f, struct ldesc_found *l, const struct ldesc_launch *at)
{
	const struct ldesc_map **fixed = arena_array(f->req->arena, l->set->n, sizeof *fixed);
	uint32_t n_ctas = at->grid[0] * at->grid[1] * at->grid[2];

	l->placed = first_of_buffers(f, l->set, f->map);
	for (uint32_t k = 0; k < l->placed.n; k++) {
		const struct ldesc *d = &l->placed.d[k];
		const struct ldesc_map *m = &f->map[buffer_of(f->req, d)];
		struct ldesc_map *own = arena_alloc(f->req->arena, sizeof *own);

		*own = *m;
		if (m->bit == LDESC_PAGES) { /* from the structure's first page on */
			uint64_t skip =
				d->base / f->numa.page - trace_buffer(f->req->trace, buffer_of(f->req, d))->base / f->numa.page;

			own->zone += skip;
			own->n_pages -= (uint32_t)skip;
		}
		fixed[k] = own;
	}
	if (l->placed.n) {
		ldesc_find_zones(&l->zones, &l->placed, at, &f->numa, fixed, f->req->arena);
	} else {
		l->zones.zone = arena_array(f->req->arena, n_ctas, sizeof *l->zones.zone);
		ldesc_split_evenly(&f->numa, n_ctas, l->zones.zone);
	}
}

/* ---- clusters ---- */

/* The C-tiles that take part. */
static uint32_t c_tiles_of(const struct ldesc_plan *f, const struct ldesc_set *set, const struct ldesc_launch *at,
			   struct ldesc_dims *tile)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < set->n; i++)
		if (ldesc_choose(&set->d[i], f->is_numa).ctas)
			ldesc_c_tile_ctas(&set->d[i], at, tile[n++].of);
	return n;
}

static uint32_t first_sm(const struct topology_view *s, uint32_t module)
{
	uint32_t first = 0;

	for (uint32_t i = 0; i < module; i++)
		first += s->sms[i];
	return first;
}

/* Deals one zone's CTAs to its SMs: appends the CTAs to order and their SMs to sm. */
static uint32_t deal_zone(const struct ldesc_plan *f, struct ldesc_found *l, const struct ldesc_ctas *ctas,
			  const struct ldesc_dims *tile, uint32_t n_tiles, uint32_t *order, uint32_t *sm)
{
	struct ldesc_found_clusters *c = &l->clusters[ctas->of];
	uint32_t sms = f->req->topology->sms[ctas->of], first = first_sm(f->req->topology, ctas->of);

	if (!sms)
		return 0;
	ldesc_cluster(ctas, tile, n_tiles, sms, c->size);
	c->n = ldesc_clusters(ctas, c->size);
	c->ctas = ldesc_deal(ctas, c->size, sms, order, sm);
	for (uint32_t i = 0; i < c->ctas; i++)
		sm[i] += first;
	return c->ctas;
}

static void find_clusters(struct ldesc_plan *f, struct ldesc_found *l, const struct ldesc_launch *at)
{
	struct arena *a = f->req->arena;
	struct ldesc_dims *tile = arena_array(a, l->set->n, sizeof *tile);
	uint32_t n = at->grid[0] * at->grid[1] * at->grid[2], dealt = 0, n_tiles = c_tiles_of(f, l->set, at, tile);
	uint32_t *order = arena_array(a, n, sizeof *order), *sm = arena_array(a, n, sizeof *sm);
	struct ldesc_ctas ctas = {.zone = l->zones.zone};

	if (!n_tiles || (f->is_numa && !l->zones.zone))
		return;
	memcpy(ctas.grid, at->grid, sizeof ctas.grid);
	l->clusters = arena_array(a, f->numa.n_zones, sizeof *l->clusters);
	for (uint32_t z = 0; z < f->numa.n_zones; z++) {
		ctas.of = (uint16_t)z;
		dealt += deal_zone(f, l, &ctas, tile, n_tiles, order + dealt, sm + dealt);
	}
	l->lists = ldesc_plan_lists(f->req, order, sm, dealt);
}

/* ---- all of it ---- */

static bool same_launch(const struct ldesc_plan *f, uint32_t a, uint32_t b)
{
	struct ldesc_launch x = ldesc_plan_launch(f->req, a), y = ldesc_plan_launch(f->req, b);

	return f->launch[a].set == f->launch[b].set && !memcmp(&x, &y, sizeof x);
}

static void find_launch(struct ldesc_plan *f, uint32_t i)
{
	enum { BACK = 2 }; /* programs repeat a launch, or take turns of two */
	struct ldesc_launch at = ldesc_plan_launch(f->req, i);
	struct ldesc_found *l = &f->launch[i];

	for (uint32_t k = 1; k <= BACK && k <= i; k++)
		if (same_launch(f, i, i - k)) {
			*l = f->launch[i - k];
			return;
		}
	if (f->is_numa)
		find_zones(f, l, &at);
	find_clusters(f, l, &at);
}

int ldesc_plan_find(struct ldesc_plan *f, const struct plan *p, const struct planner_request *req, const unsigned *choice,
		    struct err *e)
{
	const struct ldesc_set *const *sets;

	*f = (struct ldesc_plan){.req = req,
				 .source = ldesc_source_of(choice),
				 .numa = numa_of(req->topology),
				 .is_numa = req->topology->n_modules > 1};
	if (req->n_programs > 1)
		return err_set(e, "--plan %s: locality descriptors are of one program; several share this machine", p->name);
	if (ldesc_source_sets(&sets, f->source, p, req, e) != 0)
		return -1;
	f->launch = arena_array(req->arena, p->n_launches, sizeof *f->launch);
	f->map = arena_array(req->arena, p->n_buffers, sizeof *f->map);
	for (uint32_t i = 0; i < p->n_launches; i++)
		f->launch[i].set = sets[i];
	if (f->is_numa)
		find_maps(f, p);
	for (uint32_t i = 0; i < p->n_launches; i++)
		if (f->launch[i].set)
			find_launch(f, i);
	return 0;
}
