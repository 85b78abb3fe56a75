/* y = alpha A x + beta B x, a row a thread, 256 threads a CTA; A and B have rows `pitch` floats apart. */
#include "workload/ldesc_api.h"
#include "workload/random.h"

struct size {
	uint32_t rows, cols, pitch, seed;
	unsigned sums_in_memory;
};

struct buffers {
	uint64_t a, b, x, y, tmp; /* tmp only with the sums in memory */
};

static int read_options(struct host *h, struct size *s, struct err *e)
{
	static const char *const sums[] = {"register", "memory", NULL};

	if (host_arg_u32(h, "rows", 512, 4096, 4096, 1, 65536, &s->rows, e) ||
	    host_arg_u32(h, "cols", 128, 512, 4096, 1, 65536, &s->cols, e) ||
	    host_arg_u32(h, "pitch", 1024, 1024, 4096, 1, 65536, &s->pitch, e) ||
	    host_arg_choice(h, "sum", sums, &s->sums_in_memory, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &s->seed, e) || host_args_done(h, e))
		return -1;
	return s->pitch < s->cols ? err_set(e, "--arg pitch=%u: rows of cols=%u floats do not fit", s->pitch, s->cols) : 0;
}

static void reference(const struct size *s, float alpha, float beta, const float *a, const float *b, const float *x, float *y)
{
	for (uint32_t i = 0; i < s->rows; i++) {
		const float *ra = a + (uint64_t)i * s->pitch, *rb = b + (uint64_t)i * s->pitch;
		double sum = 0;

		for (uint32_t j = 0; j < s->cols; j++)
			sum += ((double)alpha * ra[j] + (double)beta * rb[j]) * x[j];
		y[i] = (float)sum;
	}
}

enum { BLOCK = 256 };

/* A CTA has its own rows of both matrices and all of the vector. */
static int describe(struct host *h, const struct size *s, const struct buffers *d, struct err *e)
{
	const struct ldesc_matrix m = {4, s->pitch, s->cols, s->rows};
	const struct ldesc rows = ldesc_rows(&m, BLOCK, 0), own = ldesc_line(4, s->rows, BLOCK),
			   x = ldesc_coaccessed(ldesc_whole(4, s->cols), 1);

	if (s->sums_in_memory)
		return ldesc_describe_all(
			h, "gesummv_in_memory", 5,
			(struct ldesc_given[]){
				{d->a, rows}, {d->b, rows}, {d->x, x}, {d->tmp, ldesc_intra(own)}, {d->y, ldesc_intra(own)}},
			e);
	return ldesc_describe_all(h, "gesummv", 4, (struct ldesc_given[]){{d->a, rows}, {d->b, rows}, {d->x, x}, {d->y, own}}, e);
}

static int launch(struct host *h, const struct size *s, const struct buffers *d, float alpha, float beta, struct err *e)
{
	const struct host_dim grid = {host_blocks(s->rows, BLOCK), 1, 1}, block = {BLOCK, 1, 1};
	const struct host_arg rows = host_u32(s->rows), cols = host_u32(s->cols), pitch = host_u32(s->pitch);
	const struct host_arg first[] = {host_f32(alpha), host_f32(beta), host_u64(d->a), host_u64(d->b), host_u64(d->x)};

	if (s->sums_in_memory)
		return host_launch(h, "gesummv_in_memory", grid, block, 0, 10,
				   (struct host_arg[]){first[0], first[1], first[2], first[3], first[4], host_u64(d->tmp),
						       host_u64(d->y), rows, cols, pitch},
				   e);
	return host_launch(h, "gesummv", grid, block, 0, 9,
			   (struct host_arg[]){first[0], first[1], first[2], first[3], first[4], host_u64(d->y), rows, cols, pitch},
			   e);
}

static int run(struct host *h, struct err *e)
{
	const float alpha = 1.25f, beta = 0.75f;
	float *va, *vb, *vx, *want;
	struct buffers d = {0};
	uint64_t words;
	struct size s;

	if (read_options(h, &s, e))
		return -1;
	host_describe(h, "gesummv %ux%u", s.rows, s.cols);
	words = (uint64_t)s.rows * s.pitch;
	if (!(va = host_alloc_f32(h, "A", words, &d.a, e)) || !(vb = host_alloc_f32(h, "B", words, &d.b, e)) ||
	    !(vx = host_alloc_f32(h, "x", s.cols, &d.x, e)) || !host_alloc_f32(h, "y", s.rows, &d.y, e) ||
	    (s.sums_in_memory && !host_alloc_f32(h, "tmp", s.rows, &d.tmp, e)))
		return -1;
	for (uint32_t i = 0; i < s.rows; i++) {
		host_random_fill_f32(va + (uint64_t)i * s.pitch, s.cols, s.seed + UINT64_C(2) * i);
		host_random_fill_f32(vb + (uint64_t)i * s.pitch, s.cols, s.seed + UINT64_C(2) * i + 1);
	}
	host_random_fill_f32(vx, s.cols, ~(uint64_t)s.seed);
	if (describe(h, &s, &d, e) || launch(h, &s, &d, alpha, beta, e))
		return -1;

	want = host_scratch(h, s.rows, sizeof *want);
	reference(&s, alpha, beta, va, vb, vx, want);
	/* Beside the sums' own: the products with alpha and beta, and adding the two. */
	return host_check_f32(h, "y", d.y, want, s.rows, host_sum_tolerance(s.cols + 3), e);
}

static const struct workload_option options[] = {
	{"rows", "of A and B: threads", "512 / 4096 / 4096"},
	{"cols", "of A and B", "128 / 512 / 4096"},
	{"pitch", "floats from row to row; 1024: rows 4 KB apart", "1024 / 1024 / 4096"},
	{"sum", "register: y is stored once; memory: both sums in every step", "register"},
	{"seed", "of A, B and x", "1"},
	{0},
};
const struct workload workload_gesummv = {
	.name = "gesummv",
	.summary = "y = alpha A x + beta B x",
	.suite = "PolyBench",
	.original = "PolyBench gesummv",
	.grid = "rows/256 x 256",
	.access = "a row per thread in two matrices, x one word per warp",
	.differences = "Keeps both sums in registers and stores y once. With --arg sum=memory they are in memory, as in "
		       "PolyBench.",
	.pattern = "conflict, thrashing",
	.sharing = "low",
	.launches = "1",
	.sizes = "rows x cols 512x128 / 4096x512 / 4096x4096",
	.options = options,
	.run = run,
};
