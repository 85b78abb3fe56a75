/* Connected components of a simple undirected graph, two launches a round, until no edge joins two trees. Each vertex
 * ends with the least vertex of its component. */
#include "workload/graph_buffers.h"
#include "workload/graph_option.h"
#include "workload/program.h"

#include <string.h>

/* Flooding from each vertex that no flood has reached, from vertex 0 up. */
static uint32_t *reference(struct host *h, const struct graph *g)
{
	uint32_t *least = host_scratch(h, g->n_rows, sizeof *least), *stack = host_scratch(h, g->n_rows, sizeof *stack);

	memset(least, 0xff, g->n_rows * sizeof *least);
	for (uint32_t from = 0; from < g->n_rows; from++) {
		uint32_t height = 0;

		if (least[from] != UINT32_MAX)
			continue;
		least[from] = from;
		stack[height++] = from;
		while (height) {
			uint32_t v = stack[--height];

			for (uint32_t i = g->rowptr[v]; i < g->rowptr[v + 1]; i++)
				if (least[g->col[i]] == UINT32_MAX) {
					least[g->col[i]] = from;
					stack[height++] = g->col[i];
				}
		}
	}
	return least;
}

static int join(struct host *h, const struct graph_buffers *b, uint64_t parent, uint64_t more, uint32_t n, uint32_t block,
		struct err *e)
{
	const struct host_dim grid = {host_blocks(n, block), 1, 1}, threads = {block, 1, 1};
	uint32_t *go_on = host_bytes(h, more, sizeof *go_on);

	do {
		*go_on = 0;
		if (host_launch(
			    h, "components_hook", grid, threads, 0, 5,
			    (struct host_arg[]){host_u64(b->row), host_u64(b->edge), host_u64(parent), host_u64(more), host_u32(n)},
			    e) ||
		    host_launch(h, "components_jump", grid, threads, 0, 2, (struct host_arg[]){host_u64(parent), host_u32(n)}, e))
			return -1;
	} while (*go_on);
	return 0;
}

static int run_graph(struct host *h, const char *name, uint32_t block, const struct graph *g, struct err *e)
{
	struct graph_buffers b;
	uint64_t parent, go_on;
	uint32_t *v;

	host_describe(h, "components %s, %u vertices, %u edge entries", name, g->n_rows, g->n_entries);
	if (graph_buffers_fill(h, g, "edge", &b, e) || !(v = host_alloc_u32(h, "parent", g->n_rows, &parent, e)) ||
	    !host_alloc_u32(h, "go_on", 1, &go_on, e))
		return -1;
	for (uint32_t i = 0; i < g->n_rows; i++)
		v[i] = i;
	if (join(h, &b, parent, go_on, g->n_rows, block, e))
		return -1;
	return host_check_u32(h, "parent", parent, reference(h, g), g->n_rows, e);
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
	graph_make_simple(&g);
	rc = run_graph(h, o.name, block, &g, e);
	graph_free(&g);
	return rc;
}

static const struct workload_option options[] = {
	GRAPH_OPTION_ROWS,
	{"block", "threads of a CTA, a multiple of 32", "256 / 1024 / 1024"},
	{0},
};
const struct workload workload_components = {
	.name = "components",
	.summary = "connected components",
	.suite = "GraphBIG",
	.original = "GraphBIG connected components",
	.grid = "n/1024 x 1024, two launches per round",
	.access = "hooking by atomic minima, then a chase through parents",
	.differences = "Removes loops, multiple edges and directions from the graph first. The order of execution decides how "
		       "many rounds it takes, as on a GPU, but not the result.",
	.pattern = "thrashing",
	.sharing = "low",
	.launches = "2 a round",
	.sizes = "R-MAT 2^12 / copter2 / uniform 2^20",
	.options = options,
	.run = run,
};
