/* METIS .graph and MatrixMarket .mtx, plain; what is accepted must be compressed rows. */
#include "fuzz/files.h"
#include "fuzz/fuzz.h"
#include "workload/graph.h"

static void check_rows(const struct graph *g)
{
	REQUIRE(g->n_rows >= 1 && g->n_cols >= 1 && g->rowptr[0] == 0 && g->rowptr[g->n_rows] == g->n_entries);
	for (uint32_t v = 0; v < g->n_rows; v++) {
		REQUIRE(g->rowptr[v] <= g->rowptr[v + 1]);
		for (uint32_t i = g->rowptr[v]; i < g->rowptr[v + 1]; i++)
			REQUIRE(g->col[i] < g->n_cols && (i == g->rowptr[v] || g->col[i - 1] <= g->col[i]));
	}
}

void fuzz_graph(const uint8_t *data, size_t n)
{
	struct err e = {""};
	struct graph g;

	files_put("g.mtx", data, n);
	if (graph_open(&g, "g.mtx", 0, &e)) {
		fuzz_told(&e);
		return;
	}
	check_rows(&g);
	graph_free(&g);
}
