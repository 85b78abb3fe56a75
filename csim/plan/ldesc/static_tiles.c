/* The tiles of a group of accesses: rules 3 to 6 and 8 of docs/studies/ldesc.md. */
#include <stdio.h>
#include <string.h>

#include "affine/form.h"
#include "ldesc/ldesc_shapes.h"
#include "plan/ldesc/static_steps.h"

enum { AXES = 3, NEIGHBOURS = 3 /* a tile and one on either side */ };

/* The structure's dimensions, the fastest first. Each but the last begins anew after `pitch` bytes. */
struct axis {
	int grid;	/* dimension of the grid whose CTAs have tiles along it; -1: none */
	int64_t tile;	/* bytes from one CTA's tile to the next one's */
	int64_t unit;	/* bytes of a step along the axis: the pitch of the one before */
	int64_t lo, hi; /* bytes that CTA 0 reaches along it */
};

struct tiling {
	const struct static_group *g;
	bool owned[3], shared[3]; /* by dimension of the grid: has tiles of its own; its CTAs use the same */
	uint32_t n;
	struct axis axis[AXES + 1];
};

static int64_t common(int64_t a, int64_t b)
{
	while (b) {
		int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* ---- axes ---- */

/* The owned dimensions, the smallest step first. False: two have the same. */
static bool sort_owned(struct tiling *t)
{
	const int64_t *k = &t->g->access[0]->at.k[INDEX_CTA_X];

	t->n = 0;
	for (int d = 0; d < 3; d++) {
		uint32_t at = t->n;

		if (!t->owned[d])
			continue;
		for (; at > 0 && t->axis[at - 1].tile > k[d]; at--)
			t->axis[at] = t->axis[at - 1];
		if (at > 0 && t->axis[at - 1].tile == k[d]) {
			t->owned[d] = false;
			t->shared[d] = true;
			return false;
		}
		t->axis[at] = (struct axis){.grid = d, .tile = k[d]};
		t->n++;
	}
	return true;
}

static int64_t tiles_of(const struct axis *a, int64_t pitch)
{
	return (pitch + a->tile - 1) / a->tile;
}

/* Where the structure goes on beside the tiles of axis i: the least step of at least a tile. Behind the last tile
 * of the last axis another structure may follow in the same buffer. 0: nowhere. */
static int64_t pitch_of(const struct tiling *t, uint32_t i)
{
	const struct axis *a = &t->axis[i];
	bool is_last = i + 1 == t->n;
	struct static_least m = {.from = 1};

	static_take_least(&m, static_loop_step(t->g, a->tile), 0);
	static_take_least(&m, static_thread_step(t->g, a->tile), 0);
	static_take_least(&m, is_last ? static_next_offset(t->g, a->tile * t->g->l->grid[a->grid]) : a[1].tile, 0);
	return m.k;
}

static void give_up(struct tiling *t, uint32_t axis)
{
	t->owned[t->axis[axis].grid] = false;
}

/* Whether each CTA has a tile before the structure goes on. If there are fewer tiles, one CTA goes on where others
 * have begun: they share. If there are more, rows are padded. */
static bool find_unit(struct tiling *t, uint32_t i, int64_t pitch)
{
	const struct axis *a = &t->axis[i];
	int64_t ctas = t->g->l->grid[a->grid];

	if (a->tile % a->unit == 0 && (!pitch || (pitch % a->unit == 0 && tiles_of(a, pitch) == ctas)))
		return true;
	t->shared[a->grid] = pitch && tiles_of(a, pitch) < ctas;
	give_up(t, i);
	return false;
}

/* Units of all axes, and one more axis without CTAs where the structure goes on behind the last tile. False: a
 * dimension of the grid was given up. */
static bool find_units(struct tiling *t)
{
	uint32_t n = t->n;

	t->axis[0].unit = 1;
	for (uint32_t i = 0; i < n; i++) {
		int64_t pitch = pitch_of(t, i);

		if (!find_unit(t, i, pitch))
			return false;
		if (pitch && i + 1 == n)
			t->axis[t->n++] = (struct axis){.grid = -1};
		if (pitch)
			t->axis[i + 1].unit = pitch;
	}
	if (t->n > AXES)
		give_up(t, 0);
	return t->n <= AXES;
}

/* ---- how far a CTA reaches ---- */

struct reach {
	const struct tiling *t;
	int64_t lo[AXES], hi[AXES];
};

static uint32_t axis_of(const struct tiling *t, int64_t k)
{
	uint32_t a = t->n - 1;

	while (a > 0 && static_size(k) < t->axis[a].unit)
		a--;
	return a;
}

static void add_reach(struct reach *r, int64_t by)
{
	uint32_t a = axis_of(r->t, by);

	*(by < 0 ? &r->lo[a] : &r->hi[a]) += by;
}

static void take_reach(void *ctx, int64_t k, uint64_t steps)
{
	struct reach *r = ctx;
	uint32_t a = axis_of(r->t, k);
	int64_t *end = k < 0 ? &r->lo[a] : &r->hi[a];

	*end = form_clamp(*end + (wide_int)k * (wide_int)steps);
}

/* To the nearest: an element to the left of a row's begin is that row's. */
static int64_t nearest(int64_t c, int64_t unit)
{
	int64_t half = unit / 2;

	return c >= 0 ? (c + half) / unit : -((-c + half) / unit);
}

static struct reach reach_of(const struct tiling *t, const struct affine_access *x)
{
	struct reach r = {.t = t};
	int64_t c = x->at.c;

	for (uint32_t a = t->n; a-- > 0;) {
		int64_t whole = a ? nearest(c, t->axis[a].unit) * t->axis[a].unit : c;

		r.lo[a] = whole;
		r.hi[a] = whole + (a ? t->axis[a].unit : (int64_t)x->width);
		c -= whole;
	}
	add_reach(&r, x->at.lo);
	add_reach(&r, x->at.hi);
	static_thread_terms(t->g->l, x, take_reach, &r);
	static_loop_terms(t->g->l, x, take_reach, &r);
	return r;
}

/* False: along some axis a CTA reaches beyond its neighbours' tiles; that dimension of the grid shares. */
static bool find_reach(struct tiling *t)
{
	for (uint32_t i = 0; i < t->g->n; i++) {
		struct reach r = reach_of(t, t->g->access[i]);

		for (uint32_t a = 0; a < t->n; a++) {
			t->axis[a].lo = i && t->axis[a].lo < r.lo[a] ? t->axis[a].lo : r.lo[a];
			t->axis[a].hi = i && t->axis[a].hi > r.hi[a] ? t->axis[a].hi : r.hi[a];
		}
	}
	for (uint32_t a = 0; a < t->n; a++) {
		const struct axis *x = &t->axis[a];

		if (x->grid < 0 || x->hi - x->lo <= NEIGHBOURS * x->tile)
			continue;
		t->shared[x->grid] = true;
		give_up(t, a);
		return false;
	}
	return true;
}

/* ---- the descriptor ---- */

static int64_t element_of(const struct tiling *t)
{
	int64_t e = t->g->access[0]->width;

	for (uint32_t i = 1; i < t->g->n; i++)
		e = common(e, t->g->access[i]->width);
	for (uint32_t a = 0; a < t->n; a++) {
		e = t->axis[a].grid < 0 ? e : common(e, t->axis[a].tile);
		e = a ? common(e, t->axis[a].unit) : e;
	}
	return e;
}

/* A halo on both sides is left out. */
static int64_t begin_of(const struct axis *a)
{
	int64_t over = a->grid < 0 ? 0 : a->hi - a->lo - a->tile, begin = a->lo + (over > 0 ? over / 2 : 0);

	return begin - begin % a->unit;
}

static uint64_t up(uint64_t a, uint64_t b)
{
	return a / b + (a % b != 0);
}

static void set_axis(struct ldesc *l, const struct tiling *t, uint32_t a)
{
	const struct axis *x = &t->axis[a];
	uint64_t unit = a ? (uint64_t)x->unit : l->element, in_buffer = up(l->bytes, unit);

	l->d_tile[a] = (uint64_t)x->tile / unit;
	if (a + 1 < t->n)
		l->len[a] = (uint64_t)t->axis[a + 1].unit / unit;
	else if (x->grid < 0)
		l->len[a] = l->d_tile[a] = in_buffer;
	else {
		l->len[a] = t->g->l->grid[x->grid] * l->d_tile[a];
		l->len[a] = a && l->len[a] > in_buffer ? in_buffer : l->len[a];
	}
	if (x->grid < 0)
		return;
	l->c_tile[x->grid] = 1;
	l->rank[x->grid] = (uint8_t)(a + 1);
}

static struct ldesc tiled(const struct tiling *t)
{
	const struct trace_buffer *b = t->g->buffer;
	struct ldesc l = static_whole(b, (uint32_t)element_of(t));
	int64_t begin = 0;

	for (uint32_t a = 0; a < t->n; a++)
		begin += begin_of(&t->axis[a]);
	begin -= begin % l.element;
	begin = begin < 0 || begin >= (int64_t)b->size ? 0 : begin;
	l.base += (uint64_t)begin;
	l.bytes -= (uint64_t)begin;
	for (uint32_t a = 0; a < t->n; a++)
		set_axis(&l, t, a);
	return l;
}

static bool has_halo(const struct tiling *t)
{
	for (uint32_t a = 0; a < t->n; a++)
		if (t->axis[a].grid >= 0 && t->axis[a].hi - t->axis[a].lo > t->axis[a].tile)
			return true;
	return false;
}

struct ldesc static_whole(const struct trace_buffer *b, uint32_t element)
{
	struct ldesc l = ldesc_whole(element, up(b->size, element));

	snprintf(l.name, sizeof l.name, "%s", b->name);
	l.base = b->base;
	l.bytes = b->size;
	return l;
}

/* Whether each C-tile has a D-tile, and the structure its offset in the buffer. */
static bool is_sound(const struct ldesc *l, const struct affine_launch *at)
{
	struct ldesc_launch launch;
	struct err unused = {""};

	memcpy(launch.grid, at->grid, sizeof launch.grid);
	memcpy(launch.block, at->block, sizeof launch.block);
	return ldesc_check_all(&(struct ldesc_set){1, l}, &launch, &unused) == 0;
}

struct static_tiles static_tiles_of(const struct static_group *g)
{
	struct tiling t = {.g = g};
	struct static_tiles out = {.halo = false};

	for (int d = 0; d < 3; d++) {
		int64_t k = g->access[0]->at.k[INDEX_CTA_X + d];

		t.owned[d] = g->l->grid[d] > 1 && k > 0;
		t.shared[d] = g->l->grid[d] > 1 && k == 0;
	}
	for (bool done = false; !done;) {
		done = sort_owned(&t) && (!t.n || (find_units(&t) && find_reach(&t)));
		if (!done)
			continue;
		out.l = t.n ? tiled(&t) : static_whole(g->buffer, (uint32_t)element_of(&t));
		out.halo = has_halo(&t);
		if (t.n && !is_sound(&out.l, g->l)) {
			done = false;
			give_up(&t, t.axis[t.n - 1].grid < 0 ? t.n - 2 : t.n - 1);
		}
	}
	out.shared = t.shared[0] || t.shared[1] || t.shared[2];
	return out;
}
