/* A colouring of a simple undirected graph, two launches a round, until every vertex has a colour. The numbers by which
 * neighbours compare are a random permutation of 1 .. n. */
#include "workload/graph_buffers.h"
#include "workload/graph_option.h"
#include "workload/program.h"
#include "workload/random.h"

struct device {
	struct graph_buffers graph;
	uint64_t number, colour, rival, go_on;
	uint32_t *v_number;
};

static int fill_device(struct host *h, const struct graph *g, uint32_t seed, struct device *d, struct err *e)
{
	struct host_random r = {seed};

	if (graph_buffers_fill(h, g, "edge", &d->graph, e) ||
	    !(d->v_number = host_alloc_u32(h, "number", g->n_rows, &d->number, e)) ||
	    !host_alloc_u32(h, "colour", g->n_rows, &d->colour, e) || !host_alloc_u32(h, "rival", g->n_rows, &d->rival, e) ||
	    !host_alloc_u32(h, "go_on", 1, &d->go_on, e))
		return -1;
	for (uint32_t v = 0; v < g->n_rows; v++) {
		uint32_t with = host_random_below(&r, v + 1);

		d->v_number[v] = d->v_number[with];
		d->v_number[with] = v + 1;
	}
	return 0;
}

/* The round in which a vertex is above all rivals is one more than the last round of a neighbour with a greater number:
 * taking the vertices from the greatest number down needs no rounds. */
static uint32_t *reference(struct host *h, const struct graph *g, const uint32_t *number)
{
	uint32_t *colour = host_scratch(h, g->n_rows, sizeof *colour);
	uint32_t *numbered = host_scratch(h, g->n_rows + UINT64_C(1), sizeof *numbered);

	for (uint32_t v = 0; v < g->n_rows; v++)
		numbered[number[v]] = v;
	for (uint32_t k = g->n_rows; k > 0; k--) {
		uint32_t v = numbered[k], last = 0;

		for (uint32_t i = g->rowptr[v]; i < g->rowptr[v + 1]; i++)
			if (colour[g->col[i]] > last)
				last = colour[g->col[i]];
		colour[v] = last + 1;
	}
	return colour;
}

static int paint(struct host *h, const struct device *d, uint32_t n, uint32_t block, struct err *e)
{
	const struct host_dim grid = {host_blocks(n, block), 1, 1}, threads = {block, 1, 1};
	uint32_t *go_on = host_bytes(h, d->go_on, sizeof *go_on), round = 0;

	do {
		*go_on = 0;
		round++;
		if (host_launch(h, "colouring_rival", grid, threads, 0, 6,
				(struct host_arg[]){host_u64(d->graph.row), host_u64(d->graph.edge), host_u64(d->number),
						    host_u64(d->colour), host_u64(d->rival), host_u32(n)},
				e) ||
		    host_launch(h, "colouring_paint", grid, threads, 0, 6,
				(struct host_arg[]){host_u64(d->number), host_u64(d->rival), host_u64(d->colour),
						    host_u64(d->go_on), host_u32(round), host_u32(n)},
				e))
			return -1;
	} while (*go_on);
	return 0;
}

static int run_graph(struct host *h, const struct graph_option *o, uint32_t block, const struct graph *g, struct err *e)
{
	struct device d;

	host_describe(h, "colouring %s, %u vertices, %u edge entries", o->name, g->n_rows, g->n_entries);
	if (fill_device(h, g, o->seed, &d, e) || paint(h, &d, g->n_rows, block, e))
		return -1;
	return host_check_u32(h, "colour", d.colour, reference(h, g, d.v_number), g->n_rows, e);
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
	rc = run_graph(h, &o, block, &g, e);
	graph_free(&g);
	return rc;
}

static const struct workload_option options[] = {
	GRAPH_OPTION_ROWS_TEST("9", "8"),
	{"block", "threads of a CTA, a multiple of 32", "256 / 1024 / 1024"},
	{0},
};
const struct workload workload_colouring = {
	.name = "colouring",
	.summary = "colours for vertices (Jones-Plassmann)",
	.suite = "GraphBIG",
	.original = "GraphBIG graph colouring",
	.grid = "n/1024 x 1024, two launches per round",
	.access = "gather of neighbours' numbers and colours, fewer vertices per round",
	.differences = "Removes loops, multiple edges and directions from the graph first.",
	.pattern = "thrashing",
	.sharing = "low",
	.launches = "2 a round",
	.sizes = "R-MAT 2^9 / copter2 / uniform 2^20",
	.options = options,
	.run = run,
};
