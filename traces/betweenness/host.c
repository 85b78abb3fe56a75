/* Betweenness centrality: the part of it that shortest paths from a few source vertices give. For each source a launch
 * a level away from it, and one a level back. */
#include "workload/graph_buffers.h"
#include "workload/graph_option.h"
#include "workload/program.h"

#include <string.h>

static const uint32_t UNSEEN = UINT32_MAX;

struct options {
	struct graph_option graph;
	uint32_t sources, block;
};

struct device {
	struct graph_buffers graph;
	uint64_t level, paths, depend, centrality, go_on;
	uint32_t *v_level;
	float *v_paths;
};

/* What the host knows of a vertex, and how many roundings at most are behind the device's number: all summands are
 * positive, so that the relative error of a number is at most that count times 2^-24. */
struct vertex {
	double paths, depend, centrality;
	uint64_t paths_roundings, depend_roundings, centrality_roundings;
};

struct brandes {
	struct vertex *vertex;
	uint32_t *level, *queue;
};

static int fill_device(struct host *h, const struct graph *g, struct device *d, struct err *e)
{
	if (graph_buffers_fill(h, g, "edge", &d->graph, e) || !(d->v_level = host_alloc_u32(h, "level", g->n_rows, &d->level, e)) ||
	    !(d->v_paths = host_alloc_f32(h, "paths", g->n_rows, &d->paths, e)) ||
	    !host_alloc_f32(h, "depend", g->n_rows, &d->depend, e) ||
	    !host_alloc_f32(h, "centrality", g->n_rows, &d->centrality, e) || !host_alloc_u32(h, "go_on", 1, &d->go_on, e))
		return -1;
	return 0;
}

static int from_source(struct host *h, struct device *d, uint32_t source, uint32_t n, uint32_t block, struct err *e)
{
	const struct host_dim grid = {host_blocks(n, block), 1, 1}, threads = {block, 1, 1};
	uint32_t *go_on = host_bytes(h, d->go_on, sizeof *go_on), level = 0;

	memset(d->v_level, 0xff, n * sizeof *d->v_level);
	memset(d->v_paths, 0, n * sizeof *d->v_paths);
	d->v_level[source] = 0;
	d->v_paths[source] = 1;
	do {
		*go_on = 0;
		if (host_launch(h, "betweenness_forward", grid, threads, 0, 7,
				(struct host_arg[]){host_u64(d->graph.row), host_u64(d->graph.edge), host_u64(d->level),
						    host_u64(d->paths), host_u64(d->go_on), host_u32(level), host_u32(n)},
				e))
			return -1;
		level++;
	} while (*go_on);
	while (level--)
		if (host_launch(h, "betweenness_backward", grid, threads, 0, 8,
				(struct host_arg[]){host_u64(d->graph.row), host_u64(d->graph.edge), host_u64(d->level),
						    host_u64(d->paths), host_u64(d->depend), host_u64(d->centrality),
						    host_u32(level), host_u32(n)},
				e))
			return -1;
	return 0;
}

static uint64_t most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Vertices in the order in which a queue meets them; returns how many. */
static uint32_t reference_forward(const struct graph *g, const struct brandes *b, uint32_t source)
{
	uint32_t head = 0, tail = 0;

	for (uint32_t v = 0; v < g->n_rows; v++) {
		b->level[v] = UNSEEN;
		b->vertex[v].paths = b->vertex[v].depend = 0;
		b->vertex[v].paths_roundings = b->vertex[v].depend_roundings = 0;
	}
	b->level[source] = 0;
	b->vertex[source].paths = 1;
	b->queue[tail++] = source;
	for (; head < tail; head++) {
		uint32_t v = b->queue[head];

		for (uint32_t i = g->rowptr[v]; i < g->rowptr[v + 1]; i++) {
			struct vertex *to = &b->vertex[g->col[i]];

			if (b->level[g->col[i]] == UNSEEN) {
				b->level[g->col[i]] = b->level[v] + 1;
				b->queue[tail++] = g->col[i];
			}
			if (b->level[g->col[i]] != b->level[v] + 1)
				continue;
			to->paths += b->vertex[v].paths;
			/* A sum of k numbers has at most as many roundings as its worst one has, and k. */
			to->paths_roundings = most(to->paths_roundings, b->vertex[v].paths_roundings) + 1;
		}
	}
	return tail;
}

static void reference_back(const struct graph *g, const struct brandes *b, uint32_t source, uint32_t met)
{
	while (met--) {
		uint32_t v = b->queue[met];
		struct vertex *here = &b->vertex[v];

		for (uint32_t i = g->rowptr[v]; i < g->rowptr[v + 1]; i++) {
			const struct vertex *to = &b->vertex[g->col[i]];

			if (b->level[g->col[i]] != b->level[v] + 1)
				continue;
			here->depend += here->paths / to->paths * (1 + to->depend);
			/* A quotient, 1 + depend, a product, a sum. */
			here->depend_roundings = most(here->depend_roundings,
						      here->paths_roundings + to->paths_roundings + to->depend_roundings + 3) +
						 1;
		}
		if (v == source)
			continue;
		here->centrality += here->depend;
		here->centrality_roundings = most(here->centrality_roundings, here->depend_roundings) + 1;
	}
}

static uint32_t source_of(const struct graph *g, uint32_t i, uint32_t sources)
{
	return (uint32_t)((uint64_t)i * g->n_rows / sources);
}

static int check(struct host *h, const struct graph *g, const struct device *d, uint32_t sources, struct err *e)
{
	float *want = host_scratch(h, g->n_rows, sizeof *want);
	struct brandes b = {.vertex = host_scratch(h, g->n_rows, sizeof *b.vertex),
			    .level = host_scratch(h, g->n_rows, sizeof *b.level),
			    .queue = host_scratch(h, g->n_rows, sizeof *b.queue)};
	uint64_t roundings = 0;

	for (uint32_t i = 0; i < sources; i++) {
		uint32_t source = source_of(g, i, sources);

		reference_back(g, &b, source, reference_forward(g, &b, source));
	}
	for (uint32_t v = 0; v < g->n_rows; v++) {
		want[v] = (float)b.vertex[v].centrality;
		roundings = most(roundings, b.vertex[v].centrality_roundings);
	}
	return host_check_f32(h, "centrality", d->centrality, want, g->n_rows, host_sum_tolerance(roundings), e);
}

static int run_graph(struct host *h, const struct options *o, const struct graph *g, struct err *e)
{
	uint32_t sources = o->sources < g->n_rows ? o->sources : g->n_rows;
	struct device d;

	host_describe(h, "betweenness %s, %u vertices, %u edge entries, %u sources", o->graph.name, g->n_rows, g->n_entries,
		      sources);
	if (fill_device(h, g, &d, e))
		return -1;
	for (uint32_t i = 0; i < sources; i++)
		if (from_source(h, &d, source_of(g, i, sources), g->n_rows, o->block, e))
			return -1;
	return check(h, g, &d, sources, e);
}

static int run(struct host *h, struct err *e)
{
	struct graph g = {0};
	struct options o;
	int rc;

	if (graph_option_read_test(h, 11, 16, &o.graph, e) || host_arg_u32(h, "sources", 1, 1, 1, 1, 1 << 20, &o.sources, e) ||
	    host_arg_multiple(h, "block", 256, 1024, 1024, 32, 1024, &o.block, e) || host_args_done(h, e) ||
	    graph_option_open(&o.graph, &g, e))
		return -1;
	rc = run_graph(h, &o, &g, e);
	graph_free(&g);
	return rc;
}

static const struct workload_option options[] = {
	GRAPH_OPTION_ROWS_TEST("11", "16"),
	{"sources", "vertices from which paths are followed", "1"},
	{"block", "threads of a CTA, a multiple of 32", "256 / 1024 / 1024"},
	{0},
};
const struct workload workload_betweenness = {
	.name = "betweenness",
	.summary = "shortest paths through each vertex (Brandes)",
	.suite = "GraphBIG",
	.original = "GraphBIG betweenness centrality",
	.grid = "n/1024 x 1024, two launches per level",
	.access = "levels out and back, float atomics on the words of neighbours",
	.differences = "Counts shortest paths from a few vertices (--arg sources), not from all.",
	.pattern = "thrashing",
	.sharing = "low",
	.launches = "2 a level",
	.sizes = "R-MAT 2^11 / copter2 / uniform 2^20",
	.options = options,
	.run = run,
};
