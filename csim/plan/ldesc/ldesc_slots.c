/* What caches do with the data structures of a launch: from its descriptors to the entries of locality tables. */
#include "machine/occupancy.h"
#include "plan/ldesc/ldesc_plan.h"

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* ---- how far ahead a stride prefetch goes ---- */

/* A launch on one SM that is full: CTA i of those that it gets first. */
struct resident {
	const struct plan_launch *plan;
	uint32_t sm, n_sms, n_ctas, n;
};

static struct resident residents(const struct plan *p, const struct ldesc_plan *f, uint32_t launch, uint32_t sm)
{
	const struct trace_launch *t = trace_launch(f->req->trace, launch);
	struct resident r = {.plan = &p->launch[launch], .sm = sm, .n_sms = p->n_sms, .n_ctas = t->n_ctas};
	struct occupancy o = {.ctas = 1};
	struct err e;

	/* that fails again in the run */
	occupancy_of(f->req->machine, trace_kernel(f->req->trace, t->kernel), t, &o, &e);
	if (r.plan->dispatch == DISPATCH_LISTS)
		r.n = r.plan->lists->first[sm + 1] - r.plan->lists->first[sm];
	else
		r.n = (r.n_ctas + r.n_sms - 1 - sm) / r.n_sms;
	r.n = (uint32_t)least(r.n, o.ctas);
	return r;
}

static uint32_t resident_cta(const struct resident *r, uint32_t i)
{
	return r->plan->dispatch == DISPATCH_LISTS ? r->plan->lists->cta[r->plan->lists->first[r->sm] + i] : r->sm + i * r->n_sms;
}

/* The C-tiles in CTAs, each of which accesses a D-tile. */
static struct plan_tiles tiles_of(const struct ldesc *l, const struct ldesc_launch *at)
{
	struct plan_tiles t = {.n_distances = 0};

	ldesc_c_tile_ctas(l, at, t.c_tile);
	for (unsigned d = 0; d < 3; d++)
		t.n[d] = (at->grid[d] + t.c_tile[d] - 1) / t.c_tile[d];
	return t;
}

/* C-tiles that begin in a CTA, each of which has a D-tile of its own: more than one if they are given in a few
 * threads. */
static uint64_t tiles_in_cta(const struct ldesc *l, const struct ldesc_launch *at)
{
	uint64_t n = 1;

	for (unsigned d = 0; d < 3 && l->c_unit == LDESC_THREADS; d++)
		n *= (at->block[d] + l->c_tile[d] - 1) / l->c_tile[d];
	return n;
}

static uint64_t active_tiles_of(const struct ldesc *l, const struct ldesc_launch *at, const struct resident *r)
{
	struct plan_tiles t = tiles_of(l, at);
	uint64_t n = 0;

	for (uint32_t i = 0; i < r->n; i++) {
		uint32_t tile = plan_tile_of(&t, at->grid, resident_cta(r, i));
		bool again = false;

		for (uint32_t k = 0; k < i && !again; k++)
			again = plan_tile_of(&t, at->grid, resident_cta(r, k)) == tile;
		n += !again;
	}
	return n * tiles_in_cta(l, at);
}

/* The most D-tiles that the CTAs of a full SM access at a time. */
static uint64_t active_tiles(const struct plan *p, const struct ldesc_plan *f, const struct ldesc *l, uint32_t launch)
{
	struct ldesc_launch at = ldesc_plan_launch(f->req, launch);
	uint64_t most = 1;

	for (uint32_t sm = 0; sm < p->n_sms && sm < trace_launch(f->req->trace, launch)->n_ctas; sm++) {
		struct resident r = residents(p, f, launch, sm);
		uint64_t n = active_tiles_of(l, &at, &r);

		most = n > most ? n : most;
	}
	return most;
}

uint32_t ldesc_prefetch_distance(const struct ldesc *l, uint32_t l1_bytes, uint64_t tiles)
{
	uint64_t strides = l1_bytes / (tiles * l->d_tile[0] * l->element), distance;

	distance = (strides ? strides : 1) * l->stride * l->element;
	return (uint32_t)least(distance, UINT32_MAX);
}

/* For as many tiles as an SM can hold CTAs. */
static void fill_distances(struct plan_tiles *t, const struct ldesc_plan *f, const struct ldesc *l, uint32_t launch)
{
	struct ldesc_launch at = ldesc_plan_launch(f->req, launch);
	uint32_t n = f->req->machine->sm.ctas, *distance = arena_array(f->req->arena, n, sizeof *distance);

	*t = tiles_of(l, &at);
	for (uint32_t i = 0; i < n; i++)
		distance[i] = ldesc_prefetch_distance(l, f->req->machine->l1.c.bytes, (i + 1) * tiles_in_cta(l, &at));
	t->n_distances = n;
	t->distance = distance;
}

/* ---- entries ---- */

/* Of several priorities the table needs the order alone. */
static void make_entries(struct plan_launch *to, const struct ldesc_set *set, struct arena *a)
{
	const char **names;

	to->n_localities = (uint32_t)least(set->n, PLAN_LOCALITIES);
	to->locality = arena_array(a, to->n_localities, sizeof *to->locality);
	to->locality_name = names = arena_array(a, to->n_localities, sizeof *names);
	to->tiles = arena_array(a, to->n_localities, sizeof *to->tiles);
	for (uint32_t i = 0; i < to->n_localities; i++) {
		const struct ldesc *l = &set->d[i];
		struct locality_entry *e = &to->locality[i];

		e->base = l->base;
		e->bound = l->base + least(l->bytes, l->len[0] * l->len[1] * l->len[2] * l->element);
		if (i)
			e->priority = (uint8_t)(e[-1].priority + (l->priority != set->d[i - 1].priority));
		names[i] = arena_strdup(a, l->name);
	}
}

static void fill_entry(struct locality_entry *e, const struct ldesc_choice *c)
{
	static const enum locality_caching caching[] = {[LDESC_CACHE_AS_IS] = LOCALITY_AS_IS,
							[LDESC_BYPASS] = LOCALITY_BYPASS,
							[LDESC_SOFT_PIN] = LOCALITY_SOFT_PIN,
							[LDESC_HARD_PIN] = LOCALITY_HARD_PIN};
	static const enum locality_prefetch prefetch[] = {[LDESC_NO_PREFETCH] = LOCALITY_NO_PREFETCH,
							  [LDESC_PREFETCH_STRIDE] = LOCALITY_STRIDE,
							  [LDESC_PREFETCH_NEXT_LINE] = LOCALITY_NEXT_LINE};

	if (c->caching)
		e->caching = caching[c->caching];
	if (c->prefetch)
		e->prefetch = prefetch[c->prefetch];
}

static void fill_launch(struct plan *p, const struct ldesc_plan *f, uint32_t launch, ldesc_choose_fn choose)
{
	const struct ldesc_set *set = f->launch[launch].set;
	struct plan_launch *to = &p->launch[launch];

	if (!to->locality)
		make_entries(to, set, f->req->arena);
	for (uint32_t i = 0; i < to->n_localities; i++) {
		struct ldesc_choice c = choose(&set->d[i], f->is_numa);

		fill_entry(&to->locality[i], &c);
		if (c.prefetch != LDESC_PREFETCH_STRIDE)
			continue;
		fill_distances(&to->tiles[i], f, &set->d[i], launch);
		to->locality[i].distance =
			ldesc_prefetch_distance(&set->d[i], f->req->machine->l1.c.bytes, active_tiles(p, f, &set->d[i], launch));
	}
}

void ldesc_plan_fill_localities(struct plan *p, const struct ldesc_plan *f, ldesc_choose_fn choose)
{
	if (!p->launch)
		p->launch = arena_array(f->req->arena, p->n_launches, sizeof *p->launch);
	for (uint32_t i = 0; i < p->n_launches; i++)
		if (f->launch[i].set)
			fill_launch(p, f, i, choose);
}
