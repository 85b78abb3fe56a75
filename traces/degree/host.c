/* Degree centrality of every vertex: edges out and edges in. One launch. */
#include "workload/graph_buffers.h"
#include "workload/graph_option.h"
#include "workload/program.h"

static int run_graph(struct host *h, const char *name, uint32_t block, const struct graph *g, struct err *e)
{
	uint32_t *want_out = host_scratch(h, g->n_rows, sizeof *want_out), *want_in = host_scratch(h, g->n_rows, sizeof *want_in);
	struct graph_buffers b;
	uint64_t out, in;

	host_describe(h, "degree %s, %u vertices, %u edge entries", name, g->n_rows, g->n_entries);
	if (graph_buffers_fill(h, g, "edge", &b, e) || !host_alloc_u32(h, "out", g->n_rows, &out, e) ||
	    !host_alloc_u32(h, "in", g->n_rows, &in, e) ||
	    host_launch(h, "degree", (struct host_dim){host_blocks(g->n_rows, block), 1, 1}, (struct host_dim){block, 1, 1}, 0, 5,
			(struct host_arg[]){host_u64(b.row), host_u64(b.edge), host_u64(out), host_u64(in), host_u32(g->n_rows)},
			e))
		return -1;
	for (uint32_t v = 0; v < g->n_rows; v++)
		for (uint32_t i = g->rowptr[v]; i < g->rowptr[v + 1]; i++) {
			want_out[v]++;
			want_in[g->col[i]]++;
		}
	if (host_check_u32(h, "out", out, want_out, g->n_rows, e))
		return -1;
	return host_check_u32(h, "in", in, want_in, g->n_rows, e);
}

static int run(struct host *h, struct err *e)
{
	struct graph_option o;
	struct graph g = {0};
	uint32_t block;
	int rc;

	if (graph_option_read(h, &o, e) || host_arg_multiple(h, "block", 256, 1024, 1024, 32, 1024, &block, e) ||
	    host_args_done(h, e) || graph_option_open(&o, &g, e))
		return -1;
	rc = run_graph(h, o.name, block, &g, e);
	graph_free(&g);
	return rc;
}

static const struct workload_option options[] = {
	GRAPH_OPTION_ROWS,
	{"block", "threads of a CTA, a multiple of 32", "256 / 1024 / 1024"},
	{0},
};
const struct workload workload_degree = {
	.name = "degree",
	.summary = "edges out of and into each vertex",
	.suite = "GraphBIG",
	.original = "GraphBIG degree centrality",
	.grid = "n/1024 x 1024",
	.access = "a row per thread, an atomic on the word of each neighbour",
	.pattern = "thrashing",
	.sharing = "none",
	.launches = "1",
	.sizes = "R-MAT 2^12 / copter2 / uniform 2^20",
	.options = options,
	.run = run,
};
