/* One step of k-means: the points' features are laid out feature by feature, then each point gets its nearest of five
 * centres.
 *
 * Distances are sums of squares in float on the device and in double here, so two centres that are equally far but for
 * rounding may swap: such a choice is right if its distance is the least within the tolerance of the sums.
 */
#include "workload/ldesc_api.h"
#include "workload/random.h"
#include "ptx/memory.h"

#include <string.h>

enum { CENTRES = 5, MAX_FEATURES = 64, BLOCK = 256 };

struct size {
	uint32_t n, features, seed;
};

static double distance(const float *point, const float *centre, uint32_t features)
{
	double sum = 0;

	for (uint32_t f = 0; f < features; f++)
		sum += ((double)point[f] - centre[f]) * ((double)point[f] - centre[f]);
	return sum;
}

/* The reference's choice; where the device's is as near within rounding, the device's. */
static uint32_t nearest(const float *point, const float *centre, uint32_t features, uint32_t device)
{
	double least = distance(point, centre, features);
	uint32_t best = 0;

	for (uint32_t c = 1; c < CENTRES; c++) {
		double d = distance(point, centre + c * features, features);

		if (d < least) {
			least = d;
			best = c;
		}
	}
	if (device < CENTRES &&
	    distance(point, centre + device * features, features) <= least * (1 + 4 * host_sum_tolerance(features)))
		return device;
	return best;
}

static int check(struct host *h, const struct size *s, const float *point, const float *centre, uint64_t by_feature,
		 uint64_t chosen, struct err *e)
{
	const uint32_t *got = host_bytes(h, chosen, UINT64_C(4) * s->n);
	float *turned = host_scratch(h, (uint64_t)s->n * s->features, sizeof *turned);
	uint32_t *want = host_scratch(h, s->n, sizeof *want);

	for (uint32_t i = 0; i < s->n; i++) {
		const float *p = point + (uint64_t)i * s->features;

		for (uint32_t f = 0; f < s->features; f++)
			turned[(uint64_t)f * s->n + i] = p[f];
		want[i] = nearest(p, centre, s->features, got[i]);
	}
	if (host_check_f32(h, "by_feature", by_feature, turned, (uint64_t)s->n * s->features, 0, e))
		return -1;
	return host_check_u32(h, "nearest", chosen, want, s->n, e);
}

/* A thread has its point; it comes back to it for each centre. */
static int describe(struct host *h, const struct size *s, uint64_t point, uint64_t by_feature, uint64_t nearest, struct err *e)
{
	const struct ldesc_matrix features = {4, s->n, s->n, s->features};
	const struct ldesc columns = ldesc_columns(&features, BLOCK);

	if (ldesc_describe_all(h, "kmeans_transpose", 2,
			       (struct ldesc_given[]){{point, ldesc_line(4 * s->features, s->n, BLOCK)}, {by_feature, columns}}, e))
		return -1;
	return ldesc_describe_all(h, "kmeans_nearest", 2,
				  (struct ldesc_given[]){{by_feature, ldesc_intra(columns)}, {nearest, ldesc_line(4, s->n, BLOCK)}},
				  e);
}

static int run(struct host *h, struct err *e)
{
	const struct host_dim block = {BLOCK, 1, 1};
	uint64_t point, by_feature, chosen, words;
	struct host_dim grid = {1, 1, 1};
	float *v, *centre;
	struct size s;

	if (host_arg_u32(h, "n", 4 << 10, 32 << 10, 494020, CENTRES, 4 << 20, &s.n, e) ||
	    host_arg_u32(h, "features", 34, 34, 34, 1, MAX_FEATURES, &s.features, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &s.seed, e) || host_args_done(h, e))
		return -1;
	host_describe(h, "kmeans %u points of %u features", s.n, s.features);
	if (!(centre = host_variable(h, "kmeans_centre", CENTRES * MAX_FEATURES * sizeof *centre, e)))
		return -1;
	words = (uint64_t)s.n * s.features;
	if (!(v = host_alloc_f32(h, "point", words, &point, e)) || !host_alloc_f32(h, "by_feature", words, &by_feature, e) ||
	    !host_alloc_u32(h, "nearest", s.n, &chosen, e))
		return -1;
	host_random_fill_f32(v, words, s.seed);
	/* The centres to begin with are the first points. */
	memcpy(centre, v, CENTRES * s.features * sizeof *centre);
	grid.x = host_blocks(s.n, BLOCK);
	if (describe(h, &s, point, by_feature, chosen, e) ||
	    host_launch(h, "kmeans_transpose", grid, block, 0, 4,
			(struct host_arg[]){host_u64(point), host_u64(by_feature), host_u32(s.n), host_u32(s.features)}, e) ||
	    host_launch(h, "kmeans_nearest", grid, block, 0, 4,
			(struct host_arg[]){host_u64(by_feature), host_u64(chosen), host_u32(s.n), host_u32(s.features)}, e))
		return -1;
	return check(h, &s, v, centre, by_feature, chosen, e);
}

static const struct workload_option options[] = {
	{"n", "points", "4K / 32K / 494020"},
	{"features", "of a point", "34"},
	{"seed", "of the points", "1"},
	{0},
};
const struct workload workload_kmeans = {
	"kmeans", "Rodinia", "thrashing", "none", "2", "4 K / 32 K / 494,020 points of 34 features", "nearest of five centres",
	options,  run};
