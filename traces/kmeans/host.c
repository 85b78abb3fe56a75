/* One step of k-means: each point gets its nearest of five centres.
 *
 * layout=features: as in Rodinia, a launch lays the features out one by one first, so that lanes read neighbouring
 * words. layout=points: as in the version for GPGPU-Sim's caches, which has neither that launch nor textures and
 * constant memory: each thread walks along its own point, and the centres are in global memory.
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
	unsigned by_point;
};

struct buffers {
	uint64_t point, by_feature, nearest; /* by_feature only where there is a launch that fills it */
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

static int check_nearest(struct host *h, const struct size *s, const float *point, uint64_t chosen, struct err *e)
{
	const uint32_t *got = host_bytes(h, chosen, UINT64_C(4) * s->n);
	uint32_t *want = host_scratch(h, s->n, sizeof *want);

	for (uint32_t i = 0; i < s->n; i++)
		want[i] = nearest(point + (uint64_t)i * s->features, point, s->features, got[i]);
	return host_check_u32(h, "nearest", chosen, want, s->n, e);
}

static int check_transposed(struct host *h, const struct size *s, const float *point, uint64_t by_feature, struct err *e)
{
	float *turned = host_scratch(h, (uint64_t)s->n * s->features, sizeof *turned);

	for (uint32_t i = 0; i < s->n; i++)
		for (uint32_t f = 0; f < s->features; f++)
			turned[(uint64_t)f * s->n + i] = point[(uint64_t)i * s->features + f];
	return host_check_f32(h, "by_feature", by_feature, turned, (uint64_t)s->n * s->features, 0, e);
}

/* A thread has its point; it comes back to it for each centre. */
static int describe(struct host *h, const struct size *s, const struct buffers *b, struct err *e)
{
	const struct ldesc_matrix features = {4, s->n, s->n, s->features};
	const struct ldesc columns = ldesc_columns(&features, BLOCK), rows = ldesc_line(4 * s->features, s->n, BLOCK),
			   own = ldesc_line(4, s->n, BLOCK);

	if (s->by_point)
		return ldesc_describe_all(h, "kmeans_nearest_by_point", 2,
					  (struct ldesc_given[]){{b->point, ldesc_intra(rows)}, {b->nearest, own}}, e);
	if (ldesc_describe_all(h, "kmeans_transpose", 2, (struct ldesc_given[]){{b->point, rows}, {b->by_feature, columns}}, e))
		return -1;
	return ldesc_describe_all(h, "kmeans_nearest", 2,
				  (struct ldesc_given[]){{b->by_feature, ldesc_intra(columns)}, {b->nearest, own}}, e);
}

static int launch(struct host *h, const struct size *s, const char *kernel, unsigned n_args, const struct host_arg *args,
		  struct err *e)
{
	return host_launch(h, kernel, (struct host_dim){host_blocks(s->n, BLOCK), 1, 1}, (struct host_dim){BLOCK, 1, 1}, 0, n_args,
			   args, e);
}

/* The centres to begin with are the first points, which begin at v. */
static int run_by_feature(struct host *h, const struct size *s, const float *v, const struct buffers *b, struct err *e)
{
	float *centre = host_variable(h, "kmeans_centre", CENTRES * MAX_FEATURES * sizeof *centre, e);
	const struct host_arg turn[] = {host_u64(b->point), host_u64(b->by_feature), host_u32(s->n), host_u32(s->features)};
	const struct host_arg choose[] = {host_u64(b->by_feature), host_u64(b->nearest), host_u32(s->n), host_u32(s->features)};

	if (!centre)
		return -1;
	memcpy(centre, v, CENTRES * s->features * sizeof *centre);
	if (launch(h, s, "kmeans_transpose", 4, turn, e) || launch(h, s, "kmeans_nearest", 4, choose, e))
		return -1;
	return check_transposed(h, s, v, b->by_feature, e);
}

static int run_by_point(struct host *h, const struct size *s, const float *v, const struct buffers *b, struct err *e)
{
	const uint32_t words = CENTRES * s->features;
	uint64_t centre;
	float *c = host_alloc_f32(h, "centre", words, &centre, e);

	if (!c)
		return -1;
	memcpy(c, v, words * sizeof *c);
	return launch(h, s, "kmeans_nearest_by_point", 5,
		      (struct host_arg[]){host_u64(b->point), host_u64(centre), host_u64(b->nearest), host_u32(s->n),
					  host_u32(s->features)},
		      e);
}

static int run(struct host *h, struct err *e)
{
	static const char *const layouts[] = {"features", "points", NULL};
	struct buffers b = {0};
	uint64_t words;
	struct size s;
	float *v;

	if (host_arg_u32(h, "n", 4 << 10, 32 << 10, 494020, CENTRES, 4 << 20, &s.n, e) ||
	    host_arg_u32(h, "features", 34, 34, 34, 1, MAX_FEATURES, &s.features, e) ||
	    host_arg_choice(h, "layout", layouts, &s.by_point, e) || host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &s.seed, e) ||
	    host_args_done(h, e))
		return -1;
	host_describe(h, "kmeans %u points of %u features%s", s.n, s.features, s.by_point ? ", point by point" : "");
	words = (uint64_t)s.n * s.features;
	if (!(v = host_alloc_f32(h, "point", words, &b.point, e)) ||
	    (!s.by_point && !host_alloc_f32(h, "by_feature", words, &b.by_feature, e)) ||
	    !host_alloc_u32(h, "nearest", s.n, &b.nearest, e))
		return -1;
	host_random_fill_f32(v, words, s.seed);
	if (describe(h, &s, &b, e) || (s.by_point ? run_by_point : run_by_feature)(h, &s, v, &b, e))
		return -1;
	return check_nearest(h, &s, v, b.nearest, e);
}

static const struct workload_option options[] = {
	{"n", "points", "4K / 32K / 494020"},
	{"features", "of a point", "34"},
	{"layout", "features: laid out feature by feature first; points: each thread walks along its own point", "features"},
	{"seed", "of the points", "1"},
	{0},
};
const struct workload workload_kmeans = {
	.name = "kmeans",
	.summary = "nearest of five centres",
	.suite = "Rodinia",
	.original = "Rodinia kmeans",
	.grid = "n/256 x 256, twice; by point: once",
	.access = "136 bytes from lane to lane; then coalesced, centres in constant memory; by point: 136 bytes from lane to "
		  "lane, five times over",
	.differences = "Makes one step from the first five points as centres, which are in constant memory instead of a texture. "
		       "With --arg layout=points it is dwt-pric's version, from CCWS and made for GPGPU-Sim's data caches: no "
		       "transposed copy, centres in global memory, and each thread walks along its own point once per centre.",
	.pattern = "thrashing",
	.sharing = "none",
	.launches = "2",
	.sizes = "4 K / 32 K / 494,020 points of 34 features",
	.options = options,
	.run = run,
};
