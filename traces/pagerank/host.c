/* PageRank of an undirected graph by gathering, a fixed number of iterations, 256 threads a CTA. A vertex without
 * neighbours gives its rank to nobody. */
#include "workload/graph_buffers.h"
#include "workload/graph_option.h"
#include "workload/program.h"

static const float damping = 0.85f;

struct device {
	struct graph_buffers graph;
	uint64_t rank, share;
};

static int fill_device(struct host *h, const struct graph *g, struct device *d, struct err *e)
{
	float *rank;

	if (graph_buffers_fill(h, g, "edge", &d->graph, e) || !(rank = host_alloc_f32(h, "rank", g->n_rows, &d->rank, e)) ||
	    !host_alloc_f32(h, "share", g->n_rows, &d->share, e))
		return -1;
	for (uint32_t v = 0; v < g->n_rows; v++)
		rank[v] = 1 / (float)g->n_rows;
	return 0;
}

static int check(struct host *h, const struct graph *g, const struct device *d, float stay, uint32_t iterations, struct err *e)
{
	double *rank = host_scratch(h, g->n_rows, sizeof *rank), *share = host_scratch(h, g->n_rows, sizeof *share);
	float *want = host_scratch(h, g->n_rows, sizeof *want);
	uint64_t longest = 0;

	for (uint32_t v = 0; v < g->n_rows; v++)
		rank[v] = 1 / (float)g->n_rows;
	for (uint32_t i = 0; i < iterations; i++) {
		for (uint32_t v = 0; v < g->n_rows; v++)
			share[v] = g->rowptr[v + 1] > g->rowptr[v] ? rank[v] / (g->rowptr[v + 1] - g->rowptr[v]) : 0;
		for (uint32_t v = 0; v < g->n_rows; v++) {
			uint32_t degree = g->rowptr[v + 1] - g->rowptr[v];
			double sum = 0;

			for (uint32_t j = g->rowptr[v]; j < g->rowptr[v + 1]; j++)
				sum += share[g->col[j]];
			rank[v] = stay + (double)damping * sum;
			longest = degree > longest ? degree : longest;
		}
	}
	for (uint32_t v = 0; v < g->n_rows; v++)
		want[v] = (float)rank[v];
	/* An iteration adds a division, a sum over the neighbours and two operations. */
	return host_check_f32(h, "rank", d->rank, want, g->n_rows, host_sum_tolerance(iterations * (longest + 4)), e);
}

static int run_graph(struct host *h, const char *name, uint32_t iterations, const struct graph *g, struct err *e)
{
	const struct host_dim grid = {host_blocks(g->n_rows, 256), 1, 1}, block = {256, 1, 1};
	const float stay = (1 - damping) / (float)g->n_rows;
	struct device d;

	host_describe(h, "pagerank %s, %u vertices, %u edge entries", name, g->n_rows, g->n_entries);
	if (fill_device(h, g, &d, e))
		return -1;
	for (uint32_t i = 0; i < iterations; i++)
		if (host_launch(
			    h, "pagerank_share", grid, block, 0, 4,
			    (struct host_arg[]){host_u64(d.graph.row), host_u64(d.rank), host_u64(d.share), host_u32(g->n_rows)},
			    e) ||
		    host_launch(h, "pagerank_gather", grid, block, 0, 7,
				(struct host_arg[]){host_u64(d.graph.row), host_u64(d.graph.edge), host_u64(d.share),
						    host_u64(d.rank), host_f32(stay), host_f32(damping), host_u32(g->n_rows)},
				e))
			return -1;
	return check(h, g, &d, stay, iterations, e);
}

static int run(struct host *h, struct err *e)
{
	struct graph_option o;
	struct graph g = {0};
	uint32_t iterations;
	int rc;

	if (graph_option_read(h, &o, e) || host_arg_u32(h, "iterations", 2, 5, 10, 1, 1000, &iterations, e) ||
	    host_args_done(h, e) || graph_option_open(&o, &g, e))
		return -1;
	rc = run_graph(h, o.name, iterations, &g, e);
	graph_free(&g);
	return rc;
}

static const struct workload_option options[] = {
	GRAPH_OPTION_ROWS,
	{"iterations", "of two launches each", "2 / 5 / 10"},
	{0},
};
const struct workload workload_pagerank = {
	.name = "pagerank",
	.summary = "PageRank by gathering",
	.suite = "Pannotia",
	.original = "Pannotia pagerank",
	.grid = "n/256 x 256, two launches an iteration",
	.access = "gather in compressed rows",
	.differences = "Makes a fixed number of iterations.",
	.pattern = "thrashing",
	.sharing = "low",
	.launches = "4 / 10 / 20",
	.sizes = "R-MAT 2^12 / copter2 / uniform 2^20",
	.options = options,
	.run = run,
};
