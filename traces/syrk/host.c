/* C = alpha A A' + beta C; A has n rows of m values, C n rows of n, both `pitch` floats from row to row. */
#include "workload/ldesc_api.h"
#include "workload/random.h"

enum { BLOCK_X = 32, BLOCK_Y = 8 };

struct size {
	uint32_t n, m, pitch, seed;
	unsigned sum_in_memory;
};

static int read_options(struct host *h, struct size *s, struct err *e)
{
	static const char *const sums[] = {"register", "memory", NULL};

	if (host_arg_u32(h, "n", 64, 256, 1024, 1, 16384, &s->n, e) || host_arg_u32(h, "m", 64, 128, 1024, 1, 16384, &s->m, e) ||
	    host_arg_u32(h, "pitch", 1024, 1024, 1024, 1, 65536, &s->pitch, e) ||
	    host_arg_choice(h, "sum", sums, &s->sum_in_memory, e) || host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &s->seed, e) ||
	    host_args_done(h, e))
		return -1;
	if (s->pitch < s->n || s->pitch < s->m)
		return err_set(e, "--arg pitch=%u: rows of n=%u and of m=%u floats do not fit", s->pitch, s->n, s->m);
	return 0;
}

static void reference(const struct size *s, float alpha, float beta, const float *a, float *c)
{
	for (uint32_t i = 0; i < s->n; i++) {
		for (uint32_t j = 0; j < s->n; j++) {
			const float *x = a + (uint64_t)i * s->pitch, *y = a + (uint64_t)j * s->pitch;
			float *to = c + (uint64_t)i * s->pitch + j;
			double sum = 0;

			for (uint32_t k = 0; k < s->m; k++)
				sum += (double)x[k] * y[k];
			*to = (float)(alpha * sum + (double)beta * *to);
		}
	}
}

/* The CTAs of a column read the same 32 rows of A, word by word; a row more that they have in common with their row
 * of CTAs is one word a warp. */
static int describe(struct host *h, const struct size *s, const char *kernel, uint64_t a, uint64_t c, struct err *e)
{
	const struct ldesc_matrix rows = {4, s->pitch, s->m, s->n}, square = {4, s->pitch, s->n, s->n};
	struct ldesc own = ldesc_tiles(&square, BLOCK_X, BLOCK_Y);

	if (s->sum_in_memory)
		own = ldesc_intra(own);
	return ldesc_describe_all(h, kernel, 2,
				  (struct ldesc_given[]){{a, ldesc_coaccessed(ldesc_rows(&rows, BLOCK_X, 0), 1)}, {c, own}}, e);
}

static int run(struct host *h, struct err *e)
{
	const float alpha = 1.25f, beta = 0.75f;
	const char *kernel;
	uint64_t a, c, words;
	float *va, *vc, *want;
	struct size s;

	if (read_options(h, &s, e))
		return -1;
	host_describe(h, "syrk %ux%u", s.n, s.m);
	words = (uint64_t)s.n * s.pitch;
	if (!(va = host_alloc_f32(h, "A", words, &a, e)) || !(vc = host_alloc_f32(h, "C", words, &c, e)))
		return -1;
	want = host_scratch(h, words, sizeof *want);
	for (uint32_t i = 0; i < s.n; i++) {
		uint64_t row = (uint64_t)i * s.pitch;

		host_random_fill_f32(va + row, s.m, s.seed + 2 * row);
		host_random_fill_f32(vc + row, s.n, s.seed + 2 * row + 1);
		for (uint32_t j = 0; j < s.n; j++)
			want[row + j] = vc[row + j];
	}
	kernel = s.sum_in_memory ? "syrk_in_memory" : "syrk";
	if (describe(h, &s, kernel, a, c, e) ||
	    host_launch(h, kernel, (struct host_dim){host_blocks(s.n, BLOCK_X), host_blocks(s.n, BLOCK_Y), 1},
			(struct host_dim){BLOCK_X, BLOCK_Y, 1}, 0, 7,
			(struct host_arg[]){host_f32(alpha), host_f32(beta), host_u64(a), host_u64(c), host_u32(s.n), host_u32(s.m),
					    host_u32(s.pitch)},
			e))
		return -1;

	reference(&s, alpha, beta, va, want);
	/* Beside the sum's own: the product with alpha and, added once, beta C. */
	return host_check_f32(h, "C", c, want, words, host_sum_tolerance(s.m + 3), e);
}

static const struct workload_option options[] = {
	{"n", "rows of A, rows and columns of C", "64 / 256 / 1024"},
	{"m", "columns of A", "64 / 128 / 1024"},
	{"pitch", "floats from row to row; 1024: rows 4 KB apart", "1024"},
	{"sum", "register, or memory: C is stored in every step", "register"},
	{"seed", "of A and C", "1"},
	{0},
};
const struct workload workload_syrk = {
	.name = "syrk",
	.summary = "C = alpha A A' + beta C",
	.suite = "PolyBench",
	.original = "PolyBench syrk",
	.grid = "(n/32, n/8) x (32,8)",
	.access = "A[j*pitch+k]: lanes a row apart; the other operand one word per warp",
	.differences = "Keeps the sum in a register and multiplies by alpha once. With --arg sum=memory it stores C, multiplied "
		       "by alpha, in every step, as a compiler must if it cannot rule out that C overlaps A.",
	.pattern = "conflict, thrashing",
	.sharing = "high",
	.launches = "1",
	.sizes = "n x m 64x64 / 256x128 / 1024x1024",
	.options = options,
	.run = run,
};
