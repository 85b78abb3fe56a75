/* Heat in a chip of nz layers of ny x nx cells, a step of time a launch, from one buffer to the other and back. */
#include "workload/program.h"
#include "workload/random.h"

enum { BLOCK_X = 64, BLOCK_Y = 4 };

/* As in kernel.cu. */
struct coefficients {
	float here, across, down, up, ambient, power;
};

struct chip {
	uint32_t nx, ny, nz, steps, seed;
};

static double at(const double *t, const struct chip *c, uint32_t z, uint32_t y, uint32_t x)
{
	return t[((uint64_t)z * c->ny + y) * c->nx + x];
}

static double cell(const struct chip *c, const struct coefficients *k, const double *t, uint32_t z, uint32_t y, uint32_t x)
{
	double across = at(t, c, z, y, x ? x - 1 : x) + at(t, c, z, y, x + 1 < c->nx ? x + 1 : x);
	double down = at(t, c, z, y ? y - 1 : y, x) + at(t, c, z, y + 1 < c->ny ? y + 1 : y, x);
	double up = at(t, c, z ? z - 1 : z, y, x) + at(t, c, z + 1 < c->nz ? z + 1 : z, y, x);

	return (double)k->here * at(t, c, z, y, x) + (double)k->across * across + (double)k->down * down + (double)k->up * up;
}

static void step(const struct chip *c, const struct coefficients *k, const float *power, const double *t, double *next)
{
	uint64_t i = 0;

	for (uint32_t z = 0; z < c->nz; z++)
		for (uint32_t y = 0; y < c->ny; y++)
			for (uint32_t x = 0; x < c->nx; x++, i++)
				next[i] = cell(c, k, t, z, y, x) + (double)k->power * power[i] + k->ambient;
}

static int launch_all(struct host *h, const struct chip *c, const struct coefficients *k, uint64_t power, const uint64_t t[2],
		      struct err *e)
{
	const struct host_arg by_value = {.bytes = sizeof *k, .by_ref = k};

	for (uint32_t i = 0; i < c->steps; i++)
		if (host_launch(h, "hotspot3d", (struct host_dim){host_blocks(c->nx, BLOCK_X), host_blocks(c->ny, BLOCK_Y), 1},
				(struct host_dim){BLOCK_X, BLOCK_Y, 1}, 0, 7,
				(struct host_arg[]){host_u64(power), host_u64(t[i % 2]), host_u64(t[1 - i % 2]), host_u32(c->nx),
						    host_u32(c->ny), host_u32(c->nz), by_value},
				e))
			return -1;
	return 0;
}

static int run(struct host *h, struct err *e)
{
	/* The weights of the old temperatures sum to 0.99; the last hundredth is that of the air, at 80 degrees. */
	const struct coefficients k = {0.39f, 0.1f, 0.1f, 0.1f, 0.8f, 0.05f};
	uint64_t power, t[2], cells;
	float *vp, *vt, *want;
	double *exact[2];
	struct chip c;

	if (host_arg_u32(h, "nx", 64, 512, 512, 1, 4096, &c.nx, e) || host_arg_u32(h, "ny", 64, 512, 512, 1, 4096, &c.ny, e) ||
	    host_arg_u32(h, "nz", 8, 8, 8, 1, 64, &c.nz, e) || host_arg_u32(h, "steps", 3, 2, 100, 1, 10000, &c.steps, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &c.seed, e) || host_args_done(h, e))
		return -1;
	host_describe(h, "hotspot3d %ux%ux%u, %u steps", c.nx, c.ny, c.nz, c.steps);
	cells = (uint64_t)c.nx * c.ny * c.nz;
	if (!(vp = host_alloc_f32(h, "power", cells, &power, e)) || !(vt = host_alloc_f32(h, "temperature", cells, &t[0], e)) ||
	    !host_alloc_f32(h, "next", cells, &t[1], e))
		return -1;
	host_random_fill_f32(vp, cells, c.seed);
	host_random_fill_f32(vt, cells, c.seed + UINT64_C(1));
	for (unsigned i = 0; i < 2; i++)
		exact[i] = host_scratch(h, cells, sizeof(double));
	for (uint64_t i = 0; i < cells; i++)
		exact[0][i] = vt[i] += 80; /* 80 to 81 degrees */
	if (launch_all(h, &c, &k, power, t, e))
		return -1;

	for (uint32_t s = 0; s < c.steps; s++)
		step(&c, &k, vp, exact[s % 2], exact[1 - s % 2]);
	want = host_scratch(h, cells, sizeof *want);
	for (uint64_t i = 0; i < cells; i++)
		want[i] = (float)exact[c.steps % 2][i];
	/* Nothing is negative: a step is a sum of nine products and one number. */
	return host_check_f32(h, "temperature", t[c.steps % 2], want, cells, host_sum_tolerance(UINT64_C(12) * c.steps), e);
}

static const struct workload_option options[] = {
	{"nx", "cells of a row", "64 / 512 / 512"},	    {"ny", "rows of a layer", "64 / 512 / 512"}, {"nz", "layers", "8"},
	{"steps", "of time, a launch each", "3 / 2 / 100"}, {"seed", "of powers and temperatures", "1"}, {0},
};
const struct workload workload_hotspot3d = {
	.name = "hotspot3d",
	.summary = "heat in a chip of several layers",
	.suite = "Rodinia",
	.original = "Rodinia hotspot3D",
	.grid = "(nx/64, ny/4) x (64,4)",
	.access = "seven points, marching up through the layers, no shared memory",
	.differences = "Has weights that sum to one, instead of capacities and resistances.",
	.pattern = "streaming",
	.sharing = "high",
	.launches = "3 / 2 / 100",
	.sizes = "64x64x8 / 512x512x8 / 512x512x8",
	.options = options,
	.run = run,
};
