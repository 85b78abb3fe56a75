/* Pairs of points by their distance: of the data, of the data with each of some random sets, of each random set. One
 * launch, a CTA a pair of sets.
 *
 * Coordinates are multiples of 2^-11 of at most 1 in size, so that products and their sums are exact in floats (22 bits
 * behind the point, and two before it are not needed since no scalar product is above 1.01): the host finds the same
 * bins. */
#include "workload/program.h"
#include "workload/random.h"

#include <math.h>

enum { THREADS = 256, BINS = 20 };

struct sky {
	uint32_t n, sets;
	float *point, *limit;
};

/* Points anywhere on the sphere; those of the data (set 0) near to one another. */
static void fill(struct sky *s, uint32_t seed)
{
	struct host_random r = {seed};

	for (uint64_t set = 0; set <= s->sets; set++)
		for (uint32_t i = 0; i < s->n; i++) {
			double a = 2 * M_PI * (double)host_random_f32(&r), up = 2 * (double)host_random_f32(&r) - 1, round;

			if (!set) {
				a *= 0.1;
				up *= 0.2;
			}
			round = sqrt(1 - up * up);
			s->point[(3 * set + 0) * s->n + i] = (float)(nearbyint(round * cos(a) * 2048) / 2048);
			s->point[(3 * set + 1) * s->n + i] = (float)(nearbyint(round * sin(a) * 2048) / 2048);
			s->point[(3 * set + 2) * s->n + i] = (float)(nearbyint(up * 2048) / 2048);
		}
	/* Five bins for each factor of ten in the angle, from a hundredth of a degree on. */
	for (unsigned b = 0; b < BINS - 1; b++)
		s->limit[b] = (float)cos(pow(10, -2 + b / 5.0) * M_PI / 180);
}

static uint32_t bin_of(const struct sky *s, const float *a, const float *b)
{
	uint32_t bin = 0;
	double product = 0;

	for (uint64_t xyz = 0; xyz < 3; xyz++)
		product += (double)a[xyz * s->n] * (double)b[xyz * s->n];
	while (bin < BINS - 1 && product < (double)s->limit[bin])
		bin++;
	return bin;
}

static void reference(const struct sky *s, uint32_t one, uint32_t other, uint32_t *pairs)
{
	const float *from = s->point + UINT64_C(3) * s->n * one, *to = s->point + UINT64_C(3) * s->n * other;

	for (uint32_t i = 0; i < s->n; i++)
		for (uint32_t j = one == other ? i + 1 : 0; j < s->n; j++)
			pairs[bin_of(s, from + i, to + j)]++;
}

static int run(struct host *h, struct err *e)
{
	uint64_t point, pairs;
	uint32_t seed, ctas, *want;
	struct sky s;

	if (host_arg_u32(h, "n", 128, 200, 487, 2, 16384, &s.n, e) || host_arg_u32(h, "sets", 5, 100, 100, 1, 1000, &s.sets, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) || host_args_done(h, e))
		return -1;
	host_describe(h, "tpacf %u points, %u random sets", s.n, s.sets);
	ctas = 2 * s.sets + 1;
	if (!(s.limit = host_variable(h, "tpacf_limit", (BINS - 1) * sizeof *s.limit, e)) ||
	    !(s.point = host_alloc_f32(h, "point", UINT64_C(3) * s.n * (s.sets + 1), &point, e)) ||
	    !host_alloc_u32(h, "pairs", (uint64_t)ctas * BINS, &pairs, e))
		return -1;
	fill(&s, seed);
	if (host_launch(h, "tpacf", (struct host_dim){ctas, 1, 1}, (struct host_dim){THREADS, 1, 1}, 0, 4,
			(struct host_arg[]){host_u64(point), host_u64(pairs), host_u32(s.n), host_u32(s.sets)}, e))
		return -1;
	want = host_scratch(h, (uint64_t)ctas * BINS, sizeof *want);
	for (uint32_t b = 0; b < ctas; b++)
		reference(&s, b <= s.sets ? 0 : b - s.sets, b <= s.sets ? b : b - s.sets, want + (uint64_t)b * BINS);
	return host_check_u32(h, "pairs", pairs, want, (uint64_t)ctas * BINS, e);
}

static const struct workload_option options[] = {
	{"n", "points of a set", "128 / 200 / 487"},
	{"sets", "of random points", "5 / 100 / 100"},
	{"seed", "of the points", "1"},
	{0},
};
const struct workload workload_tpacf = {
	.name = "tpacf",
	.summary = "pairs of points by their distance",
	.suite = "Parboil",
	.original = "Parboil tpacf",
	.grid = "2 sets + 1 x 256, 13,312 bytes shared",
	.access = "words of shared memory broadcast, bisection in constant memory, shared atomics",
	.differences = "Points are random instead of a catalogue's, and rounded to 2^-11 so that products are exact.",
	.pattern = "friendly",
	.sharing = "low",
	.launches = "1",
	.sizes = "points x sets 128x5 / 200x100 / 487x100",
	.options = options,
	.run = run,
};
