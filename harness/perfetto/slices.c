#include "perfetto/slices.h"

#include <stdlib.h>

#include "base/alloc.h"

void slices_add(struct slices *all, const struct slice *s)
{
	if (s->begin >= s->end)
		return;
	if (all->n == all->room)
		all->slice = xrealloc(all->slice, (all->room = 2 * all->room + 1024) * sizeof *all->slice);
	all->slice[all->n++] = *s;
}

void slices_free(struct slices *all)
{
	free(all->slice);
	*all = (struct slices){0};
}

/* The begin of a slice, or its end: its number twice, and one more for the end. */
typedef uint64_t edge;

static const struct slice *slice_of(const struct slices *all, edge e)
{
	return &all->slice[e >> 1];
}

static uint64_t time_of(const struct slices *all, edge e)
{
	return e & 1 ? slice_of(all, e)->end : slice_of(all, e)->begin;
}

static int compare(uint64_t x, uint64_t y)
{
	return (x > y) - (x < y);
}

static int by_time(const void *a, const void *b, void *ctx)
{
	const struct slices *all = ctx;
	edge x = *(const edge *)a, y = *(const edge *)b;
	int order = compare(time_of(all, x), time_of(all, y));

	if (order == 0)
		order = compare(y & 1, x & 1);
	if (order == 0)
		order = compare(slice_of(all, x)->depth, slice_of(all, y)->depth) * (x & 1 ? -1 : 1);
	return order ? order : compare(x, y);
}

static void write_edge(const struct slices *all, struct packets *p, edge e)
{
	const struct slice *s = slice_of(all, e);
	struct packets_slice told;

	if (e & 1) {
		packets_slice_ends(p, s->end, s->track);
		return;
	}
	told.n_args = told.n_flows = told.n_ends = 0;
	told.used = 0;
	told.name[0] = '\0';
	told.category[0] = told.category[1] = NULL;
	s->from->tell(s->from->ctx, s->a, s->b, &told);
	packets_slice_begins(p, s->begin, s->track, &told);
}

void slices_write(struct slices *all, struct packets *p, void (*other)(void *ctx, struct packets *p, uint64_t ns), void *ctx)
{
	edge *order = xmalloc((2 * all->n + 1) * sizeof *order);

	for (uint64_t i = 0; i < 2 * all->n; i++)
		order[i] = i;
	qsort_r(order, 2 * all->n, sizeof *order, by_time, all);
	for (uint64_t i = 0; i < 2 * all->n; i++) {
		other(ctx, p, time_of(all, order[i]));
		write_edge(all, p, order[i]);
	}
	other(ctx, p, UINT64_MAX);
	free(order);
}
