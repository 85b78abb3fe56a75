/* y = A' (A x) in two launches of 256 threads a CTA: a row a thread, then a column a thread. */
#include "workload/ldesc_api.h"
#include "workload/random.h"

enum { BLOCK = 256 };

struct size {
	uint32_t rows, cols, pitch, seed;
};

static int read_options(struct host *h, struct size *s, struct err *e)
{
	if (host_arg_u32(h, "rows", 256, 2048, 4096, 1, 65536, &s->rows, e) ||
	    host_arg_u32(h, "cols", 256, 2048, 4096, 1, 65536, &s->cols, e) ||
	    host_arg_u32(h, "pitch", 1024, 2048, 4096, 1, 65536, &s->pitch, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &s->seed, e) || host_args_done(h, e))
		return -1;
	return s->pitch < s->cols ? err_set(e, "--arg pitch=%u: rows of cols=%u floats do not fit", s->pitch, s->cols) : 0;
}

/* In double throughout; t and y hold `rows` and `cols` zeros. */
static void reference(const struct size *s, const float *a, const float *x, double *t, double *y)
{
	for (uint32_t i = 0; i < s->rows; i++) {
		const float *row = a + (uint64_t)i * s->pitch;

		for (uint32_t j = 0; j < s->cols; j++)
			t[i] += (double)row[j] * x[j];
		for (uint32_t j = 0; j < s->cols; j++)
			y[j] += row[j] * t[i];
	}
}

static int check(struct host *h, const struct size *s, const float *a, const float *x, uint64_t t, uint64_t y, struct err *e)
{
	double *dt = host_scratch(h, s->rows, sizeof *dt), *dy = host_scratch(h, s->cols, sizeof *dy);
	float *ft = host_scratch(h, s->rows, sizeof *ft), *fy = host_scratch(h, s->cols, sizeof *fy);

	reference(s, a, x, dt, dy);
	for (uint32_t i = 0; i < s->rows; i++)
		ft[i] = (float)dt[i];
	for (uint32_t j = 0; j < s->cols; j++)
		fy[j] = (float)dy[j];
	if (host_check_f32(h, "t", t, ft, s->rows, host_sum_tolerance(s->cols), e))
		return -1;
	/* y's summands carry the error of t. */
	return host_check_f32(h, "y", y, fy, s->cols, host_sum_tolerance((uint64_t)s->rows + s->cols + 2), e);
}

/* A CTA has its own rows, then columns, of A, and all of the vector. */
static int describe(struct host *h, const struct size *s, uint64_t a, uint64_t x, uint64_t t, uint64_t y, struct err *e)
{
	const struct ldesc_matrix m = {4, s->pitch, s->cols, s->rows};

	if (ldesc_describe_all(h, "atax_rows", 3,
			       (struct ldesc_given[]){{a, ldesc_rows(&m, BLOCK, 0)},
						      {x, ldesc_coaccessed(ldesc_whole(4, s->cols), 1)},
						      {t, ldesc_line(4, s->rows, BLOCK)}},
			       e))
		return -1;
	return ldesc_describe_all(h, "atax_columns", 3,
				  (struct ldesc_given[]){{a, ldesc_columns(&m, BLOCK)},
							 {t, ldesc_coaccessed(ldesc_whole(4, s->rows), 1)},
							 {y, ldesc_line(4, s->cols, BLOCK)}},
				  e);
}

static int run(struct host *h, struct err *e)
{
	const struct host_dim block = {BLOCK, 1, 1};
	uint64_t a, x, t, y, words;
	struct size s;
	float *va, *vx;

	if (read_options(h, &s, e))
		return -1;
	host_describe(h, "atax %ux%u", s.rows, s.cols);
	words = (uint64_t)s.rows * s.pitch;
	if (!(va = host_alloc_f32(h, "A", words, &a, e)) || !(vx = host_alloc_f32(h, "x", s.cols, &x, e)) ||
	    !host_alloc_f32(h, "t", s.rows, &t, e) || !host_alloc_f32(h, "y", s.cols, &y, e))
		return -1;
	for (uint32_t i = 0; i < s.rows; i++)
		host_random_fill_f32(va + (uint64_t)i * s.pitch, s.cols, s.seed + (uint64_t)i);
	host_random_fill_f32(vx, s.cols, ~(uint64_t)s.seed);
	if (describe(h, &s, a, x, t, y, e) ||
	    host_launch(h, "atax_rows", (struct host_dim){host_blocks(s.rows, BLOCK), 1, 1}, block, 0, 6,
			(struct host_arg[]){host_u64(a), host_u64(x), host_u64(t), host_u32(s.rows), host_u32(s.cols),
					    host_u32(s.pitch)},
			e) ||
	    host_launch(h, "atax_columns", (struct host_dim){host_blocks(s.cols, BLOCK), 1, 1}, block, 0, 6,
			(struct host_arg[]){host_u64(a), host_u64(t), host_u64(y), host_u32(s.rows), host_u32(s.cols),
					    host_u32(s.pitch)},
			e))
		return -1;
	return check(h, &s, va, vx, t, y, e);
}

static const struct workload_option options[] = {
	{"rows", "of A: threads of the first launch", "256 / 2048 / 4096"},
	{"cols", "of A: threads of the second", "256 / 2048 / 4096"},
	{"pitch", "floats from row to row; 1024: rows 4 KB apart", "1024 / 2048 / 4096"},
	{"seed", "of A and x", "1"},
	{0},
};
const struct workload workload_atax = {
	.name = "atax",
	.summary = "y = A' (A x)",
	.suite = "PolyBench",
	.original = "PolyBench atax",
	.grid = "rows/256 x 256, cols/256 x 256",
	.access = "lanes a row apart, then coalesced columns",
	.pattern = "conflict",
	.sharing = "low",
	.launches = "2",
	.sizes = "256 / 2048 / 4096 square",
	.options = options,
	.run = run,
};
