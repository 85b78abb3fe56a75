/* The sum of n floats: a launch turns each 256 values into one, until one is left. */
#include "workload/ldesc_api.h"
#include "workload/random.h"

enum { BLOCK = 256 };

static int run(struct host *h, struct err *e)
{
	uint64_t buffer[2];
	uint32_t n, seed, left;
	unsigned from = 0, levels = 0;
	double sum = 0;
	float *v, want;

	if (host_arg_u32(h, "n", 64 << 10, 1 << 20, 16 << 20, 1, 256 << 20, &n, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) || host_args_done(h, e))
		return -1;
	host_describe(h, "reduction %u", n);
	if (!(v = host_alloc_f32(h, "values", n, &buffer[0], e)) ||
	    !host_alloc_f32(h, "partial", host_blocks(n, BLOCK), &buffer[1], e))
		return -1;
	host_random_fill_f32(v, n, seed);
	for (uint32_t i = 0; i < n; i++)
		sum += v[i];
	want = (float)sum;

	/* To and fro between the two buffers; the values are overwritten from the second launch on. */
	left = n;
	do {
		if (ldesc_describe_all(h, "reduction", 2,
				       (struct ldesc_given[]){{buffer[from], ldesc_line(4, left, BLOCK)},
							      {buffer[!from], ldesc_line(4, host_blocks(left, BLOCK), 1)}},
				       e) ||
		    host_launch(h, "reduction", (struct host_dim){host_blocks(left, BLOCK), 1, 1}, (struct host_dim){BLOCK, 1, 1},
				0, 3, (struct host_arg[]){host_u64(buffer[from]), host_u64(buffer[!from]), host_u32(left)}, e))
			return -1;
		left = host_blocks(left, BLOCK);
		from = !from;
		levels++;
	} while (left > 1);
	/* A value passes through eight additions a launch. */
	return host_check_f32(h, "sum", buffer[from], &want, 1, host_sum_tolerance(8 * levels), e);
}

static const struct workload_option options[] = {
	{"n", "floats", "64K / 1M / 16M"},
	{"seed", "of the values", "1"},
	{0},
};
const struct workload workload_reduction = {
	.name = "reduction",
	.summary = "sum of floats by a divergent tree",
	.suite = "CUDA samples",
	.original = "CUDA samples, reduction (its first version)",
	.grid = "n/256 x 256 until one value is left, 1 KB shared",
	.access = "stream, then a tree that thins out the lanes",
	.pattern = "streaming",
	.sharing = "none",
	.launches = "2 / 3 / 3",
	.sizes = "64 K / 1 M / 16 M floats",
	.options = options,
	.run = run,
};
