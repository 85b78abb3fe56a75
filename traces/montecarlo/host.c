/* pi from points in a quarter circle, 128 threads a CTA. Counts are compared exactly, and pi with its true value. */
#include "workload/ldesc_api.h"
#include "workload/random.h"

#include <math.h>

enum { BLOCK = 128 };

static uint32_t count(uint32_t state, uint32_t add, uint32_t points)
{
	uint32_t hits = 0;

	for (uint32_t i = 0; i < points; i++) {
		uint64_t x, y;

		state = state * 1664525u + add;
		x = state >> 16;
		state = state * 1664525u + add;
		y = state >> 16;
		hits += x * x / 2 + y * y / 2 < UINT64_C(1) << 31;
	}
	return hits;
}

static int run(struct host *h, struct err *e)
{
	uint32_t ctas, points, seed, *v, *want;
	uint64_t seeds, inside, total = 0;
	struct host_random r;
	double pi, n;

	if (host_arg_u32(h, "ctas", 64, 256, 1024, 1, 65535, &ctas, e) ||
	    host_arg_u32(h, "points", 64, 128, 1024, 1, 1 << 20, &points, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) || host_args_done(h, e))
		return -1;
	host_describe(h, "montecarlo %u x %u threads, %u points each", ctas, BLOCK, points);
	if (!(v = host_alloc_u32(h, "seed", (uint64_t)ctas * BLOCK, &seeds, e)) || !host_alloc_u32(h, "inside", ctas, &inside, e))
		return -1;
	r.state = seed;
	want = host_scratch(h, ctas, sizeof *want);
	for (uint32_t t = 0; t < ctas * BLOCK; t++) {
		v[t] = (uint32_t)(host_random_u64(&r) >> 32);
		want[t / BLOCK] += count(v[t], 2 * t + 1, points);
	}
	for (uint32_t i = 0; i < ctas; i++)
		total += want[i];
	/* Ten standard deviations: the reference itself must be about right. */
	n = (double)ctas * BLOCK * points;
	pi = 4 * (double)total / n;
	if (fabs(pi - 3.14159265358979) > 10 * 1.6422 / sqrt(n))
		return err_set(e, "montecarlo: the reference takes pi for %g", pi);
	if (ldesc_describe_all(
		    h, "montecarlo", 2,
		    (struct ldesc_given[]){{seeds, ldesc_line(4, (uint64_t)ctas * BLOCK, BLOCK)}, {inside, ldesc_line(4, ctas, 1)}},
		    e) ||
	    host_launch(h, "montecarlo", (struct host_dim){ctas, 1, 1}, (struct host_dim){BLOCK, 1, 1}, BLOCK * sizeof(uint32_t), 3,
			(struct host_arg[]){host_u64(seeds), host_u64(inside), host_u32(points)}, e))
		return -1;
	return host_check_u32(h, "inside", inside, want, ctas, e);
}

static const struct workload_option options[] = {
	{"ctas", "of 128 threads", "64 / 256 / 1024"},
	{"points", "a thread", "64 / 128 / 1024"},
	{"seed", "of the threads' seeds", "1"},
	{0},
};
const struct workload workload_montecarlo = {
	.name = "montecarlo",
	.summary = "pi from random points",
	.suite = "CUDA samples",
	.original = "CUDA samples, pi estimate",
	.grid = "ctas x 128, dynamic shared",
	.access = "a generator per thread, almost no memory",
	.differences = "Has its own random number generator in each thread.",
	.pattern = "friendly",
	.sharing = "none",
	.launches = "1",
	.sizes = "64x64 / 256x128 / 1024x1024 CTAs x points",
	.options = options,
	.run = run,
};
