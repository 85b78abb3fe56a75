/* A chain of dependent loads through a ring of cells, `stride` bytes apart over `footprint` bytes.
 *
 * The time of a step is the latency of a load: a footprint below the L1's size stays there after the first round, one
 * between L1 and L2 misses L1 in every step (a ring longer than an LRU cache hits never), a longer one goes to DRAM.
 * The difference of two runs with different `steps` is free of the launch's own time.
 */
#include "workload/program.h"
#include "workload/random.h"

enum { UNROLL = 16 /* loads in a row in the kernel */ };

struct ring {
	uint64_t base;
	uint32_t footprint, stride, steps, lanes, seed;
	unsigned order;
};

static int read_options(struct host *h, struct ring *r, struct err *e)
{
	static const char *const orders[] = {"stride", "random", NULL};

	if (host_arg_multiple(h, "footprint", 8 << 10, 64 << 10, 4 << 20, 8, 1 << 30, &r->footprint, e) ||
	    host_arg_multiple(h, "stride", 128, 128, 128, 8, 1 << 30, &r->stride, e) ||
	    host_arg_multiple(h, "steps", 4 << 10, 64 << 10, 64 << 10, UNROLL, 64 << 20, &r->steps, e) ||
	    host_arg_u32(h, "lanes", 1, 1, 1, 1, 32, &r->lanes, e) || host_arg_choice(h, "order", orders, &r->order, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &r->seed, e) || host_args_done(h, e))
		return -1;
	if (r->footprint % r->stride)
		return err_set(e, "--arg footprint=%u: must be a multiple of stride=%u", r->footprint, r->stride);
	return 0;
}

/* next[i]: the cell after cell i. One ring through all of them, in order or (Sattolo's shuffle) at random. */
static uint32_t *make_ring(struct host *h, const struct ring *r)
{
	uint32_t n = r->footprint / r->stride, *next = host_scratch(h, n, sizeof *next);
	struct host_random rng = {r->seed};

	for (uint32_t i = 0; i < n; i++)
		next[i] = r->order ? i : (i + 1) % n;
	for (uint32_t i = n; r->order && i-- > 1;) {
		uint32_t j = host_random_below(&rng, i), was = next[i];

		next[i] = next[j];
		next[j] = was;
	}
	return next;
}

static int run(struct host *h, struct err *e)
{
	uint32_t *next, *want, n, at = 0;
	struct ring r;
	uint64_t last, *cell;

	if (read_options(h, &r, e))
		return -1;
	host_describe(h, "chase %u steps, %u bytes by %u", r.steps, r.footprint, r.stride);
	r.base = host_alloc(h, "ring", r.footprint, e);
	last = r.base ? host_alloc(h, "last", 32 * sizeof(uint64_t), e) : 0;
	if (!last)
		return -1;
	next = make_ring(h, &r);
	cell = host_bytes(h, r.base, r.footprint);
	n = r.footprint / r.stride;
	for (uint32_t i = 0; i < n; i++)
		cell[(uint64_t)i * (r.stride / 8)] = r.base + (uint64_t)next[i] * r.stride;
	if (host_launch(h, "chase", (struct host_dim){1, 1, 1}, (struct host_dim){r.lanes, 1, 1}, 0, 3,
			(struct host_arg[]){host_u64(r.base), host_u64(last), host_u32(r.steps)}, e))
		return -1;

	for (uint32_t i = 0; i < r.steps; i++)
		at = next[at];
	want = host_scratch(h, 2 * r.lanes, sizeof *want);
	for (uint32_t i = 0; i < r.lanes; i++) {
		uint64_t address = r.base + (uint64_t)at * r.stride;

		want[2 * i] = (uint32_t)address;
		want[2 * i + 1] = (uint32_t)(address >> 32);
	}
	return host_check_u32(h, "last cell's address, half", last, want, UINT64_C(2) * r.lanes, e);
}

static const struct workload_option options[] = {
	{"footprint", "bytes of the ring, a multiple of stride", "8K / 64K / 4M"},
	{"stride", "bytes from cell to cell, a multiple of 8", "128"},
	{"steps", "loads, a multiple of 16", "4K / 64K / 64K"},
	{"lanes", "threads of the one warp, all on the same chain", "1"},
	{"order", "stride, or random: one random ring", "stride"},
	{"seed", "of the random ring", "1"},
	{0},
};
const struct workload workload_chase = {
	.name = "chase",
	.summary = "chain of dependent loads",
	.suite = "own",
	.grid = "1 x 1",
	.access = "dependent loads around a ring",
	.pattern = "latency",
	.sharing = "none",
	.launches = "1",
	.sizes = "8 KB / 64 KB / 4 MB ring",
	.options = options,
	.run = run,
};
