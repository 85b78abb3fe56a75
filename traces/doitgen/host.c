/* A[r][q][p] = sum over s of A[r][q][s] * C4[s][p], two launches for each r. */
#include "workload/ldesc_api.h"
#include "workload/random.h"

enum { BLOCK_X = 32, BLOCK_Y = 8 };

struct tensor {
	uint32_t nr, nq, np, seed;
};

static float *reference(struct host *h, const struct tensor *t, const float *a, const float *c4)
{
	uint64_t rows = (uint64_t)t->nr * t->nq;
	float *want = host_scratch(h, rows * t->np, sizeof *want);

	for (uint64_t row = 0; row < rows; row++)
		for (uint32_t p = 0; p < t->np; p++) {
			double sum = 0;

			for (uint64_t s = 0; s < t->np; s++)
				sum += (double)a[row * t->np + s] * (double)c4[s * t->np + p];
			want[row * t->np + p] = (float)sum;
		}
	return want;
}

/* A matrix's tiles in each plane of A. */
static struct ldesc in_planes(const struct tensor *t, struct ldesc l)
{
	l.len[2] = l.d_tile[2] = t->nr;
	return l;
}

/* A column of CTAs has the same columns of C4, a row the same rows of each plane. */
static int describe(struct host *h, const struct tensor *t, uint64_t a, uint64_t c4, uint64_t sum, struct err *e)
{
	const struct ldesc_matrix plane = {4, t->np, t->np, t->nq}, square = {4, t->np, t->np, t->np};
	struct ldesc own = ldesc_tiles(&plane, BLOCK_X, BLOCK_Y);

	if (ldesc_describe_all(h, "doitgen_multiply", 3,
			       (struct ldesc_given[]){{c4, ldesc_coaccessed(ldesc_columns(&square, BLOCK_X), t->np)},
						      {a, ldesc_coaccessed(in_planes(t, ldesc_rows(&plane, BLOCK_Y, 1)), 1)},
						      {sum, own}},
			       e))
		return -1;
	return ldesc_describe_all(h, "doitgen_store", 2, (struct ldesc_given[]){{sum, own}, {a, in_planes(t, own)}}, e);
}

static int run(struct host *h, struct err *e)
{
	struct host_dim grid, block = {BLOCK_X, BLOCK_Y, 1};
	uint64_t a, c4, sum, words;
	struct tensor t;
	float *va, *vc4, *want;

	if (host_arg_u32(h, "nr", 4, 16, 128, 1, 1024, &t.nr, e) || host_arg_u32(h, "nq", 32, 128, 128, 1, 1024, &t.nq, e) ||
	    host_arg_u32(h, "np", 64, 128, 128, 1, 1024, &t.np, e) || host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &t.seed, e) ||
	    host_args_done(h, e))
		return -1;
	host_describe(h, "doitgen %ux%ux%u", t.nr, t.nq, t.np);
	words = (uint64_t)t.nr * t.nq * t.np;
	if (!(va = host_alloc_f32(h, "A", words, &a, e)) || !(vc4 = host_alloc_f32(h, "C4", (uint64_t)t.np * t.np, &c4, e)) ||
	    !host_alloc_f32(h, "sum", (uint64_t)t.nq * t.np, &sum, e))
		return -1;
	host_random_fill_f32(va, words, t.seed);
	host_random_fill_f32(vc4, (uint64_t)t.np * t.np, t.seed + UINT64_C(1));
	want = reference(h, &t, va, vc4);
	grid = (struct host_dim){host_blocks(t.np, BLOCK_X), host_blocks(t.nq, BLOCK_Y), 1};
	if (describe(h, &t, a, c4, sum, e))
		return -1;
	for (uint32_t r = 0; r < t.nr; r++)
		if (host_launch(h, "doitgen_multiply", grid, block, 0, 6,
				(struct host_arg[]){host_u64(a), host_u64(c4), host_u64(sum), host_u32(r), host_u32(t.nq),
						    host_u32(t.np)},
				e) ||
		    host_launch(h, "doitgen_store", grid, block, 0, 5,
				(struct host_arg[]){host_u64(sum), host_u64(a), host_u32(r), host_u32(t.nq), host_u32(t.np)}, e))
			return -1;
	return host_check_f32(h, "A", a, want, words, host_sum_tolerance(t.np), e);
}

static const struct workload_option options[] = {
	{"nr", "planes of A, two launches each", "4 / 16 / 128"},
	{"nq", "rows of a plane", "32 / 128 / 128"},
	{"np", "of a row, and of C4", "64 / 128 / 128"},
	{"seed", "of A and C4", "1"},
	{0},
};
const struct workload workload_doitgen = {
	.name = "doitgen",
	.summary = "rows of a tensor times a matrix",
	.suite = "PolyBench",
	.original = "PolyBench doitgen",
	.grid = "(np/32, nq/8) x (32,8), two launches per plane",
	.access = "a row of A one word per warp, C4 in row pieces, no tiles",
	.pattern = "conflict",
	.sharing = "high",
	.launches = "8 / 32 / 256",
	.sizes = "4x32x64 / 16x128x128 / 128x128x128",
	.options = options,
	.run = run,
};
