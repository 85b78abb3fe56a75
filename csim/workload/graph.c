/* Compressed rows from a list of entries. */
#include "workload/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void graph_free(struct graph *g)
{
	free(g->rowptr);
	free(g->col);
	free(g->weight);
	*g = (struct graph){0};
}

/* A stable counting sort of the entry numbers in `from` by key[]; first: n_keys + 1 elements, left with where each key
 * starts. */
static void sort_by(const uint32_t *key, uint32_t n_keys, const uint32_t *from, uint32_t n, uint32_t *first, uint32_t *to)
{
	memset(first, 0, ((size_t)n_keys + 1) * sizeof *first);
	for (uint32_t i = 0; i < n; i++)
		first[key[i] + 1]++;
	for (uint32_t k = 0; k < n_keys; k++)
		first[k + 1] += first[k];
	for (uint32_t i = 0; i < n; i++) {
		uint32_t entry = from ? from[i] : i;

		to[first[key[entry]]++] = entry;
	}
	memmove(first + 1, first, n_keys * sizeof *first); /* each has moved to the next one's start */
	first[0] = 0;
}

void graph_from_entries(struct graph *g, uint32_t n_rows, uint32_t n_cols, uint32_t n, const uint32_t *row, const uint32_t *col,
			const float *weight)
{
	uint32_t *first = xmalloc(((size_t)n_cols + 1) * sizeof *first);
	uint32_t *by_col = xmalloc(((size_t)n + 1) * sizeof *by_col), *by_row = xmalloc(((size_t)n + 1) * sizeof *by_row);

	*g = (struct graph){n_rows, n_cols, n, NULL, NULL, NULL};
	g->rowptr = xmalloc(((size_t)n_rows + 1) * sizeof *g->rowptr);
	g->col = xmalloc(((size_t)n + 1) * sizeof *g->col);
	sort_by(col, n_cols, NULL, n, first, by_col);
	sort_by(row, n_rows, by_col, n, g->rowptr, by_row);
	for (uint32_t i = 0; i < n; i++)
		g->col[i] = col[by_row[i]];
	if (weight) {
		g->weight = xmalloc(((size_t)n + 1) * sizeof *g->weight);
		for (uint32_t i = 0; i < n; i++)
			g->weight[i] = weight[by_row[i]];
	}
	free(first);
	free(by_col);
	free(by_row);
}

/* Of each row, whose columns ascend, what is neither a loop nor a repetition. */
static void drop_repeats(struct graph *g)
{
	uint32_t n = 0, from = 0;

	for (uint32_t v = 0; v < g->n_rows; v++) {
		uint32_t first = n, end = g->rowptr[v + 1];

		for (; from < end; from++)
			if (g->col[from] != v && (n == first || g->col[n - 1] != g->col[from]))
				g->col[n++] = g->col[from];
		g->rowptr[v + 1] = n;
	}
	g->n_entries = n;
}

void graph_make_simple(struct graph *g)
{
	uint32_t n = 0, vertices = g->n_rows;
	uint32_t *row = xmalloc(((size_t)g->n_entries * 2 + 1) * sizeof *row);
	uint32_t *col = xmalloc(((size_t)g->n_entries * 2 + 1) * sizeof *col);

	for (uint32_t v = 0; v < vertices; v++)
		for (uint32_t i = g->rowptr[v]; i < g->rowptr[v + 1]; i++) {
			row[n] = col[n + 1] = v;
			col[n] = row[n + 1] = g->col[i];
			n += 2;
		}
	graph_free(g);
	graph_from_entries(g, vertices, vertices, n, row, col, NULL);
	free(row);
	free(col);
	drop_repeats(g);
}
