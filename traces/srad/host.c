/* Speckle-reducing anisotropic diffusion of an image of rows x cols: the host measures the speckle in the upper left
 * corner, two launches make a step. */
#include "workload/ldesc_api.h"
#include "workload/random.h"
#include "workload/taf_api.h"

#include <math.h>

enum { TILE = 16, CORNER = 128 };

/* Instructions of the paper's host program for a value (docs/studies/tafe.md, Cost of a value): rand(), a division, and
 * exp() of it. */
enum { PIXEL_INSTS = 115 };

static const float LAMBDA = 0.5f;

struct image {
	uint32_t rows, cols, steps;
	uint64_t at, slope, flow;
	float *v;
	double *exact, *change; /* the reference, and what a step adds to it */
};

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* The variance of a part that should be even, over the square of its mean. */
static float noise(const struct image *m)
{
	uint32_t rows = least(m->rows, CORNER), cols = least(m->cols, CORNER);
	double n = (double)rows * cols, sum = 0, squares = 0, mean;

	for (uint32_t y = 0; y < rows; y++)
		for (uint32_t x = 0; x < cols; x++)
			sum += m->v[(uint64_t)y * m->cols + x];
	mean = sum / n;
	for (uint32_t y = 0; y < rows; y++)
		for (uint32_t x = 0; x < cols; x++)
			squares += pow(m->v[(uint64_t)y * m->cols + x] - mean, 2);
	return (float)(squares / n / (mean * mean));
}

static double pixel(const struct image *m, int64_t y, int64_t x)
{
	int64_t row = y < 0 ? 0 : y < m->rows ? y : m->rows - 1, col = x < 0 ? 0 : x < m->cols ? x : m->cols - 1;

	return m->exact[row * m->cols + col];
}

/* The coefficient of Yu and Acton, Speckle reducing anisotropic diffusion (IEEE Transactions on Image Processing 11,
 * 2002), equations 33 and 35. */
static double coefficient(const struct image *m, int64_t y, int64_t x, double q0)
{
	static const int8_t beside[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
	double here, gradient = 0, laplace = 0, q, c;

	y = y < m->rows ? y : m->rows - 1;
	x = x < m->cols ? x : m->cols - 1;
	here = pixel(m, y, x);
	for (unsigned i = 0; i < 4; i++) {
		double d = pixel(m, y + beside[i][0], x + beside[i][1]) - here;

		gradient += d * d;
		laplace += d;
	}
	gradient /= here * here;
	laplace /= here;
	q = (gradient / 2 - laplace * laplace / 16) / pow(1 + laplace / 4, 2);
	c = 1 / (1 + (q - q0) / (q0 * (1 + q0)));
	return c < 0 ? 0 : c > 1 ? 1 : c;
}

static void step(struct image *m, float q0)
{
	for (int64_t y = 0; y < m->rows; y++)
		for (int64_t x = 0; x < m->cols; x++) {
			double here = pixel(m, y, x), own = coefficient(m, y, x, (double)q0);

			m->change[y * m->cols + x] = (double)LAMBDA / 4 *
						     (own * (pixel(m, y - 1, x) - here) + own * (pixel(m, y, x - 1) - here) +
						      coefficient(m, y + 1, x, (double)q0) * (pixel(m, y + 1, x) - here) +
						      coefficient(m, y, x + 1, (double)q0) * (pixel(m, y, x + 1) - here));
		}
	for (uint64_t i = 0; i < (uint64_t)m->rows * m->cols; i++)
		m->exact[i] += m->change[i];
}

/* The array's relation, so many elements further on. */
static struct taf_tid beside(struct taf_tid own, uint32_t by)
{
	own.c += by;
	return own;
}

/* The image with its four neighbours, the flow with those to the right and below, the four planes of slopes. Over the
 * border a neighbour is the cell itself: that is not said. */
static int annotate(struct host *h, const struct image *m, struct err *e)
{
	const uint64_t cells = (uint64_t)m->rows * m->cols;
	const struct taf_tid own = {.m = {1, m->cols, 0, TILE, TILE * m->cols}};
	const uint32_t by[5] = {0, 1, m->cols, -1u, -m->cols};
	struct taf_tid planes = own;

	planes.ofs = (uint32_t)cells;
	planes.n = 4;
	if (taf_paramSetup(h, (struct host_dim){TILE, TILE, 1}, (struct host_dim){m->cols / TILE, m->rows / TILE, 1}, e))
		return -1;
	for (unsigned i = 0; i < 5; i++)
		if (taf_tid_array(h, m->at, cells, 4, beside(own, by[i]), e) ||
		    (i < 3 && taf_tid_array(h, m->flow, cells, 4, beside(own, by[i]), e)))
			return -1;
	if (taf_tid_array(h, m->slope, 4 * cells, 4, planes, e) || host_value_insts(h, PIXEL_INSTS, e))
		return -1;
	host_store_array(h, m->at, 4, cells, m->v);
	return 0;
}

static int diffuse(struct host *h, struct image *m, struct err *e)
{
	const struct host_dim grid = {m->cols / TILE, m->rows / TILE, 1}, block = {TILE, TILE, 1};

	for (uint32_t s = 0; s < m->steps; s++) {
		float q0 = noise(m);

		if (host_launch(h, "srad_flow", grid, block, 0, 6,
				(struct host_arg[]){host_u64(m->at), host_u64(m->slope), host_u64(m->flow), host_u32(m->rows),
						    host_u32(m->cols), host_f32(q0)},
				e) ||
		    host_launch(h, "srad_step", grid, block, 0, 6,
				(struct host_arg[]){host_u64(m->at), host_u64(m->slope), host_u64(m->flow), host_u32(m->rows),
						    host_u32(m->cols), host_f32(LAMBDA)},
				e))
			return -1;
		step(m, q0);
	}
	return 0;
}

/* A tile is a CTA's; of what it has from its neighbours it reads the border. The four slopes lie one behind the
 * other. */
static int describe(struct host *h, const struct image *m, struct err *e)
{
	const struct ldesc_matrix cells = {4, m->cols, m->cols, m->rows};
	const struct ldesc tile = ldesc_tiles(&cells, TILE, TILE), nearby = ldesc_nearby(tile, 1);
	struct ldesc slopes = tile;

	slopes.len[2] = slopes.d_tile[2] = 4;
	if (ldesc_describe_all(h, "srad_flow", 3, (struct ldesc_given[]){{m->at, nearby}, {m->slope, slopes}, {m->flow, tile}}, e))
		return -1;
	return ldesc_describe_all(h, "srad_step", 3, (struct ldesc_given[]){{m->flow, nearby}, {m->slope, slopes}, {m->at, tile}},
				  e);
}

static int run(struct host *h, struct err *e)
{
	struct image m;
	uint64_t cells;
	uint32_t seed;
	float *want;

	if (host_arg_multiple(h, "rows", 96, 256, 2048, TILE, 8192, &m.rows, e) ||
	    host_arg_multiple(h, "cols", 96, 512, 2048, TILE, 8192, &m.cols, e) ||
	    host_arg_u32(h, "steps", 1, 2, 2, 1, 100, &m.steps, e) || host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) ||
	    host_args_done(h, e))
		return -1;
	host_describe(h, "srad %ux%u, %u steps", m.rows, m.cols, m.steps);
	cells = (uint64_t)m.rows * m.cols;
	if (!(m.v = host_alloc_f32(h, "image", cells, &m.at, e)) || !host_alloc_f32(h, "slope", 4 * cells, &m.slope, e) ||
	    !host_alloc_f32(h, "flow", cells, &m.flow, e))
		return -1;
	m.exact = host_scratch(h, cells, sizeof *m.exact);
	m.change = host_scratch(h, cells, sizeof *m.change);
	host_random_fill_f32(m.v, cells, seed);
	for (uint64_t i = 0; i < cells; i++)
		m.exact[i] = m.v[i] = expf(m.v[i]); /* 1 to e, as the logarithm of a picture becomes brightness */
	if (annotate(h, &m, e) || describe(h, &m, e) || diffuse(h, &m, e))
		return -1;
	want = host_scratch(h, cells, sizeof *want);
	for (uint64_t i = 0; i < cells; i++)
		want[i] = (float)m.exact[i];
	return host_check_f32(h, "image", m.at, want, cells, 2e-5f * (float)m.steps, e);
}

static const struct workload_option options[] = {
	{"rows", "of the image, a multiple of 16", "96 / 256 / 2048"},
	{"cols", "of the image, a multiple of 16", "96 / 512 / 2048"},
	{"steps", "two launches each", "1 / 2 / 2"},
	{"seed", "of the image", "1"},
	{0},
};
const struct workload workload_srad = {
	.name = "srad",
	.summary = "anisotropic diffusion of an image",
	.suite = "Rodinia",
	.original = "Rodinia srad (its second version)",
	.grid = "(cols/16, rows/16) x (16,16), twice per step; 6,144 and 5,120 bytes shared",
	.access = "16x16 tiles, rims from the neighbours' rows; five planes in or out",
	.differences = "Takes the statistics of the speckle from the upper left 128x128 cells before each step; the image is "
		       "random.",
	.pattern = "conflict",
	.sharing = "high",
	.launches = "2 / 4 / 4",
	.sizes = "96x96 / 256x512 / 2048x2048",
	.options = options,
	.run = run,
};
