/* A 3x3 smoothing filter (1 2 1, 2 4 2, 1 2 1, over 16) over an image of rows x cols. */
#include "workload/ldesc_api.h"
#include "workload/random.h"

enum { BLOCK_X = 32, BLOCK_Y = 8 };

struct size {
	uint32_t rows, cols, pitch, seed;
};

static int read_options(struct host *h, struct size *s, struct err *e)
{
	if (host_arg_u32(h, "rows", 128, 768, 4096, 3, 16384, &s->rows, e) ||
	    host_arg_u32(h, "cols", 256, 1024, 4096, 3, 16384, &s->cols, e) ||
	    host_arg_u32(h, "pitch", 1024, 1024, 4096, 3, 16384, &s->pitch, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &s->seed, e) || host_args_done(h, e))
		return -1;
	return s->pitch < s->cols ? err_set(e, "--arg pitch=%u: rows of cols=%u floats do not fit", s->pitch, s->cols) : 0;
}

/* The filter is the outer product of (1 2 1) with itself, over 16. */
static float filtered(const float *mid, uint32_t pitch)
{
	static const double weight[3] = {0.25, 0.5, 0.25};
	double sum = 0;

	for (int dy = -1; dy <= 1; dy++)
		for (int dx = -1; dx <= 1; dx++)
			sum += weight[dy + 1] * weight[dx + 1] * mid[(int64_t)dy * pitch + dx];
	return (float)sum;
}

/* A tile's border is read by its neighbours as well. */
static int describe(struct host *h, const struct size *s, uint64_t in, struct err *e)
{
	const struct ldesc_matrix image = {4, s->pitch, s->cols, s->rows};

	return ldesc_describe_all(h, "conv2d", 1,
				  (struct ldesc_given[]){{in, ldesc_nearby(ldesc_tiles(&image, BLOCK_X, BLOCK_Y), 0)}}, e);
}

static int run(struct host *h, struct err *e)
{
	uint64_t in, out, words;
	float *image, *want;
	struct size s;

	if (read_options(h, &s, e))
		return -1;
	host_describe(h, "conv2d %ux%u", s.rows, s.cols);
	words = (uint64_t)s.rows * s.pitch;
	if (!(image = host_alloc_f32(h, "in", words, &in, e)) || !host_alloc_f32(h, "out", words, &out, e))
		return -1;
	host_random_fill_f32(image, words, s.seed);
	if (describe(h, &s, in, e) ||
	    host_launch(h, "conv2d", (struct host_dim){host_blocks(s.cols, BLOCK_X), host_blocks(s.rows, BLOCK_Y), 1},
			(struct host_dim){BLOCK_X, BLOCK_Y, 1}, 0, 5,
			(struct host_arg[]){host_u64(in), host_u64(out), host_u32(s.rows), host_u32(s.cols), host_u32(s.pitch)}, e))
		return -1;

	want = host_scratch(h, words, sizeof *want);
	for (uint32_t y = 1; y + 1 < s.rows; y++)
		for (uint32_t x = 1; x + 1 < s.cols; x++)
			want[(uint64_t)y * s.pitch + x] = filtered(image + (uint64_t)y * s.pitch + x, s.pitch);
	return host_check_f32(h, "out", out, want, words, host_sum_tolerance(9), e);
}

static const struct workload_option options[] = {
	{"rows", "of the image", "128 / 768 / 4096"},
	{"cols", "of the image", "256 / 1024 / 4096"},
	{"pitch", "floats from row to row; 1024: rows 4 KB apart", "1024 / 1024 / 4096"},
	{"seed", "of the image", "1"},
	{0},
};
const struct workload workload_conv2d = {
	.name = "conv2d",
	.summary = "3x3 filter over an image",
	.suite = "PolyBench",
	.original = "PolyBench 2DConvolution",
	.grid = "(cols/32, rows/8) x (32,8)",
	.access = "3x3 stencil, ten rows per CTA",
	.differences = "The filter is a smoothing one with positive weights; the border of the output is left unchanged.",
	.pattern = "conflict",
	.sharing = "high",
	.launches = "1",
	.sizes = "128x256 / 768x1024 / 4096x4096",
	.options = options,
	.run = run,
};
