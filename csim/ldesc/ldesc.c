/* Tiles of descriptors, and what is refused. */
#include "ldesc/ldesc.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/alloc.h"

const char *const ldesc_types[] = {"inter-thread", "intra-thread", "no-reuse", NULL};
const char *const ldesc_sharings[] = {"coaccessed", "nearby", NULL};
const char *const ldesc_accesses[] = {"regular", "irregular", NULL};

static const char axis[] = "XYZ";

static uint64_t up(uint64_t a, uint64_t b)
{
	return a / b + (a % b != 0);
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* What C-tiles cut: CTAs or threads of the grid. */
static uint64_t extent(const struct ldesc *l, const struct ldesc_launch *at, unsigned d)
{
	return l->c_unit == LDESC_THREADS ? (uint64_t)at->grid[d] * at->block[d] : at->grid[d];
}

uint64_t ldesc_d_tiles_along(const struct ldesc *l, unsigned d)
{
	return up(l->len[d], l->d_tile[d]);
}

uint64_t ldesc_d_tiles(const struct ldesc *l)
{
	return ldesc_d_tiles_along(l, 0) * ldesc_d_tiles_along(l, 1) * ldesc_d_tiles_along(l, 2);
}

static uint64_t c_tiles_along(const struct ldesc *l, const struct ldesc_launch *at, unsigned d)
{
	return up(extent(l, at, d), l->c_tile[d]);
}

uint64_t ldesc_c_tiles(const struct ldesc *l, const struct ldesc_launch *at)
{
	return c_tiles_along(l, at, 0) * c_tiles_along(l, at, 1) * c_tiles_along(l, at, 2);
}

void ldesc_c_tile_ctas(const struct ldesc *l, const struct ldesc_launch *at, uint32_t out[3])
{
	for (unsigned d = 0; d < 3; d++) {
		uint64_t ctas = l->c_unit == LDESC_THREADS ? up(l->c_tile[d], at->block[d]) : l->c_tile[d];

		out[d] = (uint32_t)least(ctas, at->grid[d]);
	}
}

void ldesc_first_cta(const struct ldesc *l, const struct ldesc_launch *at, uint64_t d_tile, uint32_t out[3])
{
	for (unsigned d = 0; d < 3; d++)
		out[d] = 0;
	for (unsigned rank = 1; rank <= 3; rank++)
		for (unsigned d = 0; d < 3; d++) {
			uint64_t n = c_tiles_along(l, at, d), first;

			if (l->rank[d] != rank)
				continue;
			first = d_tile % n * l->c_tile[d];
			out[d] = (uint32_t)(l->c_unit == LDESC_THREADS ? first / at->block[d] : first);
			d_tile /= n;
		}
}

struct box { /* elements [low, high) */
	uint64_t low[3], high[3];
};

static struct box box_of(const struct ldesc *l, uint64_t d_tile)
{
	struct box b;

	for (unsigned d = 0; d < 3; d++) {
		uint64_t n = ldesc_d_tiles_along(l, d);

		b.low[d] = d_tile % n * l->d_tile[d];
		b.high[d] = least(b.low[d] + l->d_tile[d], l->len[d]);
		d_tile /= n;
	}
	return b;
}

void ldesc_d_tile_runs(const struct ldesc *l, uint64_t d_tile, ldesc_run_fn fn, void *ctx)
{
	struct box b = box_of(l, d_tile);
	bool whole_rows = b.low[0] == 0 && b.high[0] == l->len[0],
	     whole_planes = whole_rows && b.low[1] == 0 && b.high[1] == l->len[1];
	uint64_t row = l->len[0], plane = row * l->len[1];
	uint64_t rows = whole_rows ? b.high[1] - b.low[1] : 1, planes = whole_planes ? b.high[2] - b.low[2] : 1;

	for (uint64_t z = b.low[2]; z < b.high[2]; z += planes)
		for (uint64_t y = b.low[1]; y < b.high[1]; y += rows) {
			uint64_t first = (b.low[0] + row * y + plane * z) * l->element;
			uint64_t n = (whole_planes ? plane * planes : whole_rows ? row * rows : b.high[0] - b.low[0]) * l->element;

			if (first < l->bytes)
				fn(ctx, l->base + first, least(n, l->bytes - first));
		}
}

/* ---- what is refused ---- */

static int check_dimensions(const struct ldesc *l, struct err *e)
{
	if (!l->element)
		return err_set(e, "%s: elements of 0 bytes", l->name);
	for (unsigned d = 0; d < 3; d++) {
		const char *what = !l->len[d]	   ? "the structure"
				   : !l->d_tile[d] ? "the D-tile"
				   : !l->c_tile[d] ? "the C-tile"
						   : NULL;

		if (what)
			return err_set(e, "%s: %s has a dimension of 0 along %c", l->name, what, axis[d]);
	}
	if (l->type == LDESC_INTER_THREAD && l->access == LDESC_REGULAR && !l->stride)
		return err_set(e, "%s: a regular access needs a stride of at least 1 element, not 0", l->name);
	return 0;
}

static int check_map(const struct ldesc *l, struct err *e)
{
	unsigned n = 0, seen = 0;

	for (unsigned d = 0; d < 3; d++) {
		n += l->rank[d] != 0;
		seen |= l->rank[d] ? 1u << (l->rank[d] & 31) : 0;
	}
	if (seen == ((1u << n) - 1u) << 1 && l->rank[0] <= 3 && l->rank[1] <= 3 && l->rank[2] <= 3)
		return 0;
	return err_set(e, "%s: the compute-data map (%u, %u, %u): its ranks beside 0 must be 1, 2 .. in some order", l->name,
		       l->rank[0], l->rank[1], l->rank[2]);
}

/* The buffer's end may cut the last row of the last plane, not more: of all before it the structure's lengths are
 * meant. */
static int check_offset(const struct ldesc *l, struct err *e)
{
	uint64_t plane, rows, begun;

	if (__builtin_mul_overflow(l->len[0], l->element, &plane) || __builtin_mul_overflow(l->len[1], l->len[2], &rows) ||
	    __builtin_mul_overflow(plane, rows - 1, &begun) || begun > UINT64_MAX - plane || l->base > UINT64_MAX - begun - plane)
		return err_set(e, "%s: a structure of more than 2^64 bytes", l->name);
	if (begun >= l->bytes)
		return err_set(e, "%s: %llux%llux%llu elements of %u bytes run past the buffer's end by a row or more", l->name,
			       (unsigned long long)l->len[0], (unsigned long long)l->len[1], (unsigned long long)l->len[2],
			       l->element);
	return 0;
}

int ldesc_check(const struct ldesc *l, struct err *e)
{
	return check_dimensions(l, e) != 0 || check_map(l, e) != 0 || check_offset(l, e) != 0 ? -1 : 0;
}

static int check_tiles(const struct ldesc *l, const struct ldesc_launch *at, struct err *e)
{
	for (unsigned d = 0; d < 3; d++)
		if (!l->rank[d] && c_tiles_along(l, at, d) > 1)
			return err_set(e, "%s: %llu C-tiles along %c, which the compute-data map does not traverse", l->name,
				       (unsigned long long)c_tiles_along(l, at, d), axis[d]);
	if (ldesc_d_tiles(l) != ldesc_c_tiles(l, at))
		return err_set(e, "%s: %llu D-tiles for %llu C-tiles (a grid of %ux%ux%u CTAs); there must be as many", l->name,
			       (unsigned long long)ldesc_d_tiles(l), (unsigned long long)ldesc_c_tiles(l, at), at->grid[0],
			       at->grid[1], at->grid[2]);
	return 0;
}

/* A descriptor's structure and priority, and its place among the launch's descriptors. */
struct rank {
	uint64_t base;
	uint32_t priority, at;
};

static int by_structure_and_priority(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;

	if (x->base != y->base)
		return x->base < y->base ? -1 : 1;
	if (x->priority != y->priority)
		return x->priority < y->priority ? -1 : 1;
	return x->at < y->at ? -1 : 1;
}

static int check_priorities(const struct ldesc_set *set, struct err *e)
{
	struct rank *r = xcalloc(set->n, sizeof *r);
	uint32_t twice = 0;

	for (uint32_t i = 0; i < set->n; i++)
		r[i] = (struct rank){set->d[i].base, set->d[i].priority, i};
	qsort(r, set->n, sizeof *r, by_structure_and_priority);
	for (uint32_t i = 1; i < set->n && !twice; i++)
		if (r[i].base == r[i - 1].base && r[i].priority == r[i - 1].priority)
			twice = r[i].at;
	free(r);
	if (twice)
		return err_set(e, "%s: two descriptors of priority %u", set->d[twice].name, set->d[twice].priority);
	return 0;
}

int ldesc_check_all(const struct ldesc_set *set, const struct ldesc_launch *at, struct err *e)
{
	for (uint32_t i = 0; i < set->n; i++)
		if (ldesc_check(&set->d[i], e) != 0 || check_tiles(&set->d[i], at, e) != 0)
			return -1;
	return check_priorities(set, e);
}
