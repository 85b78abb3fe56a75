/* Jacobi steps of the Laplace equation on a box of nx x ny x nz cells whose rim stays as it is, from one buffer to the
 * other. */
#include "workload/ldesc_api.h"
#include "workload/random.h"

enum { TILE_X = 32, TILE_Y = 4 };

struct box {
	uint32_t nx, ny, nz, steps, seed;
};

static bool inside(uint32_t i, uint32_t n)
{
	return i > 0 && i + 1 < n;
}

static void step(const struct box *b, const double *from, double *to)
{
	uint64_t row = b->nx, plane = row * b->ny;

	for (uint32_t z = 0; z < b->nz; z++)
		for (uint32_t y = 0; y < b->ny; y++)
			for (uint32_t x = 0; x < b->nx; x++) {
				uint64_t at = z * plane + y * row + x;

				to[at] = from[at];
				if (inside(x, b->nx) && inside(y, b->ny) && inside(z, b->nz))
					to[at] = (from[at - 1] + from[at + 1] + from[at - row] + from[at + row] + from[at - plane] +
						  from[at + plane]) /
						 6;
			}
}

/* A CTA goes through all planes of its own cells. */
static int describe(struct host *h, const struct box *b, uint64_t in, uint64_t out, struct err *e)
{
	const struct ldesc_matrix plane = {4, b->nx, b->nx, b->ny};
	struct ldesc own = ldesc_tiles(&plane, TILE_X, TILE_Y);

	own.len[2] = own.d_tile[2] = b->nz;
	return ldesc_describe_all(h, "lps", 2, (struct ldesc_given[]){{out, own}, {in, ldesc_intra(own)}}, e);
}

static int run(struct host *h, struct err *e)
{
	double *exact[2];
	uint64_t t[2], cells;
	struct box b;
	float *v, *want;

	if (host_arg_u32(h, "nx", 36, 100, 100, 1, 1024, &b.nx, e) || host_arg_u32(h, "ny", 36, 100, 100, 1, 1024, &b.ny, e) ||
	    host_arg_u32(h, "nz", 12, 100, 100, 1, 1024, &b.nz, e) || host_arg_u32(h, "steps", 2, 1, 1, 1, 1000, &b.steps, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &b.seed, e) || host_args_done(h, e))
		return -1;
	host_describe(h, "lps %ux%ux%u, %u steps", b.nx, b.ny, b.nz, b.steps);
	cells = (uint64_t)b.nx * b.ny * b.nz;
	if (!(v = host_alloc_f32(h, "potential", cells, &t[0], e)) || !host_alloc_f32(h, "next", cells, &t[1], e))
		return -1;
	host_random_fill_f32(v, cells, b.seed);
	want = host_scratch(h, cells, sizeof *want);
	for (unsigned i = 0; i < 2; i++)
		exact[i] = host_scratch(h, cells, sizeof(double));
	for (uint64_t i = 0; i < cells; i++)
		exact[0][i] = v[i];
	for (uint32_t s = 0; s < b.steps; s++) {
		step(&b, exact[s % 2], exact[1 - s % 2]);
		if (describe(h, &b, t[s % 2], t[1 - s % 2], e) ||
		    host_launch(h, "lps", (struct host_dim){host_blocks(b.nx, TILE_X), host_blocks(b.ny, TILE_Y), 1},
				(struct host_dim){TILE_X, TILE_Y, 1}, 0, 5,
				(struct host_arg[]){host_u64(t[s % 2]), host_u64(t[1 - s % 2]), host_u32(b.nx), host_u32(b.ny),
						    host_u32(b.nz)},
				e))
			return -1;
	}
	for (uint64_t i = 0; i < cells; i++)
		want[i] = (float)exact[b.steps % 2][i];
	/* Five sums, a product with a rounded sixth; all values are non-negative, so steps only add up. */
	return host_check_f32(h, "potential", t[b.steps % 2], want, cells, host_sum_tolerance(UINT64_C(8) * b.steps), e);
}

static const struct workload_option options[] = {
	{"nx", "cells in x", "36 / 100 / 100"},	 {"ny", "cells in y", "36 / 100 / 100"}, {"nz", "cells in z", "12 / 100 / 100"},
	{"steps", "a launch each", "2 / 1 / 1"}, {"seed", "of the potential", "1"},	 {0},
};
const struct workload workload_lps = {
	.name = "lps",
	.summary = "Laplace's equation in a box",
	.suite = "ISPASS-2009",
	.original = "ISPASS-2009 LPS",
	.grid = "(nx/32, ny/4) x (32,4), 2,448 bytes shared",
	.access = "three planes in shared memory, marching in z",
	.differences = "Makes one step, from one buffer to the other.",
	.pattern = "streaming",
	.sharing = "high",
	.launches = "2 / 1 / 1",
	.sizes = "36x36x12 / 100x100x100 / 100x100x100",
	.options = options,
	.run = run,
};
