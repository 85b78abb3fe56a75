/* One step of a seven-point stencil over nx x ny x nz cells; the outermost cells stay. Positive weights, unlike a heat
 * equation's.
 */
#include "workload/ldesc_api.h"
#include "workload/random.h"

struct box {
	uint32_t nx, ny, nz, seed;
};

static float stencil(const float *p, const struct box *b, float c0, float c1)
{
	int64_t row = b->nx, plane = (int64_t)b->nx * b->ny;

	return (float)(c0 * ((double)p[-1] + p[1] + p[-row] + p[row] + p[-plane] + p[plane]) + (double)c1 * p[0]);
}

enum { TILE_X = 64, TILE_Y = 4 };

/* A CTA goes through all planes of its tile; the border is its neighbours' as well. */
static int describe(struct host *h, const struct box *b, uint64_t in, uint64_t out, struct err *e)
{
	const struct ldesc_matrix plane = {4, b->nx, b->nx, b->ny};
	struct ldesc tile = ldesc_tiles(&plane, TILE_X, TILE_Y);

	tile.len[2] = tile.d_tile[2] = b->nz;
	return ldesc_describe_all(h, "stencil3d", 2,
				  (struct ldesc_given[]){{in, ldesc_nearby(tile, (uint64_t)b->nx * b->ny)}, {out, tile}}, e);
}

static int run(struct host *h, struct err *e)
{
	const float c0 = 0.125f, c1 = 0.25f;
	uint64_t in, out, words;
	float *v, *want;
	struct box b;

	if (host_arg_u32(h, "nx", 64, 128, 512, 3, 4096, &b.nx, e) || host_arg_u32(h, "ny", 32, 128, 512, 3, 4096, &b.ny, e) ||
	    host_arg_u32(h, "nz", 8, 32, 64, 3, 1024, &b.nz, e) || host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &b.seed, e) ||
	    host_args_done(h, e))
		return -1;
	host_describe(h, "stencil3d %ux%ux%u", b.nx, b.ny, b.nz);
	words = (uint64_t)b.nx * b.ny * b.nz;
	if (!(v = host_alloc_f32(h, "in", words, &in, e)) || !host_alloc_f32(h, "out", words, &out, e))
		return -1;
	host_random_fill_f32(v, words, b.seed);
	if (describe(h, &b, in, out, e) ||
	    host_launch(h, "stencil3d", (struct host_dim){host_blocks(b.nx, TILE_X), host_blocks(b.ny, TILE_Y), 1},
			(struct host_dim){32, 4, 1}, 0, 7,
			(struct host_arg[]){host_u64(in), host_u64(out), host_f32(c0), host_f32(c1), host_u32(b.nx), host_u32(b.ny),
					    host_u32(b.nz)},
			e))
		return -1;

	want = host_scratch(h, words, sizeof *want);
	for (uint32_t z = 1; z + 1 < b.nz; z++)
		for (uint32_t y = 1; y + 1 < b.ny; y++)
			for (uint32_t x = 1; x + 1 < b.nx; x++) {
				uint64_t at = ((uint64_t)z * b.ny + y) * b.nx + x;

				want[at] = stencil(v + at, &b, c0, c1);
			}
	return host_check_f32(h, "out", out, want, words, host_sum_tolerance(9), e);
}

static const struct workload_option options[] = {
	{"nx", "cells of a row", "64 / 128 / 512"},
	{"ny", "rows of a plane", "32 / 128 / 512"},
	{"nz", "planes", "8 / 32 / 64"},
	{"seed", "of the cells", "1"},
	{0},
};
const struct workload workload_stencil3d = {
	.name = "stencil3d",
	.summary = "seven-point stencil",
	.suite = "Parboil",
	.original = "Parboil stencil",
	.grid = "(nx/64, ny/4) x (32,4), 1 KB shared",
	.access = "seven points, two cells per thread, marching in z",
	.differences = "The weights are positive.",
	.pattern = "conflict",
	.sharing = "high",
	.launches = "1",
	.sizes = "64x32x8 / 128x128x32 / 512x512x64",
	.options = options,
	.run = run,
};
