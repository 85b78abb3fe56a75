/* How often each byte value occurs among 4n bytes; `skew` percent of the bytes are one value, which makes atomics
 * collide. */
#include "workload/ldesc_api.h"
#include "workload/random.h"

enum { BINS = 256, CTAS = 64 };

/* All threads together go through the words, CTAS x BINS at a time; all add to the same bins. */
static int describe(struct host *h, uint64_t word, uint64_t bin, uint32_t n, struct err *e)
{
	const struct ldesc_matrix words = {4, CTAS * BINS, CTAS * BINS, host_blocks(n, CTAS * BINS)};

	return ldesc_describe_all(
		h, "histogram", 2,
		(struct ldesc_given[]){{word, ldesc_columns(&words, BINS)}, {bin, ldesc_coaccessed(ldesc_whole(4, BINS), 1)}}, e);
}

static int run(struct host *h, struct err *e)
{
	uint32_t n, skew, seed, *v, *want;
	struct host_random r;
	uint64_t word, bin;

	if (host_arg_u32(h, "n", 32 << 10, 512 << 10, 4 << 20, 1, 64 << 20, &n, e) ||
	    host_arg_u32(h, "skew", 0, 0, 0, 0, 100, &skew, e) || host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) ||
	    host_args_done(h, e))
		return -1;
	host_describe(h, "histogram of %llu bytes", 4ULL * n);
	if (!(v = host_alloc_u32(h, "word", n, &word, e)) || !host_alloc_u32(h, "bin", BINS, &bin, e))
		return -1;
	r.state = seed;
	want = host_scratch(h, BINS, sizeof *want);
	for (uint32_t i = 0; i < n; i++) {
		for (unsigned byte = 0; byte < 4; byte++) {
			uint32_t value = host_random_below(&r, 100) < skew ? 7 : host_random_below(&r, BINS);

			v[i] |= value << 8 * byte;
			want[value]++;
		}
	}
	if (describe(h, word, bin, n, e) ||
	    host_launch(h, "histogram", (struct host_dim){CTAS, 1, 1}, (struct host_dim){BINS, 1, 1}, 0, 3,
			(struct host_arg[]){host_u64(word), host_u64(bin), host_u32(n)}, e))
		return -1;
	return host_check_u32(h, "bin", bin, want, BINS, e);
}

static const struct workload_option options[] = {
	{"n", "words of four bytes", "32K / 512K / 4M"},
	{"skew", "percent of the bytes that are one value", "0"},
	{"seed", "of the bytes", "1"},
	{0},
};
const struct workload workload_histogram = {
	.name = "histogram",
	.summary = "256 bins by shared atomics",
	.suite = "CUDA samples",
	.original = "CUDA samples, histogram256",
	.grid = "64 x 256, 1 KB shared",
	.access = "stream, atomics on shared and on global bins",
	.differences = "Uses shared atomics on one table per CTA, where the sample has a table per warp.",
	.pattern = "friendly",
	.sharing = "low",
	.launches = "1",
	.sizes = "128 K / 2 M / 16 M bytes",
	.options = options,
	.run = run,
};
