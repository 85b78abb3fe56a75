/* D = (A B) C in two launches of an untiled product, blocks of (32,8); all matrices are n x n. */
#include "workload/ldesc_api.h"
#include "workload/random.h"

/* c = a b, row by row; b and c in double, since the second product takes the first one's exact result. */
static void product(const double *a, const double *b, double *c, uint32_t n)
{
	for (uint64_t i = 0; i < n; i++)
		for (uint64_t k = 0; k < n; k++)
			for (uint64_t j = 0; j < n; j++)
				c[i * n + j] += a[i * n + k] * b[k * n + j];
}

enum { BLOCK_X = 32, BLOCK_Y = 8 };

/* c = a b: a column of CTAs has the same columns of b, a row the same rows of a. */
static int describe(struct host *h, uint64_t a, uint64_t b, uint64_t c, uint32_t n, struct err *e)
{
	const struct ldesc_matrix m = {4, n, n, n};

	return ldesc_describe_all(h, "mm_product", 3,
				  (struct ldesc_given[]){{b, ldesc_coaccessed(ldesc_columns(&m, BLOCK_X), n)},
							 {a, ldesc_coaccessed(ldesc_rows(&m, BLOCK_Y, 1), 1)},
							 {c, ldesc_tiles(&m, BLOCK_X, BLOCK_Y)}},
				  e);
}

static int run(struct host *h, struct err *e)
{
	static const char *const names[] = {"A", "B", "C", "AB", "D"};
	uint64_t addr[5], nn;
	double *exact[5];
	uint32_t n, seed;
	float *want;

	if (host_arg_u32(h, "n", 64, 192, 2048, 1, 8192, &n, e) || host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) ||
	    host_args_done(h, e))
		return -1;
	host_describe(h, "2mm %ux%u", n, n);
	nn = (uint64_t)n * n;
	for (unsigned m = 0; m < 5; m++) {
		float *v = host_alloc_f32(h, names[m], nn, &addr[m], e);

		if (!v)
			return -1;
		exact[m] = host_scratch(h, nn, sizeof(double));
		if (m < 3)
			host_random_fill_f32(v, nn, seed + (uint64_t)m);
		for (uint64_t i = 0; i < nn; i++)
			exact[m][i] = v[i];
	}
	for (unsigned second = 0; second < 2; second++)
		if (describe(h, addr[second ? 3 : 0], addr[second ? 2 : 1], addr[second ? 4 : 3], n, e) ||
		    host_launch(h, "mm_product", (struct host_dim){host_blocks(n, BLOCK_X), host_blocks(n, BLOCK_Y), 1},
				(struct host_dim){BLOCK_X, BLOCK_Y, 1}, 0, 6,
				(struct host_arg[]){host_u64(addr[second ? 3 : 0]), host_u64(addr[second ? 2 : 1]),
						    host_u64(addr[second ? 4 : 3]), host_u32(n), host_u32(n), host_u32(n)},
				e))
			return -1;

	product(exact[0], exact[1], exact[3], n);
	product(exact[3], exact[2], exact[4], n);
	want = host_scratch(h, nn, sizeof *want);
	for (uint64_t i = 0; i < nn; i++)
		want[i] = (float)exact[4][i];
	/* The second product's factors carry the first one's error. */
	return host_check_f32(h, "D", addr[4], want, nn, host_sum_tolerance(UINT64_C(2) * n + 2), e);
}

static const struct workload_option options[] = {
	{"n", "rows and columns of all matrices", "64 / 192 / 2048"},
	{"seed", "of A, B and C", "1"},
	{0},
};
const struct workload workload_2mm = {
	.name = "2mm",
	.summary = "D = (A B) C, no tiles",
	.suite = "PolyBench",
	.original = "PolyBench 2mm",
	.grid = "(n/32, n/8) x (32,8), twice",
	.access = "A one word per warp, B in row pieces, no tiles",
	.pattern = "conflict",
	.sharing = "high",
	.launches = "2",
	.sizes = "64 / 192 / 2048 square",
	.options = options,
	.run = run,
};
