/* C = alpha (A B' + B A') + beta C; A and B have n rows of m values, C n rows of n, all `pitch` floats from row to
 * row. */
#include "workload/ldesc_api.h"
#include "workload/random.h"

struct size {
	uint32_t n, m, pitch, seed;
};

static int read_options(struct host *h, struct size *s, struct err *e)
{
	if (host_arg_u32(h, "n", 64, 256, 1024, 1, 16384, &s->n, e) || host_arg_u32(h, "m", 64, 128, 1024, 1, 16384, &s->m, e) ||
	    host_arg_u32(h, "pitch", 1024, 1024, 1024, 1, 65536, &s->pitch, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &s->seed, e) || host_args_done(h, e))
		return -1;
	if (s->pitch < s->n || s->pitch < s->m)
		return err_set(e, "--arg pitch=%u: rows of n=%u and of m=%u floats do not fit", s->pitch, s->n, s->m);
	return 0;
}

static void reference(const struct size *s, float alpha, float beta, const float *a, const float *b, float *c)
{
	for (uint32_t i = 0; i < s->n; i++) {
		for (uint32_t j = 0; j < s->n; j++) {
			uint64_t ri = (uint64_t)i * s->pitch, rj = (uint64_t)j * s->pitch;
			double sum = 0;

			for (uint32_t k = 0; k < s->m; k++)
				sum += (double)a[ri + k] * b[rj + k] + (double)b[ri + k] * a[rj + k];
			c[ri + j] = (float)(alpha * sum + (double)beta * c[ri + j]);
		}
	}
}

enum { BLOCK_X = 32, BLOCK_Y = 8 };

/* As in syrk: the CTAs of a column read the same 32 rows of both. */
static int describe(struct host *h, const struct size *s, uint64_t a, uint64_t b, uint64_t c, struct err *e)
{
	const struct ldesc_matrix rows = {4, s->pitch, s->m, s->n}, square = {4, s->pitch, s->n, s->n};
	const struct ldesc shared = ldesc_coaccessed(ldesc_rows(&rows, BLOCK_X, 0), 1);

	return ldesc_describe_all(h, "syr2k", 3,
				  (struct ldesc_given[]){{a, shared}, {b, shared}, {c, ldesc_tiles(&square, BLOCK_X, BLOCK_Y)}}, e);
}

static int run(struct host *h, struct err *e)
{
	const float alpha = 1.25f, beta = 0.75f;
	float *va, *vb, *vc, *want;
	uint64_t a, b, c, words;
	struct size s;

	if (read_options(h, &s, e))
		return -1;
	host_describe(h, "syr2k %ux%u", s.n, s.m);
	words = (uint64_t)s.n * s.pitch;
	if (!(va = host_alloc_f32(h, "A", words, &a, e)) || !(vb = host_alloc_f32(h, "B", words, &b, e)) ||
	    !(vc = host_alloc_f32(h, "C", words, &c, e)))
		return -1;
	want = host_scratch(h, words, sizeof *want);
	for (uint32_t i = 0; i < s.n; i++) {
		uint64_t row = (uint64_t)i * s.pitch;

		host_random_fill_f32(va + row, s.m, s.seed + 3 * row);
		host_random_fill_f32(vb + row, s.m, s.seed + 3 * row + 1);
		host_random_fill_f32(vc + row, s.n, s.seed + 3 * row + 2);
		for (uint32_t j = 0; j < s.n; j++)
			want[row + j] = vc[row + j];
	}
	if (describe(h, &s, a, b, c, e) ||
	    host_launch(h, "syr2k", (struct host_dim){host_blocks(s.n, BLOCK_X), host_blocks(s.n, BLOCK_Y), 1},
			(struct host_dim){BLOCK_X, BLOCK_Y, 1}, 0, 8,
			(struct host_arg[]){host_f32(alpha), host_f32(beta), host_u64(a), host_u64(b), host_u64(c), host_u32(s.n),
					    host_u32(s.m), host_u32(s.pitch)},
			e))
		return -1;

	reference(&s, alpha, beta, va, vb, want);
	/* Beside the sum's own: the product with alpha and, added once, beta C. */
	return host_check_f32(h, "C", c, want, words, host_sum_tolerance(UINT64_C(2) * s.m + 3), e);
}

static const struct workload_option options[] = {
	{"n", "rows of A and B, rows and columns of C", "64 / 256 / 1024"},
	{"m", "columns of A and B", "64 / 128 / 1024"},
	{"pitch", "floats from row to row; 1024: rows 4 KB apart", "1024"},
	{"seed", "of A, B and C", "1"},
	{0},
};
const struct workload workload_syr2k = {
	.name = "syr2k",
	.summary = "C = alpha (A B' + B A') + beta C",
	.suite = "PolyBench",
	.original = "PolyBench syr2k",
	.grid = "(n/32, n/8) x (32,8)",
	.access = "as syrk, with two matrices",
	.pattern = "conflict, thrashing",
	.sharing = "high",
	.launches = "1",
	.sizes = "n x m 64x64 / 256x128 / 1024x1024",
	.options = options,
	.run = run,
};
