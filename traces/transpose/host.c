/* out = in' for an n x n matrix, in 16x16 blocks, straight or through shared memory. */
#include "workload/ldesc_api.h"
#include "workload/random.h"

enum { TILE = 16 };

/* A CTA reads a tile and writes the one at the mirrored place. */
static int describe(struct host *h, const char *kernel, uint32_t n, uint64_t in, uint64_t out, struct err *e)
{
	struct ldesc tiles = {.element = 4,
			      .len = {n, n, 1},
			      .type = LDESC_NO_REUSE,
			      .d_tile = {TILE, TILE, 1},
			      .c_tile = {1, 1, 1},
			      .rank = {1, 2, 0},
			      .priority = 1};

	if (ldesc_describe(h, kernel, in, &tiles, e) != 0)
		return -1;
	tiles.rank[0] = 2;
	tiles.rank[1] = 1;
	tiles.priority = 2;
	return ldesc_describe(h, kernel, out, &tiles, e);
}

static int run(struct host *h, struct err *e)
{
	static const char *const kinds[] = {"naive", "tiled", NULL};
	const char *kernel;
	uint64_t in, out, nn;
	float *v, *want;
	uint32_t n, seed;
	unsigned kind;

	if (host_arg_multiple(h, "n", 128, 1024, 2048, TILE, 16384, &n, e) || host_arg_choice(h, "kind", kinds, &kind, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) || host_args_done(h, e))
		return -1;
	host_describe(h, "transpose %ux%u %s", n, n, kinds[kind]);
	nn = (uint64_t)n * n;
	if (!(v = host_alloc_f32(h, "in", nn, &in, e)) || !host_alloc_f32(h, "out", nn, &out, e))
		return -1;
	host_random_fill_f32(v, nn, seed);
	kernel = kind ? "transpose_tiled" : "transpose_naive";
	if (describe(h, kernel, n, in, out, e) ||
	    host_launch(h, kernel, (struct host_dim){n / TILE, n / TILE, 1}, (struct host_dim){TILE, TILE, 1}, 0, 3,
			(struct host_arg[]){host_u64(in), host_u64(out), host_u32(n)}, e))
		return -1;

	want = host_scratch(h, nn, sizeof *want);
	for (uint64_t i = 0; i < n; i++)
		for (uint64_t j = 0; j < n; j++)
			want[j * n + i] = v[i * n + j];
	return host_check_f32(h, "out", out, want, nn, 0, e);
}

static const struct workload_option options[] = {
	{"n", "rows and columns, a multiple of 16", "128 / 1024 / 2048"},
	{"kind", "naive, or tiled: through shared memory", "naive"},
	{"seed", "of the matrix", "1"},
	{0},
};
const struct workload workload_transpose = {
	.name = "transpose",
	.summary = "out = in'",
	.suite = "CUDA samples",
	.original = "CUDA samples, transpose",
	.grid = "(n/16)^2 x (16,16), 1,088 bytes shared if tiled",
	.access = "column writes a power of two apart, or tiles",
	.pattern = "conflict",
	.sharing = "none",
	.launches = "1",
	.sizes = "128 / 1024 / 2048 square",
	.options = options,
	.run = run,
};
