/* R-MAT graphs. The generator is splitmix64, so that a seed gives the same graph everywhere. */
#include <stdlib.h>

#include "base/arena.h"
#include "host/graph.h"

enum { MAX_SCALE = 26 };

static double next(uint64_t *state) /* in [0, 1), 53 bits */
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static void draw_edge(const struct rmat *p, uint64_t *state, uint32_t *row, uint32_t *col)
{
	*row = *col = 0;
	for (uint32_t bit = 0; bit < p->scale; bit++) {
		double r = next(state);
		uint32_t down = r >= p->a + p->b, right = down ? r >= p->a + p->b + p->c : r >= p->a;

		*row = *row << 1 | down;
		*col = *col << 1 | right;
	}
}

int graph_rmat(struct graph *g, const struct rmat *p, struct err *e)
{
	uint64_t state = p->seed, n = (uint64_t)p->edge_factor << p->scale, at = 0;
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
		draw_edge(p, &state, &row[at], &col[at]);
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
