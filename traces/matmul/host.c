/* C = A B for n x n matrices in 16x16 tiles. */
#include "workload/ldesc_api.h"
#include "workload/random.h"
#include "workload/taf_api.h"

enum { TILE = 16 };

/* Row by row, so that the inner loop runs along B's and the result's rows. */
static void reference(struct host *h, const float *a, const float *b, float *c, uint32_t n)
{
	double *sum = host_scratch(h, n, sizeof *sum);

	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t j = 0; j < n; j++)
			sum[j] = 0;
		for (uint32_t k = 0; k < n; k++)
			for (uint32_t j = 0; j < n; j++)
				sum[j] += (double)a[(uint64_t)i * n + k] * b[(uint64_t)k * n + j];
		for (uint32_t j = 0; j < n; j++)
			c[(uint64_t)i * n + j] = (float)sum[j];
	}
}

/* A CTA goes along its rows of A and its columns of B, tile by tile, and writes one tile of C. */
static int annotate(struct host *h, uint64_t a, uint64_t b, uint64_t c, uint32_t n, struct err *e)
{
	uint32_t tiles = n / TILE;
	uint64_t nn = (uint64_t)n * n;
	struct taf_tid rows = {.m = {1, n, 0, 0, TILE * n, 0}, .ofs = TILE, .n = tiles},
		       columns = {.m = {1, n, 0, TILE, 0, 0}, .ofs = TILE * n, .n = tiles},
		       tile = {.m = {1, n, 0, TILE, TILE * n, 0}};

	return taf_paramSetup(h, (struct host_dim){TILE, TILE, 1}, (struct host_dim){tiles, tiles, 1}, e) ||
	       taf_register_tid_dep(h, a, nn, 4, rows, false, e) || taf_register_tid_dep(h, b, nn, 4, columns, false, e) ||
	       taf_register_tid_dep(h, c, nn, 4, tile, false, e) || taf_setRdy(h, a, e) || taf_setRdy(h, b, e) ||
	       taf_setRdy(h, c, e);
}

/* c = a b: a row of CTAs has the same rows of a, a column the same columns of b, tile by tile. */
static int describe(struct host *h, uint64_t a, uint64_t b, uint64_t c, uint32_t n, struct err *e)
{
	const struct ldesc_matrix m = {4, n, n, n};

	return ldesc_describe_all(h, "matmul", 3,
				  (struct ldesc_given[]){{a, ldesc_coaccessed(ldesc_rows(&m, TILE, 1), TILE)},
							 {b, ldesc_coaccessed(ldesc_columns(&m, TILE), (uint64_t)TILE * n)},
							 {c, ldesc_tiles(&m, TILE, TILE)}},
				  e);
}

static int run(struct host *h, struct err *e)
{
	uint64_t a, b, c, nn;
	float *va, *vb, *want;
	uint32_t n, seed;

	if (host_arg_multiple(h, "n", 64, 256, 208, TILE, 8192, &n, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) || host_args_done(h, e))
		return -1;
	host_describe(h, "matmul %ux%u", n, n);
	nn = (uint64_t)n * n;
	if (!(va = host_alloc_f32(h, "A", nn, &a, e)) || !(vb = host_alloc_f32(h, "B", nn, &b, e)) ||
	    !host_alloc_f32(h, "C", nn, &c, e) || annotate(h, a, b, c, n, e))
		return -1;
	host_random_fill_f32(va, nn, seed);
	host_random_fill_f32(vb, nn, seed + UINT64_C(1));
	host_store_array(h, a, 4, nn, va);
	host_store_array(h, b, 4, nn, vb);
	if (describe(h, a, b, c, n, e) ||
	    host_launch(h, "matmul", (struct host_dim){n / TILE, n / TILE, 1}, (struct host_dim){TILE, TILE, 1}, 0, 4,
			(struct host_arg[]){host_u64(a), host_u64(b), host_u64(c), host_u32(n)}, e))
		return -1;

	want = host_scratch(h, nn, sizeof *want);
	reference(h, va, vb, want, n);
	return host_check_f32(h, "C", c, want, nn, host_sum_tolerance(n), e);
}

static const struct workload_option options[] = {
	{"n", "rows and columns, a multiple of 16", "64 / 256 / 208"},
	{"seed", "of A and B", "1"},
	{0},
};
const struct workload workload_matmul = {
	.name = "matmul",
	.summary = "C = A B, tiles in shared memory",
	.suite = "CUDA samples",
	.original = "CUDA samples, matrixMul",
	.grid = "(n/16)^2 x (16,16), 2 KB shared",
	.access = "tiles in shared memory, two barriers per tile",
	.pattern = "friendly",
	.sharing = "high",
	.launches = "1",
	.sizes = "64 / 256 / 208 square",
	.options = options,
	.run = run,
};
