/* Heat on a chip of rows x cols cells, two steps of time a launch, from one buffer to the other and back. */
#include "workload/ldesc_api.h"
#include "workload/random.h"
#include "workload/taf_api.h"

enum { TILE = 16, STEPS_A_LAUNCH = 2, INSIDE = TILE - 2 * STEPS_A_LAUNCH };

/* Instructions of the paper's host program for a value (docs/studies/tafe.md, Cost of a value): fgets of a line and
 * sscanf of a number. */
enum { LINE_INSTS = 2040 };

/* As in kernel.cu. */
struct coefficients {
	float across, down, out, ambient;
};

struct chip {
	uint32_t rows, cols, launches, seed;
};

static double at(const double *t, const struct chip *c, uint32_t y, uint32_t x)
{
	return t[(uint64_t)y * c->cols + x];
}

static void step(const struct chip *c, const struct coefficients *k, const float *power, const double *t, double *next)
{
	for (uint32_t y = 0; y < c->rows; y++) {
		for (uint32_t x = 0; x < c->cols; x++) {
			double here = at(t, c, y, x), left = x ? at(t, c, y, x - 1) : here;
			double right = x + 1 < c->cols ? at(t, c, y, x + 1) : here;
			double above = y ? at(t, c, y - 1, x) : here, below = y + 1 < c->rows ? at(t, c, y + 1, x) : here;

			next[(uint64_t)y * c->cols + x] =
				here + power[(uint64_t)y * c->cols + x] + (double)k->across * (left + right - 2 * here) +
				(double)k->down * (above + below - 2 * here) + (double)k->out * ((double)k->ambient - here);
		}
	}
}

/* A CTA reads a tile with a rim of STEPS_A_LAUNCH cells. That it writes the inner cells alone, and that cells beyond
 * the chip's left and right edges are nobody's, is not said: there they count as the neighbouring rows'. */
static int annotate(struct host *h, const struct chip *c, uint64_t power, const uint64_t t[2], struct err *e)
{
	const struct taf_tid tile = {.m = {1, c->cols, 0, INSIDE, INSIDE * c->cols}, .c = -STEPS_A_LAUNCH * (c->cols + 1)};
	const uint64_t cells = (uint64_t)c->rows * c->cols;

	if (taf_paramSetup(h, (struct host_dim){TILE, TILE, 1},
			   (struct host_dim){host_blocks(c->cols, INSIDE), host_blocks(c->rows, INSIDE), 1}, e) ||
	    taf_tid_array(h, power, cells, 4, tile, e) || taf_tid_array(h, t[0], cells, 4, tile, e) ||
	    taf_tid_array(h, t[1], cells, 4, tile, e) || host_value_insts(h, LINE_INSTS, e))
		return -1;
	host_store_array(h, power, 4, cells, host_bytes(h, power, 4));
	host_store_array(h, t[0], 4, cells, host_bytes(h, t[0], 4));
	return 0;
}

/* What a CTA computes, within a rim of two cells that its neighbours have as well. */
static int describe(struct host *h, const struct chip *c, uint64_t power, uint64_t from, uint64_t to, struct err *e)
{
	const struct ldesc_matrix cells = {4, c->cols, c->cols, c->rows};
	const struct ldesc tile = ldesc_tiles(&cells, INSIDE, INSIDE), nearby = ldesc_nearby(tile, 1);

	return ldesc_describe_all(h, "hotspot", 3, (struct ldesc_given[]){{power, nearby}, {from, nearby}, {to, tile}}, e);
}

static int launch_all(struct host *h, const struct chip *c, const struct coefficients *k, uint64_t power, const uint64_t t[2],
		      struct err *e)
{
	const struct host_arg by_value = {.bytes = sizeof *k, .by_ref = k};

	for (uint32_t i = 0; i < c->launches; i++)
		if (describe(h, c, power, t[i % 2], t[1 - i % 2], e) ||
		    host_launch(h, "hotspot", (struct host_dim){host_blocks(c->cols, INSIDE), host_blocks(c->rows, INSIDE), 1},
				(struct host_dim){TILE, TILE, 1}, 0, 6,
				(struct host_arg[]){host_u64(power), host_u64(t[i % 2]), host_u64(t[1 - i % 2]), host_u32(c->rows),
						    host_u32(c->cols), by_value},
				e))
			return -1;
	return 0;
}

static int run(struct host *h, struct err *e)
{
	const struct coefficients k = {0.1f, 0.15f, 0.01f, 80};
	uint64_t power, t[2], cells;
	float *vp, *vt, *want;
	double *exact[2];
	struct chip c;

	if (host_arg_u32(h, "rows", 64, 512, 512, 1, 8192, &c.rows, e) ||
	    host_arg_u32(h, "cols", 64, 512, 512, 1, 8192, &c.cols, e) ||
	    host_arg_u32(h, "launches", 2, 1, 1, 1, 1000, &c.launches, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &c.seed, e) || host_args_done(h, e))
		return -1;
	host_describe(h, "hotspot %ux%u, %u steps", c.rows, c.cols, STEPS_A_LAUNCH * c.launches);
	cells = (uint64_t)c.rows * c.cols;
	if (!(vp = host_alloc_f32(h, "power", cells, &power, e)) || !(vt = host_alloc_f32(h, "temperature", cells, &t[0], e)) ||
	    !host_alloc_f32(h, "next", cells, &t[1], e))
		return -1;
	host_random_fill_f32(vp, cells, c.seed);
	host_random_fill_f32(vt, cells, c.seed + UINT64_C(1));
	for (unsigned i = 0; i < 2; i++)
		exact[i] = host_scratch(h, cells, sizeof(double));
	for (uint64_t i = 0; i < cells; i++)
		exact[0][i] = vt[i] += 80; /* 80 to 81 degrees */
	if (annotate(h, &c, power, t, e) || launch_all(h, &c, &k, power, t, e))
		return -1;

	for (uint32_t s = 0; s < STEPS_A_LAUNCH * c.launches; s++)
		step(&c, &k, vp, exact[s % 2], exact[1 - s % 2]);
	want = host_scratch(h, cells, sizeof *want);
	for (uint64_t i = 0; i < cells; i++)
		want[i] = (float)exact[0][i];
	/* In a step, a dozen roundings of at most the temperature's own size; the weights of the old temperatures sum
	 * to less than 1. */
	return host_check_f32(h, "temperature", t[c.launches % 2], want, cells, host_sum_tolerance(UINT64_C(24) * c.launches + 1),
			      e);
}

static const struct workload_option options[] = {
	{"rows", "of cells", "64 / 512 / 512"},
	{"cols", "of cells", "64 / 512 / 512"},
	{"launches", "of two steps each", "2 / 1 / 1"},
	{"seed", "of powers and temperatures", "1"},
	{0},
};
const struct workload workload_hotspot = {
	.name = "hotspot",
	.summary = "heat spreading over a chip",
	.suite = "Rodinia",
	.original = "Rodinia hotspot",
	.grid = "(cols/12, rows/12) x (16,16), 3 KB shared",
	.access = "16x16 tile with a halo of 2, two steps per launch",
	.differences = "Has one coefficient for each direction, instead of capacities and resistances.",
	.pattern = "streaming",
	.sharing = "high",
	.launches = "2 / 1 / 1",
	.sizes = "64 / 512 / 512 square",
	.options = options,
	.run = run,
};
