/* Triangles of a simple undirected graph, counted at the least of their vertices. One launch. */
#include "workload/graph_buffers.h"
#include "workload/graph_option.h"
#include "workload/program.h"

/* Marks on a vertex's neighbours, instead of merging. */
static uint32_t *reference(struct host *h, const struct graph *g)
{
	uint32_t *count = host_scratch(h, g->n_rows, sizeof *count);
	/* The vertex whose neighbours are marked, and one: 0 is nobody. */
	uint32_t *mark = host_scratch(h, g->n_rows, sizeof *mark);

	for (uint32_t v = 0; v < g->n_rows; v++) {
		for (uint32_t i = g->rowptr[v]; i < g->rowptr[v + 1]; i++)
			mark[g->col[i]] = v + 1;
		for (uint32_t i = g->rowptr[v]; i < g->rowptr[v + 1]; i++) {
			uint32_t u = g->col[i];

			if (u < v)
				continue;
			for (uint32_t j = g->rowptr[u]; j < g->rowptr[u + 1]; j++)
				count[v] += g->col[j] > u && mark[g->col[j]] == v + 1;
		}
	}
	return count;
}

static int run_graph(struct host *h, const char *name, uint32_t block, const struct graph *g, struct err *e)
{
	struct graph_buffers b;
	uint64_t count;

	host_describe(h, "triangles %s, %u vertices, %u edge entries", name, g->n_rows, g->n_entries);
	if (graph_buffers_fill(h, g, "edge", &b, e) || !host_alloc_u32(h, "count", g->n_rows, &count, e) ||
	    host_launch(h, "triangles", (struct host_dim){host_blocks(g->n_rows, block), 1, 1}, (struct host_dim){block, 1, 1}, 0,
			4, (struct host_arg[]){host_u64(b.row), host_u64(b.edge), host_u64(count), host_u32(g->n_rows)}, e))
		return -1;
	return host_check_u32(h, "count", count, reference(h, g), g->n_rows, e);
}

static int run(struct host *h, struct err *e)
{
	struct graph_option o;
	struct graph g = {0};
	uint32_t block;
	int rc;

	if (graph_option_read_test(h, 9, 8, &o, e) || host_arg_multiple(h, "block", 256, 1024, 1024, 32, 1024, &block, e) ||
	    host_args_done(h, e) || graph_option_open(&o, &g, e))
		return -1;
	graph_make_simple(&g);
	rc = run_graph(h, o.name, block, &g, e);
	graph_free(&g);
	return rc;
}

static const struct workload_option options[] = {
	GRAPH_OPTION_ROWS_TEST("9", "8"),
	{"block", "threads of a CTA, a multiple of 32", "256 / 1024 / 1024"},
	{0},
};
const struct workload workload_triangles = {
	.name = "triangles",
	.summary = "triangles by merging rows",
	.suite = "GraphBIG",
	.original = "GraphBIG triangle count",
	.grid = "n/1024 x 1024",
	.access = "rows of a vertex and of its neighbours, merged by one thread each",
	.differences = "Removes loops, multiple edges and directions from the graph first.",
	.pattern = "thrashing",
	.sharing = "high",
	.launches = "1",
	.sizes = "R-MAT 2^9 / copter2 / uniform 2^20",
	.options = options,
	.run = run,
};
