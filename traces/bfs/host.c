/* Breadth-first search from one vertex, two launches a level, until a level marks nothing. */
#include "workload/graph_buffers.h"
#include "workload/graph_option.h"
#include "workload/program.h"
#include "workload/taf_api.h"

#include <string.h>

enum { UNSEEN = -1 };

/* Instructions of the paper's host program for a value (docs/studies/tafe.md, Cost of a value): fscanf of two numbers a
 * node and of two an edge, of which it drops the second. The rest are constants. */
enum { NODE_INSTS = 1340, EDGE_INSTS = 1507 };

struct options {
	struct graph_option graph;
	uint32_t source, block;
	unsigned row_in_memory;
};

static int read_options(struct host *h, struct options *o, struct err *e)
{
	static const char *const rows[] = {"register", "memory", NULL};

	if (graph_option_read(h, &o->graph, e) || host_arg_u32(h, "source", 0, 0, 0, 0, UINT32_MAX, &o->source, e) ||
	    host_arg_multiple(h, "block", 512, 512, 512, 32, 1024, &o->block, e) ||
	    host_arg_choice(h, "row", rows, &o->row_in_memory, e))
		return -1;
	return host_args_done(h, e);
}

/* The level of each vertex, UNSEEN where the source does not reach. */
static uint32_t *reference(struct host *h, const struct graph *g, uint32_t source)
{
	uint32_t *level = host_scratch(h, g->n_rows, sizeof *level), *queue = host_scratch(h, g->n_rows, sizeof *queue);
	uint32_t head = 0, tail = 0;

	memset(level, UNSEEN, g->n_rows * sizeof *level);
	level[source] = 0;
	queue[tail++] = source;
	while (head < tail) {
		uint32_t v = queue[head++];

		for (uint32_t i = g->rowptr[v]; i < g->rowptr[v + 1]; i++) {
			if (level[g->col[i]] != (uint32_t)UNSEEN)
				continue;
			level[g->col[i]] = level[v] + 1;
			queue[tail++] = g->col[i];
		}
	}
	return level;
}

struct device {
	struct graph_buffers graph;
	uint64_t frontier, marked, visited, level, go_on;
};

static int fill_device(struct host *h, const struct graph *g, uint32_t source, struct device *d, struct err *e)
{
	uint32_t *level;

	if (graph_buffers_fill(h, g, "edge", &d->graph, e) || !(d->frontier = host_alloc(h, "frontier", g->n_rows, e)) ||
	    !(d->marked = host_alloc(h, "marked", g->n_rows, e)) || !(d->visited = host_alloc(h, "visited", g->n_rows, e)) ||
	    !(level = host_alloc_u32(h, "level", g->n_rows, &d->level, e)) || !host_alloc_u32(h, "go_on", 1, &d->go_on, e))
		return -1;
	memset(level, UNSEEN, g->n_rows * sizeof *level);
	level[source] = 0;
	*(uint8_t *)host_bytes(h, d->frontier + source, 1) = 1;
	*(uint8_t *)host_bytes(h, d->visited + source, 1) = 1;
	return 0;
}

/* Of the graph: an end of a row is where the next begins. Its bytes are in the buffers; here they are stored, as the
 * program does that makes them. */
static int annotate_graph(struct host *h, const struct device *d, uint32_t n, struct taf_tid own, struct err *e)
{
	const struct graph_buffers *g = &d->graph;

	if (taf_register_tid_dep(h, g->row, n + UINT64_C(1), 4, own, true, e) || taf_setRdy(h, g->row, e) ||
	    taf_register_indir_range(h, g->edge, g->entries, 4, g->row, 0, g->row, 0, true, e) ||
	    host_value_insts(h, NODE_INSTS, e))
		return -1;
	host_store_array(h, g->row, 4, n + UINT64_C(1), host_bytes(h, g->row, 4));
	if (taf_setRdy(h, g->edge, e) || taf_register_indir(h, d->level, n, 4, g->edge, 1, 0, false, e) ||
	    taf_register_indir(h, d->visited, n, 1, g->edge, 1, 0, false, e) ||
	    taf_register_indir(h, d->marked, n, 1, g->edge, 1, 0, false, e) || host_value_insts(h, EDGE_INSTS, e))
		return -1;
	host_store_array(h, g->edge, 4, g->entries, host_bytes(h, g->edge, 4));
	return taf_setRdy(h, d->level, e) || taf_setRdy(h, d->visited, e) || taf_setRdy(h, d->marked, e) ? -1 : 0;
}

/* What both kernels touch: a vertex's own, and in bfs_expand its neighbours'. */
static int annotate(struct host *h, const struct device *d, uint32_t n, uint32_t block, struct err *e)
{
	const struct taf_tid own = {.m = {1, 0, 0, block}};

	if (taf_paramSetup(h, (struct host_dim){block, 1, 1}, (struct host_dim){host_blocks(n, block), 1, 1}, e) ||
	    annotate_graph(h, d, n, own, e) || taf_tid_array(h, d->frontier, n, 1, own, e) ||
	    taf_tid_array(h, d->marked, n, 1, own, e) || taf_tid_array(h, d->visited, n, 1, own, e) ||
	    taf_tid_array(h, d->level, n, 4, own, e) || taf_tid_array(h, d->go_on, 1, 4, (struct taf_tid){0}, e) ||
	    host_value_insts(h, 0, e))
		return -1;
	host_store_array(h, d->frontier, 1, n, host_bytes(h, d->frontier, n));
	host_store_array(h, d->marked, 1, n, host_bytes(h, d->marked, n));
	host_store_array(h, d->visited, 1, n, host_bytes(h, d->visited, n));
	host_store_array(h, d->level, 4, n, host_bytes(h, d->level, 4));
	return 0;
}

static int search(struct host *h, const struct device *d, uint32_t n, const struct options *o, struct err *e)
{
	const struct host_dim grid = {host_blocks(n, o->block), 1, 1}, threads = {o->block, 1, 1};
	const char *kernel = o->row_in_memory ? "bfs_expand_reading" : "bfs_expand";
	const struct host_arg expand[] = {host_u64(d->graph.row),
					  host_u64(d->graph.edge),
					  host_u64(d->frontier),
					  host_u64(d->marked),
					  host_u64(d->visited),
					  host_u64(d->level),
					  host_u32(n)};
	const struct host_arg update[] = {host_u64(d->frontier), host_u64(d->marked), host_u64(d->visited), host_u64(d->go_on),
					  host_u32(n)};
	uint32_t *go_on = host_bytes(h, d->go_on, sizeof *go_on);

	do {
		*go_on = 0;
		if (host_launch(h, kernel, grid, threads, 0, 7, expand, e) ||
		    host_launch(h, "bfs_update", grid, threads, 0, 5, update, e))
			return -1;
	} while (*go_on);
	return 0;
}

static int run_graph(struct host *h, const struct options *o, const struct graph *g, struct err *e)
{
	struct device d;

	if (o->source >= g->n_rows)
		return err_set(e, "--arg source=%u: the graph has the vertices 0 to %u", o->source, g->n_rows - 1);
	host_describe(h, "bfs %s, %u vertices, %u edge entries", o->graph.name, g->n_rows, g->n_entries);
	if (fill_device(h, g, o->source, &d, e) || annotate(h, &d, g->n_rows, o->block, e) || search(h, &d, g->n_rows, o, e))
		return -1;
	return host_check_u32(h, "level", d.level, reference(h, g, o->source), g->n_rows, e);
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
	{"source", "vertex to start from", "0"},
	{"block", "threads of a CTA, a multiple of 32", "512"},
	{"row", "register: a vertex's level and the end of its row are read once; memory: again behind each store", "register"},
	{0},
};
const struct workload workload_bfs = {
	.name = "bfs",
	.summary = "breadth-first search, a launch pair a level",
	.suite = "Rodinia",
	.original = "Rodinia bfs",
	.grid = "n/512 x 512, two launches per level",
	.access = "gather in compressed rows, byte masks, scatter",
	.differences = "A row is given by n+1 offsets instead of pairs (start, count). With --arg row=memory a thread reads a "
		       "vertex's level and the end of its row again after each store of a neighbour's level, as a compiler must "
		       "if it cannot rule out that the store changed them.",
	.pattern = "thrashing",
	.sharing = "low",
	.launches = "2 a level",
	.sizes = "R-MAT 2^12 / copter2 / uniform 2^20",
	.options = options,
	.run = run,
};
