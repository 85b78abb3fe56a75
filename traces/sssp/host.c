/* Shortest paths from one vertex, two launches a round, until a round changes nothing. Weights are random whole
 * numbers, drawn for each direction of an edge. */
#include "workload/graph_buffers.h"
#include "workload/graph_option.h"
#include "workload/program.h"
#include "workload/random.h"

#include <string.h>

static const uint32_t FAR = UINT32_MAX;

struct options {
	struct graph_option graph;
	uint32_t weights, source, block;
};

struct device {
	struct graph_buffers graph;
	uint64_t weight, active, distance, offer, go_on;
	uint32_t *v_weight;
};

static int read_options(struct host *h, struct options *o, struct err *e)
{
	if (graph_option_read(h, &o->graph, e) || host_arg_u32(h, "weights", 16, 16, 16, 1, 1 << 20, &o->weights, e) ||
	    host_arg_u32(h, "source", 0, 0, 0, 0, UINT32_MAX, &o->source, e) ||
	    host_arg_multiple(h, "block", 256, 1024, 1024, 32, 1024, &o->block, e))
		return -1;
	return host_args_done(h, e);
}

static int fill_device(struct host *h, const struct graph *g, const struct options *o, struct device *d, struct err *e)
{
	struct host_random r = {o->graph.seed};
	uint32_t *distance, *offer;

	if (graph_buffers_fill(h, g, "edge", &d->graph, e) ||
	    !(d->v_weight = host_alloc_u32(h, "weight", d->graph.entries, &d->weight, e)) ||
	    !(d->active = host_alloc(h, "active", g->n_rows, e)) ||
	    !(distance = host_alloc_u32(h, "distance", g->n_rows, &d->distance, e)) ||
	    !(offer = host_alloc_u32(h, "offer", g->n_rows, &d->offer, e)) || !host_alloc_u32(h, "go_on", 1, &d->go_on, e))
		return -1;
	for (uint32_t i = 0; i < g->n_entries; i++)
		d->v_weight[i] = 1 + host_random_below(&r, o->weights);
	memset(distance, 0xff, g->n_rows * sizeof *distance);
	memset(offer, 0xff, g->n_rows * sizeof *offer);
	distance[o->source] = 0;
	*(uint8_t *)host_bytes(h, d->active + o->source, 1) = 1;
	return 0;
}

/* A queue of vertices whose distance fell, each in it once at most: Bellman and Ford's method as Moore had it. */
static uint32_t *reference(struct host *h, const struct graph *g, const uint32_t *weight, uint32_t source)
{
	uint32_t *distance = host_scratch(h, g->n_rows, sizeof *distance), *queue = host_scratch(h, g->n_rows, sizeof *queue);
	bool *queued = host_scratch(h, g->n_rows, sizeof *queued);
	uint64_t head = 0, tail = 0;

	memset(distance, 0xff, g->n_rows * sizeof *distance);
	distance[source] = 0;
	queue[tail++ % g->n_rows] = source;
	while (head < tail) {
		uint32_t v = queue[head++ % g->n_rows];

		queued[v] = false;
		for (uint32_t i = g->rowptr[v]; i < g->rowptr[v + 1]; i++) {
			uint32_t to = g->col[i];

			if (distance[v] + weight[i] >= distance[to])
				continue;
			distance[to] = distance[v] + weight[i];
			if (!queued[to])
				queue[tail++ % g->n_rows] = to;
			queued[to] = true;
		}
	}
	return distance;
}

static int search(struct host *h, const struct device *d, uint32_t n, uint32_t block, struct err *e)
{
	const struct host_dim grid = {host_blocks(n, block), 1, 1}, threads = {block, 1, 1};
	uint32_t *go_on = host_bytes(h, d->go_on, sizeof *go_on);

	do {
		*go_on = 0;
		if (host_launch(h, "sssp_relax", grid, threads, 0, 7,
				(struct host_arg[]){host_u64(d->graph.row), host_u64(d->graph.edge), host_u64(d->weight),
						    host_u64(d->active), host_u64(d->distance), host_u64(d->offer), host_u32(n)},
				e) ||
		    host_launch(h, "sssp_settle", grid, threads, 0, 5,
				(struct host_arg[]){host_u64(d->active), host_u64(d->distance), host_u64(d->offer),
						    host_u64(d->go_on), host_u32(n)},
				e))
			return -1;
	} while (*go_on);
	return 0;
}

static int run_graph(struct host *h, const struct options *o, const struct graph *g, struct err *e)
{
	struct device d;

	if (o->source >= g->n_rows)
		return err_set(e, "--arg source=%u: the graph has the vertices 0 to %u", o->source, g->n_rows - 1);
	/* A path has fewer edges than the graph has vertices: no distance comes near FAR. */
	if ((uint64_t)o->weights * g->n_rows >= FAR)
		return err_set(e, "--arg weights=%u: a path of %u edges may be longer than 32 bits hold", o->weights,
			       g->n_rows - 1);
	host_describe(h, "sssp %s, %u vertices, %u edge entries", o->graph.name, g->n_rows, g->n_entries);
	if (fill_device(h, g, o, &d, e) || search(h, &d, g->n_rows, o->block, e))
		return -1;
	return host_check_u32(h, "distance", d.distance, reference(h, g, d.v_weight, o->source), g->n_rows, e);
}

static int run(struct host *h, struct err *e)
{
	struct graph g = {0};
	struct options o;
	int rc;

	if (read_options(h, &o, e) || graph_option_open(&o.graph, &g, e))
		return -1;
	rc = run_graph(h, &o, &g, e);
	graph_free(&g);
	return rc;
}

static const struct workload_option options[] = {
	GRAPH_OPTION_ROWS,
	{"weights", "of edges: from 1 to this", "16"},
	{"source", "vertex to start from", "0"},
	{"block", "threads of a CTA, a multiple of 32", "256 / 1024 / 1024"},
	{0},
};
const struct workload workload_sssp = {
	.name = "sssp",
	.summary = "shortest paths from one vertex",
	.suite = "GraphBIG",
	.original = "GraphBIG shortest path",
	.grid = "n/1024 x 1024, two launches per round",
	.access = "as bfs, with weights beside the edges and atomic minima",
	.differences = "Draws a weight of 1 to 16 for each direction of an edge, and ignores weights of a file.",
	.pattern = "thrashing",
	.sharing = "low",
	.launches = "2 a round",
	.sizes = "R-MAT 2^12 / copter2 / uniform 2^20",
	.options = options,
	.run = run,
};
