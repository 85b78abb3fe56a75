#include "plan/stride.h"

#include "affine/form.h"
#include "affine/print.h"

const char *const stride_verdicts[] = {"unused", "regular", "shared", "irregular"};

uint32_t stride_module(const struct stride_map *m, uint64_t addr)
{
	uint64_t at = (addr < m->base ? 0 : addr - m->base) * m->den % m->turn;
	uint32_t h = 0;

	while (at >= m->bytes[h])
		at -= m->bytes[h++];
	return h;
}

/* ---- one access ---- */

struct reach { /* of one access */
	int64_t num;
	uint64_t den;
	wide_int span; /* bytes that a row of den CTAs touches, first to last */
};

static uint64_t extent(const struct affine_launch *l, int v)
{
	return v < INDEX_CTA_X ? l->block[v] : l->grid[v - INDEX_CTA_X];
}

static wide_int absolute(wide_int x)
{
	return x < 0 ? -x : x;
}

/* How far the address moves from one CTA to the next, in the order of their ids: by k.x, unless rows (or layers) do not
 * go on where the one before ended; then a row is taken as a whole. */
static void find_stride(const struct affine_launch *l, const struct affine_form *f, struct reach *r)
{
	*r = (struct reach){.num = f->k[INDEX_CTA_X], .den = 1};
	for (int v = INDEX_CTA_Y; v <= INDEX_CTA_Z; v++) {
		uint64_t below = v == INDEX_CTA_Y ? l->grid[0] : (uint64_t)l->grid[0] * l->grid[1];

		if (extent(l, v) > 1 && (wide_int)f->k[v] * (wide_int)r->den != (wide_int)r->num * (wide_int)below)
			*r = (struct reach){.num = f->k[v], .den = below};
	}
}

/* A loop whose steps are whole turns over all modules stays at the same one. */
static bool whole_turns(int64_t k, const struct reach *r, uint64_t blocks)
{
	wide_int turn = (wide_int)r->num * (wide_int)blocks;

	return turn > 0 && absolute((wide_int)k * (wide_int)r->den) % turn == 0;
}

static void find_span(const struct affine_launch *l, const struct affine_access *x, uint64_t blocks, struct reach *r)
{
	const struct affine_form *f = &x->at;

	r->span = (wide_int)x->width + f->hi - f->lo;
	for (int v = 0; v < INDEX_COUNT; v++)
		if (v < INDEX_CTA_X || (v == INDEX_CTA_X && r->den > 1) || (v == INDEX_CTA_Y && r->den > l->grid[0]))
			r->span += absolute(f->k[v]) * (wide_int)(extent(l, v) - 1);
	for (uint32_t i = 0; i < f->n_loops; i++) {
		const struct affine_loop *loop = &l->loop[f->loop[i].loop];

		if (whole_turns(f->loop[i].k, r, blocks))
			continue;
		if (loop->trips == UINT64_MAX)
			r->span += AFFINE_INF;
		else if (loop->trips)
			r->span += absolute(f->loop[i].k) * (wide_int)(loop->trips - 1);
	}
}

/* ---- a buffer ---- */

static struct stride judge(const struct planner_request *req, enum stride_verdict verdict, const struct affine_access *x,
			   const char *why)
{
	(void)req;
	return (struct stride){.verdict = verdict, .line = x->line, .why = why};
}

static struct stride judge_access(const struct planner_request *req, const struct affine_launch *l, const struct affine_access *x,
				  const uint32_t *blocks, struct reach *r)
{
	uint64_t sum = 0, least = UINT64_MAX;
	bool open = x->at.lo <= -AFFINE_INF || x->at.hi >= AFFINE_INF;
	wide_int chunk;

	for (uint32_t h = 0; h < req->topology->n_modules; h++) {
		sum += blocks[h];
		least = blocks[h] && blocks[h] < least ? blocks[h] : least;
	}
	find_stride(l, &x->at, r);
	find_span(l, x, sum, r);
	if (open)
		return judge(req, STRIDE_IRREGULAR, x,
			     arena_printf(req->arena, "the address depends on %s", affine_deps_text(x->at.deps)));
	if (!r->num)
		return judge(req, STRIDE_SHARED, x, "the address does not depend on the CTA");
	if (r->num < 0)
		return judge(req, STRIDE_IRREGULAR, x, "CTAs go through it backwards");
	chunk = (wide_int)r->num * (wide_int)least / (wide_int)r->den;
	if (r->den > least)
		return judge(req, STRIDE_SHARED, x,
			     "all CTAs of a row of the grid use it, and a row is more than fits in a module");
	if (r->span > r->num + chunk)
		return judge(req, STRIDE_SHARED, x, "a CTA reaches farther than the chunks of two modules");
	return (struct stride){.verdict = STRIDE_REGULAR, .num = (uint64_t)r->num, .den = r->den, .line = x->line, .why = ""};
}

static bool is_worse(enum stride_verdict a, enum stride_verdict b)
{
	return a > b;
}

struct stride stride_static(const struct planner_request *req, uint32_t launch, uint32_t buffer, const uint32_t *blocks)
{
	const struct affine_launch *l = req->analysis[launch];
	struct stride all = {.verdict = STRIDE_UNUSED, .why = "", .launch = launch};

	for (uint32_t i = 0; i < l->n_accesses; i++) {
		const struct affine_access *x = &l->access[i];
		struct reach r;
		struct stride one;

		if (x->at.buffer != (int32_t)buffer)
			continue;
		one = judge_access(req, l, x, blocks, &r);
		one.launch = launch;
		if (all.verdict == STRIDE_REGULAR && one.verdict == STRIDE_REGULAR && all.num * one.den != one.num * all.den) {
			one.verdict = STRIDE_IRREGULAR;
			one.why = arena_printf(req->arena, "its stride differs from that of line %u", all.line);
		}
		if (is_worse(one.verdict, all.verdict))
			all = one;
	}
	return all;
}
