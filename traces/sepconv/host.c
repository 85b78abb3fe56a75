/* A separable filter of 17 taps over an image of rows x cols: a launch along the rows, one along the columns. */
#include "workload/ldesc_api.h"
#include "workload/random.h"
#include "ptx/memory.h"

enum { RADIUS = 8, TAPS = 2 * RADIUS + 1 };

struct image {
	uint32_t rows, cols, seed;
};

/* One direction: `step` is the distance of neighbours, `length` how many there are in that direction, at = this one's
 * place. */
static double filtered(const double *here, int64_t step, uint32_t at, uint32_t length, const float *tap)
{
	double sum = 0;

	for (int j = -RADIUS; j <= RADIUS; j++)
		if ((int64_t)at + j >= 0 && (int64_t)at + j < length)
			sum += tap[j + RADIUS] * here[j * step];
	return sum;
}

static float *reference(struct host *h, const struct image *m, const float *in, const float *tap)
{
	uint64_t words = (uint64_t)m->rows * m->cols;
	double *a = host_scratch(h, words, sizeof *a), *b = host_scratch(h, words, sizeof *b);
	float *want = host_scratch(h, words, sizeof *want);

	for (uint64_t i = 0; i < words; i++)
		a[i] = in[i];
	for (uint64_t i = 0; i < words; i++)
		b[i] = filtered(a + i, 1, (uint32_t)(i % m->cols), m->cols, tap);
	for (uint64_t i = 0; i < words; i++)
		want[i] = (float)filtered(b + i, m->cols, (uint32_t)(i / m->cols), m->rows, tap);
	return want;
}

/* Tiles of the two kernels. */
enum { ROWS_X = 128, ROWS_Y = 4, COLUMNS_X = 16, COLUMNS_Y = 64 };

/* What is read has a halo: of columns first, of rows then. */
static int describe(struct host *h, const struct image *m, const uint64_t addr[3], struct err *e)
{
	const struct ldesc_matrix image = {4, m->cols, m->cols, m->rows};
	const struct ldesc in_rows = ldesc_tiles(&image, ROWS_X, ROWS_Y), in_columns = ldesc_tiles(&image, COLUMNS_X, COLUMNS_Y);

	if (ldesc_describe_all(h, "sepconv_rows", 2,
			       (struct ldesc_given[]){{addr[0], ldesc_nearby(in_rows, 1)}, {addr[1], in_rows}}, e))
		return -1;
	return ldesc_describe_all(h, "sepconv_columns", 2,
				  (struct ldesc_given[]){{addr[1], ldesc_nearby(in_columns, 1)}, {addr[2], in_columns}}, e);
}

static int launch_both(struct host *h, const struct image *m, const uint64_t addr[3], struct err *e)
{
	return host_launch(h, "sepconv_rows", (struct host_dim){m->cols / ROWS_X, m->rows / ROWS_Y, 1}, (struct host_dim){16, 4, 1},
			   0, 3, (struct host_arg[]){host_u64(addr[0]), host_u64(addr[1]), host_u32(m->cols)}, e) ||
			       host_launch(h, "sepconv_columns", (struct host_dim){m->cols / COLUMNS_X, m->rows / COLUMNS_Y, 1},
					   (struct host_dim){16, 8, 1}, 0, 4,
					   (struct host_arg[]){host_u64(addr[1]), host_u64(addr[2]), host_u32(m->cols),
							       host_u32(m->rows)},
					   e)
		       ? -1
		       : 0;
}

static int run(struct host *h, struct err *e)
{
	static const char *const names[] = {"in", "between", "out"};
	struct image m;
	uint64_t addr[3], words;
	float *v[3], *tap;

	if (host_arg_multiple(h, "rows", 64, 512, 3072, 64, 16384, &m.rows, e) ||
	    host_arg_multiple(h, "cols", 256, 512, 3072, 128, 16384, &m.cols, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &m.seed, e) || host_args_done(h, e))
		return -1;
	host_describe(h, "sepconv %ux%u", m.rows, m.cols);
	if (!(tap = host_variable(h, "sepconv_tap", TAPS * sizeof *tap, e)))
		return -1;
	host_random_fill_f32(tap, TAPS, ~(uint64_t)m.seed);
	words = (uint64_t)m.rows * m.cols;
	for (unsigned i = 0; i < 3; i++)
		if (!(v[i] = host_alloc_f32(h, names[i], words, &addr[i], e)))
			return -1;
	host_random_fill_f32(v[0], words, m.seed);
	if (describe(h, &m, addr, e) || launch_both(h, &m, addr, e))
		return -1;
	/* Two sums of 17, the second over results of the first. */
	return host_check_f32(h, "out", addr[2], reference(h, &m, v[0], tap), words, host_sum_tolerance(2 * TAPS + 2), e);
}

static const struct workload_option options[] = {
	{"rows", "of the image, a multiple of 64", "64 / 512 / 3072"},
	{"cols", "of the image, a multiple of 128", "256 / 512 / 3072"},
	{"seed", "of the image and the taps", "1"},
	{0},
};
const struct workload workload_sepconv = {
	.name = "sepconv",
	.summary = "separable filter over an image",
	.suite = "CUDA samples",
	.original = "CUDA samples, convolutionSeparable",
	.grid = "(cols/128, rows/4) x (16,4), (cols/16, rows/64) x (16,8); 2,560 and 5,184 bytes shared",
	.access = "rows streamed, column tiles at the image's pitch, taps in constant memory",
	.pattern = "streaming",
	.sharing = "high",
	.launches = "2",
	.sizes = "64x256 / 512x512 / 3072x3072",
	.options = options,
	.run = run,
};
