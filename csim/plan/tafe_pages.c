#include "machine/topology.h"
#include "plan/tafe.h"
#include "taf/footprint.h"

/* ---- what is registered ---- */

static bool overlaps(const struct taf_array *a, const struct trace_buffer *b)
{
	return a->valid && a->base < b->base + b->size && b->base < a->limit;
}

const char *tafe_patterns(const struct taf *t, const struct trace_buffer *b)
{
	static const char *const names[] = {NULL,
					    "TID_DEP",
					    "INDIR",
					    "TID_DEP, INDIR",
					    "INDIR_RANGE",
					    "TID_DEP, INDIR_RANGE",
					    "INDIR, INDIR_RANGE",
					    "all three patterns"};
	unsigned set = 0;

	for (int i = 0; i < TAF_ARRAYS; i++)
		set |= overlaps(&t->array[i], b) ? 1u << t->array[i].type : 0;
	return names[set];
}

bool tafe_by_data(const struct taf *t, uint64_t base)
{
	for (int i = 0; i < TAF_ARRAYS; i++)
		if (t->array[i].valid && t->array[i].base == base && t->array[i].type != TAF_TID_DEP)
			return true;
	return false;
}

/* ---- who reads each page ---- */

struct users {
	uint64_t first, n; /* pages, from that of the lowest registered array to that of the highest */
	uint64_t *of;	   /* modules, a bit each */
	uint16_t *stack;
};

static void find_extent(struct users *u, const struct taf *t, uint32_t page)
{
	uint64_t last = 0;

	*u = (struct users){.first = UINT64_MAX};
	for (int i = 0; i < TAF_ARRAYS; i++) {
		if (!t->array[i].valid)
			continue;
		u->first = t->array[i].base / page < u->first ? t->array[i].base / page : u->first;
		last = (t->array[i].limit - 1) / page > last ? (t->array[i].limit - 1) / page : last;
	}
	u->n = u->first <= last ? last - u->first + 1 : 0;
}

void tafe_page_users(const struct planner_request *req, uint64_t base, const struct plan_module_maps *modules, uint64_t *users)
{
	for (uint32_t i = 0; i < modules->n; i++)
		taf_page_users(req->taf, req->extents, base, req->topology->page, modules->of[i], users);
}

static void find_users(struct users *u, const struct planner_request *req, const struct tafe_pages *how)
{
	const struct taf *t = req->taf;
	const struct topology_view *s = req->topology;
	uint64_t all = 0;

	find_extent(u, t, s->page);
	u->of = arena_array(req->arena, u->n, sizeof *u->of);
	for (uint32_t sm = 0; sm < s->n_sms; sm++)
		all |= UINT64_C(1) << s->module_of_sm[sm];
	for (int i = 0; i < TAF_ARRAYS; i++) {
		uint64_t first = t->array[i].base / s->page - u->first;

		if (!taf_is_first_entry(t, i))
			continue;
		if (!how->only_tid || !tafe_by_data(t, t->array[i].base))
			tafe_page_users(req, t->array[i].base, how->modules, &u->of[first]);
		else
			for (uint64_t k = first; k <= (t->array[i].limit - 1) / s->page - u->first; k++)
				u->of[k] = all;
	}
}

/* ---- where it goes ---- */

struct chooser {
	const struct topology_view *topology;
	enum tafe_shared shared;
	uint32_t hops[MACHINE_MAX_MODULES][MACHINE_MAX_MODULES];
	bool has_stack[MACHINE_MAX_MODULES];
	uint32_t placed[MACHINE_MAX_MODULES]; /* pages */
	uint32_t turn;			      /* pages for which modules took turns */
};

static int chooser_init(struct chooser *c, const struct planner_request *req, enum tafe_shared shared, struct err *e)
{
	struct topology t;

	*c = (struct chooser){.topology = req->topology, .shared = shared};
	if (topology_init(&t, req->arena, req->machine, e) != 0)
		return -1;
	for (uint32_t i = 0; i < req->topology->n_modules; i++)
		for (uint32_t k = 0; k < req->topology->n_modules; k++)
			c->hops[i][k] = topology_hops(&t, i, k);
	for (uint32_t k = 0; k < req->topology->n_stacks; k++)
		c->has_stack[req->topology->module_of_stack[k]] = true;
	return 0;
}

static bool is_in(uint64_t set, uint32_t module)
{
	return set >> module & 1;
}

static uint32_t distance(const struct chooser *c, uint32_t from, uint64_t users)
{
	uint32_t sum = 0;

	for (uint32_t h = 0; h < c->topology->n_modules; h++)
		sum += is_in(users, h) ? c->hops[from][h] : 0;
	return sum;
}

/* The modules with memory that are nearest to all users; those among the users, if any is. */
static uint64_t nearest(const struct chooser *c, uint64_t users)
{
	uint32_t best = UINT32_MAX;
	uint64_t set = 0;

	for (uint32_t h = 0; h < c->topology->n_modules; h++) {
		uint32_t far = distance(c, h, users);

		if (!c->has_stack[h] || far > best)
			continue;
		set = far < best ? 0 : set;
		set |= UINT64_C(1) << h;
		best = far;
	}
	return set & users ? set & users : set;
}

static uint64_t candidates(const struct chooser *c, uint64_t users)
{
	uint64_t set = 0;

	for (uint32_t h = 0; c->shared == TAFE_IN_TURN && h < c->topology->n_modules; h++)
		set |= is_in(users, h) && c->has_stack[h] ? UINT64_C(1) << h : 0;
	return set ? set : nearest(c, users);
}

/* One of a set, in turn. */
static uint32_t take_turn(struct chooser *c, uint64_t set)
{
	if (set & (set - 1))
		for (uint32_t n = c->turn++ % (uint32_t)__builtin_popcountll(set); n; n--)
			set &= set - 1;
	return (uint32_t)__builtin_ctzll(set);
}

static uint16_t stack_for(struct chooser *c, uint64_t users)
{
	uint32_t module = take_turn(c, candidates(c, users));

	return (uint16_t)topology_view_stack(c->topology, module, c->placed[module]++);
}

/* ---- a buffer ---- */

static struct plan_finding find(const struct planner_request *req, const struct trace_buffer *t, const uint64_t *users, uint32_t n)
{
	uint64_t used = 0, one = 0, sum = 0;
	const char *what = tafe_patterns(req->taf, t), *many = "";

	for (uint32_t i = 0; i < n; i++) {
		used += users[i] != 0;
		one += users[i] && !(users[i] & (users[i] - 1));
		sum += (uint64_t)__builtin_popcountll(users[i]);
	}
	if (!used)
		return (struct plan_finding){.verdict = "unused", .why = arena_printf(req->arena, "%s: no CTA reads of it", what)};
	if (one < used)
		many = arena_printf(req->arena, ", the others %.1f on average", (double)(sum - one) / (double)(used - one));
	return (struct plan_finding){.verdict = 2 * one > used ? "private" : "shared",
				     .why = arena_printf(req->arena, "%s: %.0f %% of its pages have one module as user%s", what,
							 100 * (double)one / (double)used, many)};
}

static void place(struct plan *p, const struct planner_request *req, uint32_t buffer, const struct users *u)
{
	const struct trace_buffer *t = trace_buffer(req->trace, buffer);
	struct plan_buffer *b = &p->buffer[buffer];
	uint64_t page = req->topology->page, first = t->base / page;
	uint64_t *users;

	b->n_pages = (uint32_t)((t->base + t->size - 1) / page - first + 1);
	b->stack = arena_array(req->arena, b->n_pages, sizeof *b->stack);
	users = arena_array(req->arena, b->n_pages, sizeof *users);
	b->placement = PLACE_STATIC;
	for (uint32_t i = 0; i < b->n_pages; i++) {
		bool known = first + i - u->first < u->n;

		users[i] = known ? u->of[first + i - u->first] : 0;
		b->stack[i] =
			known ? u->stack[first + i - u->first] : (uint16_t)topology_view_cgp(req->topology, (first + i) * page);
	}
	b->found = find(req, t, users, b->n_pages);
}

int tafe_place_pages(struct plan *p, const struct planner_request *req, const struct tafe_pages *how, struct err *e)
{
	struct chooser c;
	struct users u;

	if (chooser_init(&c, req, how->shared, e) != 0)
		return -1;
	find_users(&u, req, how);
	u.stack = arena_array(req->arena, u.n, sizeof *u.stack);
	for (uint64_t i = 0; i < u.n; i++)
		u.stack[i] = u.of[i] ? stack_for(&c, u.of[i])
				     : (uint16_t)topology_view_cgp(req->topology, (u.first + i) * req->topology->page);
	plan_all_buffers(p, req, PLACE_PAGES);
	for (uint32_t b = 0; b < p->n_buffers; b++) {
		if (tafe_patterns(req->taf, trace_buffer(req->trace, b)))
			place(p, req, b, &u);
		else
			p->buffer[b].found.why = "not registered";
	}
	return 0;
}
