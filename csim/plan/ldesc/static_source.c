/* Groups of accesses, locality types, priorities: rules 1, 2 and 7 to 13 of docs/studies/ldesc.md. */
#include "plan/ldesc/static_source.h"

#include <stdlib.h>
#include <string.h>

#include "ldesc/ldesc_shapes.h"

/* ---- accesses ---- */

static bool reads(const struct affine_access *x)
{
	return x->kind != AFFINE_STORE;
}

static bool is_executed(const struct affine_launch *l, const struct affine_access *x)
{
	for (uint32_t i = 0; i < x->n_loops; i++)
		if (!l->loop[x->loop[i]].trips)
			return false;
	return true;
}

/* The address is no linear form, or goes through a loop of which nobody knows how often it runs. */
static bool is_irregular(const struct affine_launch *l, const struct affine_access *x)
{
	if (x->at.lo <= -AFFINE_INF || x->at.hi >= AFFINE_INF)
		return true;
	for (uint32_t i = 0; i < x->at.n_loops; i++)
		if (x->at.loop[i].k && l->loop[x->at.loop[i].loop].trips == UINT64_MAX)
			return true;
	return false;
}

static bool moves_alike(const struct affine_launch *l, const struct affine_access *a, const struct affine_access *b)
{
	for (int d = 0; d < 3; d++)
		if (l->grid[d] > 1 && a->at.k[INDEX_CTA_X + d] != b->at.k[INDEX_CTA_X + d])
			return false;
	return true;
}

/* Different bytes that a CTA touches through it, at most those of the buffer. */
static uint64_t bytes_of(const struct affine_launch *l, const struct affine_access *x, uint64_t size)
{
	uint64_t bytes = x->width;

	for (int v = INDEX_TID_X; v <= INDEX_TID_Z; v++)
		bytes *= x->at.k[v] ? l->block[v] : 1;
	for (uint32_t i = 0; i < x->at.n_loops && bytes < size; i++)
		if (x->at.loop[i].k && __builtin_mul_overflow(bytes, l->loop[x->at.loop[i].loop].trips, &bytes))
			return size;
	return bytes < size ? bytes : size;
}

/* ---- who comes to an address again ---- */

static bool threads_differ(const struct affine_launch *l, const struct affine_access *x)
{
	for (int v = INDEX_TID_X; v <= INDEX_TID_Z; v++)
		if (l->block[v] > 1 && !x->at.k[v])
			return false;
	return true;
}

/* "if (threadIdx.x == 0)": it is one thread's. */
static bool is_one_threads(const struct affine_access *x)
{
	for (uint32_t i = 0; i < x->n_guards; i++)
		for (uint32_t k = 0; k < x->guard[i]->n; k++)
			if (x->guard[i]->atom[k].rel == REL_EQ)
				return true;
	return false;
}

/* In a loop that its address does not go through. */
static bool is_repeated(const struct affine_launch *l, const struct affine_access *x)
{
	for (uint32_t i = 0; i < x->n_loops; i++) {
		bool named = false;

		for (uint32_t k = 0; k < x->at.n_loops; k++)
			named |= x->at.loop[k].loop == x->loop[i] && x->at.loop[k].k;
		if (!named && l->loop[x->loop[i]].trips > 1)
			return true;
	}
	return false;
}

static struct ldesc typed(const struct static_group *g, const struct static_tiles *t)
{
	uint64_t stride = static_stride(g) / t->l.element;
	bool any_read = false, within = false, again = false;

	stride = stride ? stride : 1;
	for (uint32_t i = 0; i < g->n; i++) {
		const struct affine_access *x = g->access[i];

		any_read |= reads(x);
		within |= reads(x) && !threads_differ(g->l, x) && !is_one_threads(x);
		again |= reads(x) && threads_differ(g->l, x) && is_repeated(g->l, x);
	}
	if (any_read && t->shared)
		return ldesc_coaccessed(t->l, stride);
	if (any_read && t->halo)
		return ldesc_nearby(t->l, stride);
	if (within)
		return ldesc_coaccessed(t->l, stride);
	return again ? ldesc_intra(t->l) : t->l;
}

/* ---- a buffer ---- */

struct found {
	struct ldesc l;
	uint64_t bytes; /* that a CTA touches */
};

/* Those that move as the one at `first` does. Returns their bytes. */
static uint64_t group_from(const struct affine_launch *l, const struct affine_access **all, uint32_t n, uint32_t first,
			   const struct affine_access **group, struct static_group *g)
{
	uint64_t bytes = 0;

	g->n = 0;
	g->access = group;
	for (uint32_t i = 0; i < n; i++)
		if (moves_alike(l, all[first], all[i])) {
			group[g->n++] = all[i];
			bytes += bytes_of(l, all[i], g->buffer->size);
		}
	return bytes;
}

/* The accesses that begin a group, in the order of the text. */
static uint32_t find_firsts(const struct affine_launch *l, const struct affine_access **all, uint32_t n, uint32_t *first)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = 0;

		while (k < found && !moves_alike(l, all[first[k]], all[i]))
			k++;
		if (k == found)
			first[found++] = i;
	}
	return found;
}

static void describe_regular(struct found *f, const struct affine_launch *l, const struct trace_buffer *b,
			     const struct affine_access **all, uint32_t n, struct arena *a)
{
	const struct affine_access **group = arena_array(a, n, sizeof *group);
	uint32_t *first = arena_array(a, n, sizeof *first), n_groups = find_firsts(l, all, n, first), best = 0;
	struct static_group g = {.l = l, .buffer = b};
	struct static_tiles t;

	f->bytes = 0;
	for (uint32_t i = 0; i < n_groups; i++) {
		uint64_t bytes = group_from(l, all, n, first[i], group, &g);

		if (bytes > f->bytes) {
			best = first[i];
			f->bytes = bytes;
		}
	}
	group_from(l, all, n, best, group, &g);
	t = static_tiles_of(&g);
	f->l = typed(&g, &t);
}

/* False: the launch does not access it. */
static bool describe(struct found *f, const struct affine_launch *l, const struct planner_request *req, uint32_t buffer)
{
	const struct affine_access **regular = arena_array(req->arena, l->n_accesses, sizeof *regular);
	const struct trace_buffer *b = trace_buffer(req->trace, buffer);
	uint32_t n = 0, width = 0;
	bool gathered = false;

	for (uint32_t i = 0; i < l->n_accesses; i++) {
		const struct affine_access *x = &l->access[i];

		if (x->at.buffer != (int32_t)buffer || !is_executed(l, x))
			continue;
		width = !width || x->width < width ? x->width : width;
		if (is_irregular(l, x))
			gathered |= reads(x);
		else
			regular[n++] = x;
	}
	if (!width || !b->size)
		return false;
	if (!gathered && n) {
		describe_regular(f, l, b, regular, n, req->arena);
		return true;
	}
	f->l = static_whole(b, width);
	f->l = gathered ? ldesc_coaccessed(f->l, 0) : f->l;
	f->bytes = b->size / ((uint64_t)l->grid[0] * l->grid[1] * l->grid[2]);
	return true;
}

/* ---- launches ---- */

/* The most bytes a CTA first; of equal ones the first buffer. */
static const struct ldesc_set *set_of(const struct planner_request *req, const struct affine_launch *l)
{
	uint32_t n_buffers = trace_n_buffers(req->trace), n = 0;
	struct found *found = arena_array(req->arena, n_buffers, sizeof *found), one;
	struct ldesc_set *set = arena_alloc(req->arena, sizeof *set);
	struct ldesc *d;

	for (uint32_t b = 0; b < n_buffers; b++) {
		uint32_t at = n;

		memset(&one, 0, sizeof one);
		if (!describe(&one, l, req, b))
			continue;
		for (; at > 0 && found[at - 1].bytes < one.bytes; at--)
			found[at] = found[at - 1];
		found[at] = one;
		n++;
	}
	d = arena_array(req->arena, n, sizeof *d);
	for (uint32_t i = 0; i < n; i++) {
		d[i] = found[i].l;
		d[i].priority = i + 1;
	}
	*set = (struct ldesc_set){n, d};
	return n ? set : NULL;
}

static bool same(const struct ldesc *a, const struct ldesc *b)
{
	return a->base == b->base && a->bytes == b->bytes && a->element == b->element && a->type == b->type &&
	       a->sharing == b->sharing && a->access == b->access && a->stride == b->stride &&
	       !memcmp(a->len, b->len, sizeof a->len) && !memcmp(a->d_tile, b->d_tile, sizeof a->d_tile) &&
	       !memcmp(a->c_tile, b->c_tile, sizeof a->c_tile) && !memcmp(a->rank, b->rank, sizeof a->rank);
}

static bool same_set(const struct ldesc_set *a, const struct ldesc_set *b)
{
	if (!a || !b || a->n != b->n)
		return false;
	for (uint32_t i = 0; i < a->n; i++)
		if (!same(&a->d[i], &b->d[i]))
			return false;
	return true;
}

const struct ldesc_set *const *static_sets_of(const struct planner_request *req, const struct affine_launch *const *by_launch)
{
	enum { BACK = 2 }; /* a repeated launch has the very set of the one before: its plan is made once */
	uint32_t n = trace_n_launches(req->trace);
	const struct ldesc_set **out = arena_array(req->arena, n, sizeof *out);

	for (uint32_t i = 0; i < n; i++) {
		out[i] = set_of(req, by_launch[i]);
		for (uint32_t k = 1; k <= BACK && k <= i; k++)
			if (same_set(out[i], out[i - k])) {
				out[i] = out[i - k];
				break;
			}
	}
	return out;
}

int static_source_sets(const struct planner_request *req, const char *plan, const struct ldesc_set *const **sets, struct err *e)
{
	if (trace_n_launches(req->trace) && !req->analysis)
		return err_set(e,
			       "--plan %s: source=static reads the PTX; a recorded or imported trace has none "
			       "(source=profile reads the trace)",
			       plan);
	*sets = static_sets_of(req, req->analysis);
	return 0;
}
