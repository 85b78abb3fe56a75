/* One array of doubles read, or one read and another written, an element a thread. */
#include "workload/program.h"

static int run(struct host *h, struct err *e)
{
	static const char *const kernels[] = {"read", "scale", NULL};
	uint32_t n, block, shared;
	uint64_t from, to;
	double *b, *want;
	unsigned kernel;

	if (host_arg_choice(h, "kernel", kernels, &kernel, e) ||
	    host_arg_u32(h, "n", 16 << 10, 1 << 20, 16 << 20, 1, 1 << 28, &n, e) ||
	    host_arg_multiple(h, "block", 256, 256, 256, 32, 1024, &block, e) ||
	    host_arg_u32(h, "shared", 0, 0, 0, 0, 256 << 10, &shared, e) || host_args_done(h, e))
		return -1;
	host_describe(h, "stream %s %u doubles", kernels[kernel], n);
	if (!(from = host_alloc(h, "b", UINT64_C(8) * n, e)) || !(to = host_alloc(h, "a", UINT64_C(8) * n, e)))
		return -1;
	b = host_bytes(h, from, UINT64_C(8) * n);
	want = host_scratch(h, n, sizeof *want);
	for (uint32_t i = 0; i < n; i++) {
		b[i] = i % 4096;
		want[i] = kernel ? 3 * b[i] : 0;
	}
	if (host_launch(h, kernel ? "stream_scale" : "stream_read", (struct host_dim){host_blocks(n, block), 1, 1},
			(struct host_dim){block, 1, 1}, shared, 4,
			(struct host_arg[]){host_u64(from), host_u64(to), host_u32(n), host_f64(kernel ? 3 : -1)}, e))
		return -1;
	return host_check_f64(h, "a", to, want, n, 0, e);
}

static const struct workload_option options[] = {
	{"kernel", "read: of the array; scale: a[i] = 3 b[i]", "read"},
	{"n", "doubles", "16K / 1M / 16M"},
	{"block", "threads of a CTA, a multiple of 32", "256"},
	{"shared", "bytes that a CTA asks for and does not use", "0"},
	{0},
};
const struct workload workload_stream = {
	.name = "stream",
	.summary = "one or two streams of doubles",
	.suite = "own",
	.grid = "n/256 x 256, shared memory that keeps others out",
	.access = "one or two coalesced streams of doubles",
	.pattern = "streaming",
	.sharing = "none",
	.launches = "1",
	.sizes = "16 K / 1 M / 16 M doubles",
	.options = options,
	.run = run,
};
