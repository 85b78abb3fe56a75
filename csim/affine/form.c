#include "affine/form.h"

#include <string.h>

int64_t form_clamp(wide_int x)
{
	return x > AFFINE_INF ? AFFINE_INF : x < -AFFINE_INF ? -AFFINE_INF : (int64_t)x;
}

struct affine_form form_number(int64_t c)
{
	return (struct affine_form){.buffer = -1, .c = c, .cause = AFFINE_NONE};
}

struct affine_form form_between(int64_t lo, int64_t hi, uint32_t deps, uint32_t pc)
{
	return (struct affine_form){.buffer = -1, .lo = lo, .hi = hi, .deps = deps, .cause = pc};
}

struct affine_form form_unknown(uint32_t deps, uint32_t pc)
{
	return form_between(-AFFINE_INF, AFFINE_INF, deps, pc);
}

static bool has_indices(const struct affine_form *f)
{
	for (int v = 0; v < INDEX_COUNT; v++)
		if (f->k[v])
			return true;
	return f->n_loops > 0;
}

bool form_has_slack(const struct affine_form *f)
{
	return f->lo || f->hi;
}

bool form_is_number(const struct affine_form *f)
{
	return f->buffer < 0 && !form_has_slack(f) && !has_indices(f);
}

uint32_t form_deps(const struct affine_form *f)
{
	uint32_t deps = f->deps;

	for (int v = 0; v < INDEX_COUNT; v++)
		if (f->k[v])
			deps |= v < INDEX_CTA_X ? DEP_TID : DEP_CTA;
	return deps | (f->n_loops ? DEP_LOOP : 0);
}

static int64_t loop_factor(const struct affine_form *f, uint32_t loop)
{
	for (uint32_t i = 0; i < f->n_loops; i++)
		if (f->loop[i].loop == loop)
			return f->loop[i].k;
	return 0;
}

static bool same_linear_part(const struct affine_form *a, const struct affine_form *b)
{
	if (a->buffer != b->buffer || a->n_loops != b->n_loops || memcmp(a->k, b->k, sizeof a->k) != 0)
		return false;
	for (uint32_t i = 0; i < a->n_loops; i++)
		if (loop_factor(b, a->loop[i].loop) != a->loop[i].k)
			return false;
	return true;
}

bool form_differs_by_number(const struct affine_form *a, const struct affine_form *b, int64_t *d)
{
	*d = form_clamp((wide_int)b->c - a->c);
	return same_linear_part(a, b);
}

bool form_is_same(const struct affine_form *a, const struct affine_form *b)
{
	return same_linear_part(a, b) && a->c == b->c && a->lo == b->lo && a->hi == b->hi && a->ends == b->ends &&
	       a->deps == b->deps;
}

/* ---- ranges ---- */

static void widen(wide_int *lo, wide_int *hi, int64_t k, wide_int most)
{
	*lo += k < 0 ? k * most : 0;
	*hi += k > 0 ? k * most : 0;
}

/* Of the linear part and c; false if a loop has no bound. */
static bool linear_range(const struct affine_launch *l, const struct affine_form *f, wide_int *lo, wide_int *hi)
{
	*lo = *hi = f->c;
	for (int v = 0; v < INDEX_COUNT; v++)
		widen(lo, hi, f->k[v], (v < INDEX_CTA_X ? l->block[v] : l->grid[v - INDEX_CTA_X]) - 1);
	for (uint32_t i = 0; i < f->n_loops; i++) {
		const struct affine_loop *loop = &l->loop[f->loop[i].loop];

		if (loop->trips == UINT64_MAX)
			return false;
		widen(lo, hi, f->loop[i].k, loop->trips ? loop->trips - 1 : 0);
	}
	return true;
}

struct affine_range affine_range_of(const struct affine_launch *l, const struct affine_form *f)
{
	wide_int lo, hi;

	if (!linear_range(l, f, &lo, &hi))
		return (struct affine_range){-AFFINE_INF, AFFINE_INF};
	lo += f->lo;
	hi += f->hi;
	return (struct affine_range){f->lo <= -AFFINE_INF ? -AFFINE_INF : form_clamp(lo),
				     f->hi >= AFFINE_INF ? AFFINE_INF : form_clamp(hi)};
}

/* ---- sums and products ---- */

static void add_slack(struct affine_form *f, wide_int lo, wide_int hi, uint32_t deps, uint32_t pc)
{
	if (!lo && !hi)
		return;
	f->lo = f->lo <= -AFFINE_INF ? -AFFINE_INF : form_clamp(f->lo + lo);
	f->hi = f->hi >= AFFINE_INF ? AFFINE_INF : form_clamp(f->hi + hi);
	f->ends = false;
	f->deps |= deps;
	if (f->cause == AFFINE_NONE)
		f->cause = pc;
}

static bool too_large(wide_int x)
{
	return x >= AFFINE_INF || x <= -AFFINE_INF;
}

/* k * x with the answer to whether it leaves the range added to *over. */
static int64_t times(int64_t x, int64_t k, bool *over)
{
	*over |= too_large((wide_int)x * k);
	return form_clamp((wide_int)x * k);
}

static int64_t plus(int64_t x, int64_t y, bool *over)
{
	*over |= too_large((wide_int)x + y);
	return form_clamp((wide_int)x + y);
}

static void drop_term(struct affine_form *f, uint32_t i)
{
	f->loop[i] = f->loop[--f->n_loops];
	f->loop[f->n_loops] = (struct affine_term){0};
}

void form_add_loop(struct affine_form *f, uint32_t loop, int64_t k, uint32_t pc)
{
	bool over = false;

	for (uint32_t i = 0; i < f->n_loops; i++) {
		if (f->loop[i].loop != loop)
			continue;
		f->loop[i].k = plus(f->loop[i].k, k, &over);
		if (!f->loop[i].k)
			drop_term(f, i);
		if (over)
			*f = form_unknown(form_deps(f), pc);
		return;
	}
	if (k && f->n_loops < AFFINE_NEST)
		f->loop[f->n_loops++] = (struct affine_term){k, loop};
	else if (k)
		add_slack(f, -AFFINE_INF, AFFINE_INF, DEP_LOOP, pc);
}

struct affine_form form_scale(const struct affine_form *a, int64_t s, uint32_t pc)
{
	struct affine_form f = *a;
	bool over = false;

	if (!s)
		return form_number(0);
	if (s == 1)
		return f;
	if (a->buffer >= 0)
		return form_unknown(form_deps(a), pc);
	f.c = times(a->c, s, &over);
	for (int v = 0; v < INDEX_COUNT; v++)
		f.k[v] = times(a->k[v], s, &over);
	for (uint32_t i = 0; i < f.n_loops; i++)
		f.loop[i].k = times(a->loop[i].k, s, &over);
	f.lo = form_clamp((wide_int)(s < 0 ? a->hi : a->lo) * s);
	f.hi = form_clamp((wide_int)(s < 0 ? a->lo : a->hi) * s);
	return over ? form_unknown(form_deps(a), pc) : f;
}

struct affine_form form_add(const struct affine_form *a, const struct affine_form *b, int sign, uint32_t pc)
{
	struct affine_form f = *a, n = *b;
	bool over = false, ends;

	n.buffer = -1;
	n = form_scale(&n, sign, pc);
	if (b->buffer >= 0 && (sign < 0 ? a->buffer != b->buffer : a->buffer >= 0))
		return form_unknown(form_deps(a) | form_deps(b), pc);
	if (b->buffer >= 0)
		f.buffer = sign < 0 ? -1 : b->buffer;
	f.c = plus(a->c, n.c, &over);
	for (int v = 0; v < INDEX_COUNT; v++)
		f.k[v] = plus(a->k[v], n.k[v], &over);
	for (uint32_t i = 0; i < n.n_loops; i++)
		form_add_loop(&f, n.loop[i].loop, n.loop[i].k, pc);
	ends = form_has_slack(&f) ? f.ends && !form_has_slack(&n) : n.ends;
	add_slack(&f, n.lo, n.hi, n.deps, n.cause);
	f.ends = ends;
	return over ? form_unknown(form_deps(a) | form_deps(b), pc) : f;
}

struct affine_form form_multiply(const struct affine_launch *l, const struct affine_form *a, const struct affine_form *b,
				 uint32_t pc)
{
	struct affine_range x, y;
	wide_int p[4];
	int64_t lo, hi;

	if (form_is_number(b))
		return form_scale(a, b->c, pc);
	if (form_is_number(a))
		return form_scale(b, a->c, pc);
	x = affine_range_of(l, a);
	y = affine_range_of(l, b);
	p[0] = (wide_int)x.lo * y.lo;
	p[1] = (wide_int)x.lo * y.hi;
	p[2] = (wide_int)x.hi * y.lo;
	p[3] = (wide_int)x.hi * y.hi;
	lo = hi = form_clamp(p[0]);
	for (int i = 1; i < 4; i++) {
		lo = form_clamp(p[i]) < lo ? form_clamp(p[i]) : lo;
		hi = form_clamp(p[i]) > hi ? form_clamp(p[i]) : hi;
	}
	return form_between(lo, hi, form_deps(a) | form_deps(b), pc);
}

/* Whether a form whose slack is moved by d takes no other values than lo and hi. */
static bool is_at_ends(const struct affine_form *f, int64_t d, int64_t lo, int64_t hi)
{
	int64_t least = d + f->lo, most = d + f->hi;

	return (f->ends || !form_has_slack(f)) && (least == lo || least == hi) && (most == lo || most == hi);
}

struct affine_form form_join(const struct affine_launch *l, const struct affine_form *a, const struct affine_form *b, uint32_t deps,
			     uint32_t pc)
{
	struct affine_form f = *a, x = *a, y = *b, d;
	struct affine_range r;
	int64_t lo, hi;

	if (form_is_same(a, b))
		return f;
	deps |= form_deps(a) | form_deps(b);
	if (a->buffer != b->buffer)
		return form_unknown(deps, pc);
	x.lo = x.hi = y.lo = y.hi = 0;
	d = form_add(&y, &x, -1, pc);
	r = affine_range_of(l, &d);
	lo = b->lo <= -AFFINE_INF || r.lo <= -AFFINE_INF ? -AFFINE_INF : form_clamp((wide_int)r.lo + b->lo);
	hi = b->hi >= AFFINE_INF || r.hi >= AFFINE_INF ? AFFINE_INF : form_clamp((wide_int)r.hi + b->hi);
	f.lo = lo < a->lo ? lo : a->lo;
	f.hi = hi > a->hi ? hi : a->hi;
	f.ends = r.lo == r.hi && is_at_ends(a, 0, f.lo, f.hi) && is_at_ends(b, r.lo, f.lo, f.hi);
	f.deps |= deps;
	f.cause = f.cause == AFFINE_NONE ? pc : f.cause;
	return f;
}

struct affine_form form_leave(const struct affine_form *f, uint32_t loop, int64_t lo, int64_t hi)
{
	struct affine_form g = *f;
	struct affine_form n;

	for (uint32_t i = 0; i < g.n_loops; i++) {
		int64_t k = g.loop[i].k;

		if (g.loop[i].loop != loop)
			continue;
		drop_term(&g, i);
		n = lo == hi ? form_number(lo) : form_between(lo, hi, DEP_LOOP, g.cause);
		n = form_scale(&n, k, g.cause);
		return form_add(&g, &n, 1, g.cause);
	}
	return g;
}
