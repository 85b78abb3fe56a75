/* Clusters of n points: candidates for centres are tried one after the other, a launch each; one that saves anything is
 * opened. */
#include "workload/ldesc_api.h"
#include "workload/random.h"

#include <string.h>

enum { THREADS = 512, LEVELS = 16 };

/* As in kernel.cu. */
struct point {
	float weight;
	uint32_t centre;
	float cost;
};

struct clusters {
	uint32_t n, dimensions, candidates, centres;
	uint64_t coordinate, points, column_of, moves, saved;
	float *v_coordinate, *v_saved, *want_saved;
	uint32_t *v_column_of, *v_moves, *want_moves;
	struct point *v_points;
	double gain; /* of the candidate in hand */
};

/* The cost of point i at centre c. Coordinates and weights are small whole numbers: all sums are exact in floats. */
static double cost(const struct clusters *c, uint32_t i, uint32_t centre)
{
	double sum = 0;

	for (uint64_t d = 0; d < c->dimensions; d++) {
		double by = (double)c->v_coordinate[d * c->n + i] - (double)c->v_coordinate[d * c->n + centre];

		sum += by * by;
	}
	return sum * (double)c->v_points[i].weight;
}

static int allocate(struct host *h, struct clusters *c, struct err *e)
{
	uint64_t row = c->candidates + UINT64_C(1);

	if (!(c->v_coordinate = host_alloc_f32(h, "coordinate", (uint64_t)c->n * c->dimensions, &c->coordinate, e)) ||
	    !(c->points = host_alloc(h, "points", (uint64_t)c->n * sizeof *c->v_points, e)) ||
	    !(c->v_column_of = host_alloc_u32(h, "column_of", c->n, &c->column_of, e)) ||
	    !(c->v_moves = host_alloc_u32(h, "moves", c->n, &c->moves, e)) ||
	    !(c->v_saved = host_alloc_f32(h, "saved", c->n * row, &c->saved, e)))
		return -1;
	c->v_points = host_bytes(h, c->points, (uint64_t)c->n * sizeof *c->v_points);
	c->want_moves = host_scratch(h, c->n, sizeof *c->want_moves);
	c->want_saved = host_scratch(h, c->n * row, sizeof *c->want_saved);
	return 0;
}

/* Everything belongs to point 0 at first. */
static void fill(struct clusters *c, uint32_t seed)
{
	struct host_random r = {seed};

	for (uint64_t i = 0; i < (uint64_t)c->n * c->dimensions; i++)
		c->v_coordinate[i] = (float)host_random_below(&r, LEVELS);
	for (uint32_t i = 0; i < c->n; i++) {
		c->v_points[i] = (struct point){(float)(1 + host_random_below(&r, 4)), 0, 0};
		c->v_points[i].cost = (float)cost(c, i, 0);
	}
	c->centres = 1;
}

static void reference(struct clusters *c, uint32_t candidate)
{
	uint64_t row = c->centres + UINT64_C(1);

	memset(c->want_moves, 0, c->n * sizeof *c->want_moves);
	memset(c->want_saved, 0, c->n * row * sizeof *c->want_saved);
	c->gain = 0;
	for (uint32_t i = 0; i < c->n; i++) {
		double more = cost(c, i, candidate) - (double)c->v_points[i].cost;

		c->want_moves[i] = more < 0;
		c->want_saved[i * row + (more < 0 ? c->centres : c->v_column_of[c->v_points[i].centre])] =
			(float)(more < 0 ? more : -more);
		c->gain -= more < 0 ? more : 0;
	}
}

static void open_centre(struct clusters *c, uint32_t candidate)
{
	for (uint32_t i = 0; i < c->n; i++)
		if (c->want_moves[i]) {
			c->v_points[i].centre = candidate;
			c->v_points[i].cost = (float)cost(c, i, candidate);
		}
	c->v_column_of[candidate] = c->centres++;
}

/* A thread has its point. Of a point's record it reads one field after the other, each beside its neighbours'. */
static int describe(struct host *h, const struct clusters *c, struct err *e)
{
	const struct ldesc_matrix coordinates = {4, c->n, c->n, c->dimensions};
	const struct ldesc saved = ldesc_line(4 * (c->centres + 1), c->n, THREADS);

	return ldesc_describe_all(h, "streamcluster", 4,
				  (struct ldesc_given[]){{c->coordinate, ldesc_columns(&coordinates, THREADS)},
							 {c->points, ldesc_nearby(ldesc_line(12, c->n, THREADS), 0)},
							 {c->moves, ldesc_line(4, c->n, THREADS)},
							 {c->saved, saved}},
				  e);
}

static int attempt(struct host *h, struct clusters *c, uint32_t candidate, struct err *e)
{
	uint64_t cells = c->n * (c->centres + UINT64_C(1));

	memset(c->v_moves, 0, c->n * sizeof *c->v_moves);
	memset(c->v_saved, 0, cells * sizeof *c->v_saved);
	if (describe(h, c, e) ||
	    host_launch(h, "streamcluster", (struct host_dim){host_blocks(c->n, THREADS), 1, 1}, (struct host_dim){THREADS, 1, 1},
			0, 9,
			(struct host_arg[]){host_u64(c->coordinate), host_u64(c->points), host_u64(c->column_of),
					    host_u64(c->moves), host_u64(c->saved), host_u32(c->n), host_u32(c->dimensions),
					    host_u32(candidate), host_u32(c->centres)},
			e))
		return -1;
	reference(c, candidate);
	if (host_check_u32(h, "moves", c->moves, c->want_moves, c->n, e) ||
	    host_check_f32(h, "saved", c->saved, c->want_saved, cells, 0, e))
		return -1;
	if (c->gain > 0)
		open_centre(c, candidate);
	return 0;
}

static int run(struct host *h, struct err *e)
{
	struct clusters c;
	uint32_t seed;

	if (host_arg_u32(h, "n", 4 << 10, 64 << 10, 64 << 10, 2, 1 << 20, &c.n, e) ||
	    host_arg_u32(h, "dimensions", 32, 32, 256, 1, 256, &c.dimensions, e) ||
	    host_arg_u32(h, "candidates", 3, 4, 20, 1, 64, &c.candidates, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) || host_args_done(h, e))
		return -1;
	host_describe(h, "streamcluster %u points, %u dimensions", c.n, c.dimensions);
	if (allocate(h, &c, e))
		return -1;
	fill(&c, seed);
	for (uint32_t k = 1; k <= c.candidates; k++)
		if (attempt(h, &c, (uint32_t)((uint64_t)k * (c.n - 1) / c.candidates), e))
			return -1;
	return 0;
}

static const struct workload_option options[] = {
	{"n", "points", "4K / 64K / 64K"},
	{"dimensions", "of a point", "32 / 32 / 256"},
	{"candidates", "a launch each", "3 / 4 / 20"},
	{"seed", "of the points", "1"},
	{0},
};
const struct workload workload_streamcluster = {
	.name = "streamcluster",
	.summary = "what one more centre would save",
	.suite = "Rodinia",
	.original = "Rodinia streamcluster",
	.grid = "n/512 x 512, a launch per candidate",
	.access = "coordinates 4n bytes apart, records of 12 bytes, a table look-up",
	.differences = "Opens every candidate that saves anything and closes no centre; coordinates are small whole numbers.",
	.pattern = "conflict",
	.sharing = "low",
	.launches = "3 / 4 / 20",
	.sizes = "4 K x 32 / 64 K x 32 / 64 K x 256 points x dimensions",
	.options = options,
	.run = run,
};
