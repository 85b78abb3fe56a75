/* Distances of n places to one, 256 threads a CTA; the host then picks the nearest. */
#include "workload/ldesc_api.h"
#include "workload/random.h"
#include "workload/taf_api.h"

#include <math.h>

enum { BLOCK = 256 };

/* Instructions of the paper's host program for a value (docs/studies/tafe.md, Cost of a value): half of a record's
 * fgets, two atof and two push_back. */
enum { RECORD_INSTS = 841 };

/* A thread reads a place of two floats and writes a distance. */
static int annotate(struct host *h, uint64_t at, uint64_t distance, uint32_t n, struct err *e)
{
	const struct taf_tid own = {.m = {1, 0, 0, BLOCK}};

	if (taf_paramSetup(h, (struct host_dim){BLOCK, 1, 1}, (struct host_dim){host_blocks(n, BLOCK), 1, 1}, e) ||
	    taf_tid_array(h, at, n, 8, own, e) || taf_tid_array(h, distance, n, 4, own, e) || host_value_insts(h, RECORD_INSTS, e))
		return -1;
	host_store_array(h, at, 4, UINT64_C(2) * n, host_bytes(h, at, 8));
	return 0;
}

static int describe(struct host *h, uint64_t at, uint64_t distance, uint32_t n, struct err *e)
{
	return ldesc_describe_all(h, "nn", 2,
				  (struct ldesc_given[]){{at, ldesc_line(8, n, BLOCK)}, {distance, ldesc_line(4, n, BLOCK)}}, e);
}

static int run(struct host *h, struct err *e)
{
	const float latitude = 30, longitude = 90;
	uint64_t at, distance;
	uint32_t n, seed;
	float *v, *want;

	if (host_arg_u32(h, "n", 16 << 10, 42764, 640 << 10, 1, 64 << 20, &n, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) || host_args_done(h, e))
		return -1;
	host_describe(h, "nn %u places", n);
	if (!(v = host_alloc_f32(h, "at", UINT64_C(2) * n, &at, e)) || !host_alloc_f32(h, "distance", n, &distance, e))
		return -1;
	host_random_fill_f32(v, UINT64_C(2) * n, seed);
	want = host_scratch(h, n, sizeof *want);
	for (uint32_t i = 0; i < n; i++) {
		v[2 * i] = v[2 * i] * 63 + 7;
		v[2 * i + 1] *= 358;
		want[i] = (float)hypot((double)v[2 * i] - latitude, (double)v[2 * i + 1] - longitude);
	}
	if (annotate(h, at, distance, n, e) || describe(h, at, distance, n, e) ||
	    host_launch(h, "nn", (struct host_dim){host_blocks(n, BLOCK), 1, 1}, (struct host_dim){BLOCK, 1, 1}, 0, 5,
			(struct host_arg[]){host_u64(at), host_u64(distance), host_u32(n), host_f32(latitude), host_f32(longitude)},
			e))
		return -1;
	/* Two subtractions, squares, their sum, the root. */
	return host_check_f32(h, "distance", distance, want, n, host_sum_tolerance(6), e);
}

static const struct workload_option options[] = {
	{"n", "places", "16K / 42764 / 640K"},
	{"seed", "of the places", "1"},
	{0},
};
const struct workload workload_nn = {
	.name = "nn",
	.summary = "distances to one place",
	.suite = "Rodinia",
	.original = "Rodinia nn",
	.grid = "n/256 x 256",
	.access = "a stream of 8 bytes in, 4 out",
	.pattern = "streaming",
	.sharing = "none",
	.launches = "1",
	.sizes = "16 K / 42,764 / 640 K places",
	.options = options,
	.run = run,
};
