/* Every CTA reads the same words, round after round: the rate of the nearest memory that has room for them. */
#include <math.h>

#include "workload/program.h"
#include "workload/random.h"

enum { BLOCK = 1024, AT_ONCE = 8, STEP = BLOCK * AT_ONCE * 4 /* bytes of a thread's eight words, in all threads */ };

/* What a thread adds up, in the kernel's order. */
static float sum(const float *v, uint32_t words, uint32_t rounds, uint32_t thread)
{
	float s = 0;

	for (uint32_t r = 0; r < rounds; r++)
		for (uint32_t i = thread; i < words; i += 2 * BLOCK)
			s = fmaf(v[i], v[i + BLOCK], s);
	return s;
}

static int run(struct host *h, struct err *e)
{
	uint32_t footprint, rounds, ctas, words;
	uint64_t from, sums;
	float *v, *want;

	if (host_arg_multiple(h, "footprint", 32 << 10, 64 << 10, 1 << 20, STEP, 1 << 30, &footprint, e) ||
	    host_arg_u32(h, "rounds", 2, 4, 4, 1, 1 << 20, &rounds, e) ||
	    host_arg_u32(h, "ctas", 1, 15, 80, 1, 1 << 12, &ctas, e) || host_args_done(h, e))
		return -1;
	host_describe(h, "bandwidth %u rounds of %u bytes in %u CTAs", rounds, footprint, ctas);
	words = footprint / 4;
	if (!(v = host_alloc_f32(h, "from", words, &from, e)) || !host_alloc_f32(h, "sum", (uint64_t)ctas * BLOCK, &sums, e))
		return -1;
	host_random_fill_f32(v, words, 1);
	if (host_launch(h, "bandwidth", (struct host_dim){ctas, 1, 1}, (struct host_dim){BLOCK, 1, 1}, 0, 4,
			(struct host_arg[]){host_u64(from), host_u64(sums), host_u32(words), host_u32(rounds)}, e))
		return -1;

	want = host_scratch(h, (uint64_t)ctas * BLOCK, sizeof *want);
	for (uint32_t t = 0; t < BLOCK; t++)
		want[t] = sum(v, words, rounds, t);
	for (uint32_t t = BLOCK; t < ctas * BLOCK; t++)
		want[t] = want[t - BLOCK];
	return host_check_f32(h, "sum", sums, want, (uint64_t)ctas * BLOCK, 0, e);
}

static const struct workload_option options[] = {
	{"footprint", "bytes that each CTA reads in a round, a multiple of 32K", "32K / 64K / 1M"},
	{"rounds", "of reading them", "2 / 4 / 4"},
	{"ctas", "of 1,024 threads", "1 / 15 / 80"},
	{0},
};
const struct workload workload_bandwidth = {
	.name = "bandwidth",
	.summary = "all CTAs read the same words again and again",
	.suite = "own",
	.grid = "ctas x 1024",
	.access = "every CTA reads the same words, round after round",
	.pattern = "friendly",
	.sharing = "high",
	.launches = "1",
	.sizes = "1x32 KB / 15x64 KB / 80x1 MB a round",
	.options = options,
	.run = run,
};
