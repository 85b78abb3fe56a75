/* The cheapest path down a grid of weights, `height` rows a launch, from one buffer of costs to the other and back. */
#include "workload/ldesc_api.h"
#include "workload/random.h"
#include "workload/taf_api.h"

#include <string.h>

enum { BLOCK = 256 };

/* Instructions of the paper's host program for a value (docs/studies/tafe.md, Cost of a value): rand() % 10 for a
 * weight; the first costs are a copy. */
enum { RANDOM_INSTS = 54 };

struct grid {
	uint32_t rows, cols, height, seed;
};

static uint32_t least_above(const uint32_t *cost, uint32_t x, uint32_t cols)
{
	uint32_t least = cost[x];

	if (x && cost[x - 1] < least)
		least = cost[x - 1];
	if (x + 1 < cols && cost[x + 1] < least)
		least = cost[x + 1];
	return least;
}

/* The costs of the last row. */
static uint32_t *reference(struct host *h, const struct grid *g, const uint32_t *weight)
{
	uint32_t *cost = host_scratch(h, g->cols, sizeof *cost), *next = host_scratch(h, g->cols, sizeof *next);

	memcpy(cost, weight, g->cols * sizeof *cost);
	for (uint32_t r = 1; r < g->rows; r++) {
		uint32_t *was = cost;

		for (uint32_t x = 0; x < g->cols; x++)
			next[x] = weight[(uint64_t)r * g->cols + x] + least_above(cost, x, g->cols);
		cost = next;
		next = was;
	}
	return cost;
}

/* A CTA reads a row of costs and the weights below it, with a halo on either side; which threads stay out of a step is
 * not said (tafe, Listing 2). The last launch may have fewer rows and wider CTAs than the others, whose shape is stated
 * here. */
static int annotate(struct host *h, const struct grid *g, uint64_t weight, const uint64_t cost[2], struct err *e)
{
	uint32_t height = g->rows - 1 < g->height ? g->rows - 1 : g->height, part = BLOCK - 2 * height;
	const struct taf_tid row = {.m = {1, 0, 0, part}, .c = -height};
	const struct taf_tid rows = {.m = {1, 0, 0, part}, .c = g->cols - height, .ofs = g->cols, .n = g->rows - 1};

	if (taf_paramSetup(h, (struct host_dim){BLOCK, 1, 1}, (struct host_dim){host_blocks(g->cols, part), 1, 1}, e) ||
	    taf_tid_array(h, weight, (uint64_t)g->rows * g->cols, 4, rows, e) || taf_tid_array(h, cost[0], g->cols, 4, row, e) ||
	    taf_tid_array(h, cost[1], g->cols, 4, row, e) || host_value_insts(h, RANDOM_INSTS, e))
		return -1;
	host_store_array(h, weight, 4, (uint64_t)g->rows * g->cols, host_bytes(h, weight, 4));
	if (host_value_insts(h, 0, e))
		return -1;
	host_store_array(h, cost[0], 4, g->cols, host_bytes(h, cost[0], 4));
	return 0;
}

/* What a CTA computes, without the halo that its neighbours compute as well. */
static int describe(struct host *h, const struct grid *g, uint64_t weight, const uint64_t cost[2], uint32_t height, struct err *e)
{
	const struct ldesc_matrix weights = {4, g->cols, g->cols, g->rows};
	const struct ldesc row = ldesc_line(4, g->cols, BLOCK - 2 * height);

	return ldesc_describe_all(
		h, "pathfinder", 3,
		(struct ldesc_given[]){{weight, ldesc_columns(&weights, BLOCK - 2 * height)}, {cost[0], row}, {cost[1], row}}, e);
}

static int run(struct host *h, struct err *e)
{
	uint64_t weight, cost[2];
	struct host_random r;
	unsigned from = 0;
	uint32_t *v, *c;
	struct grid g;

	if (host_arg_u32(h, "rows", 11, 100, 100, 1, 1 << 16, &g.rows, e) ||
	    host_arg_u32(h, "cols", 8 << 10, 32 << 10, 100000, 1, 1 << 22, &g.cols, e) ||
	    host_arg_u32(h, "height", 5, 20, 20, 1, BLOCK / 2 - 1, &g.height, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &g.seed, e) || host_args_done(h, e))
		return -1;
	host_describe(h, "pathfinder %ux%u", g.rows, g.cols);
	if (!(v = host_alloc_u32(h, "weight", (uint64_t)g.rows * g.cols, &weight, e)) ||
	    !(c = host_alloc_u32(h, "cost", g.cols, &cost[0], e)) || !host_alloc_u32(h, "next_cost", g.cols, &cost[1], e))
		return -1;
	r.state = g.seed;
	for (uint64_t i = 0; i < (uint64_t)g.rows * g.cols; i++)
		v[i] = host_random_below(&r, 10);
	memcpy(c, v, g.cols * sizeof *c);
	if (annotate(h, &g, weight, cost, e))
		return -1;
	for (uint32_t row = 1; row < g.rows; row += g.height) {
		uint32_t height = g.rows - row < g.height ? g.rows - row : g.height;

		if (describe(h, &g, weight, cost, height, e) ||
		    host_launch(h, "pathfinder", (struct host_dim){host_blocks(g.cols, BLOCK - 2 * height), 1, 1},
				(struct host_dim){BLOCK, 1, 1}, 0, 6,
				(struct host_arg[]){host_u64(weight), host_u64(cost[from]), host_u64(cost[!from]), host_u32(g.cols),
						    host_u32(row), host_u32(height)},
				e))
			return -1;
		from = !from;
	}
	return host_check_u32(h, "cost", cost[from], reference(h, &g, v), g.cols, e);
}

static const struct workload_option options[] = {
	{"rows", "of the grid", "11 / 100 / 100"},
	{"cols", "of the grid", "8K / 32K / 100000"},
	{"height", "rows a launch", "5 / 20 / 20"},
	{"seed", "of the weights", "1"},
	{0},
};
const struct workload workload_pathfinder = {
	.name = "pathfinder",
	.summary = "cheapest path down a grid",
	.suite = "Rodinia",
	.original = "Rodinia pathfinder",
	.grid = "cols/216 x 256, 2 KB shared",
	.access = "row streams, a halo of 20 on either side, 20 rows per launch",
	.pattern = "streaming",
	.sharing = "low",
	.launches = "2 / 5 / 5",
	.sizes = "11x8 K / 100x32 K / 100x100,000",
	.options = options,
	.run = run,
};
