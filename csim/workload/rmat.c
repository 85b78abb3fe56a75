/* R-MAT graphs. The generator is that of workload/random.h: a seed gives the same graph everywhere. */
#include <stdlib.h>

#include "base/alloc.h"
#include "workload/graph.h"
#include "workload/random.h"

enum { MAX_SCALE = 26 };

static double next(struct host_random *r) /* in [0, 1), 53 bits */
{
	return (double)(host_random_u64(r) >> 11) * 0x1p-53;
}

static void draw_edge(const struct rmat *p, struct host_random *random, uint32_t *row, uint32_t *col)
{
	*row = *col = 0;
	for (uint32_t bit = 0; bit < p->scale; bit++) {
		double r = next(random);
		uint32_t down = r >= p->a + p->b, right = down ? r >= p->a + p->b + p->c : r >= p->a;

		*row = *row << 1 | down;
		*col = *col << 1 | right;
	}
}

int graph_rmat(struct graph *g, const struct rmat *p, struct err *e)
{
	struct host_random random = {p->seed};
	uint64_t n = (uint64_t)p->edge_factor << p->scale, at = 0;
	uint32_t *row, *col;

	*g = (struct graph){0};
	if (p->scale < 1 || p->scale > MAX_SCALE)
		return err_set(e, "R-MAT: scale %u is not in 1..%d", p->scale, MAX_SCALE);
	if (!(p->a >= 0 && p->b >= 0 && p->c >= 0 && p->a + p->b + p->c <= 1 + 1e-9))
		return err_set(e, "R-MAT: a, b and c must not be negative, and their sum not above 1");
	n *= p->undirected ? 2 : 1;
	if (p->edge_factor < 1 || n > UINT32_C(1) << 31)
		return err_set(e, "R-MAT: %u edges a vertex are too %s", p->edge_factor, p->edge_factor ? "many" : "few");
	row = xmalloc(n * sizeof *row);
	col = xmalloc(n * sizeof *col);
	while (at < n) {
		draw_edge(p, &random, &row[at], &col[at]);
		at++;
		if (p->undirected) {
			row[at] = col[at - 1];
			col[at] = row[at - 1];
			at++;
		}
	}
	graph_from_entries(g, UINT32_C(1) << p->scale, UINT32_C(1) << p->scale, (uint32_t)n, row, col, NULL);
	free(row);
	free(col);
	return 0;
}
