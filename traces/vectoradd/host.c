/* c = a + b over n floats, 256 threads a CTA. The reference is the same IEEE addition, so results are compared
 * exactly. */
#include "workload/ldesc_api.h"
#include "workload/random.h"
#include "workload/taf_api.h"

enum { THREADS = 256 };

/* Each thread touches its own element of all three. */
static int annotate(struct host *h, uint64_t a, uint64_t b, uint64_t c, uint32_t n, struct err *e)
{
	struct taf_tid own = {.m = {1, 0, 0, THREADS, 0, 0}};

	return taf_paramSetup(h, (struct host_dim){THREADS, 1, 1}, (struct host_dim){host_blocks(n, THREADS), 1, 1}, e) ||
	       taf_register_tid_dep(h, a, n, 4, own, false, e) || taf_register_tid_dep(h, b, n, 4, own, false, e) ||
	       taf_register_tid_dep(h, c, n, 4, own, false, e) || taf_setRdy(h, a, e) || taf_setRdy(h, b, e) || taf_setRdy(h, c, e);
}

static int describe(struct host *h, uint64_t a, uint64_t b, uint64_t c, uint32_t n, struct err *e)
{
	const struct ldesc own = ldesc_line(4, n, THREADS);

	return ldesc_describe_all(h, "vectoradd", 3, (struct ldesc_given[]){{a, own}, {b, own}, {c, own}}, e);
}

static int run(struct host *h, struct err *e)
{
	uint64_t a, b, c;
	float *va, *vb, *want;
	uint32_t n, seed;

	if (host_arg_u32(h, "n", 16 << 10, 1 << 20, 16 << 20, 1, 256 << 20, &n, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) || host_args_done(h, e))
		return -1;
	host_describe(h, "vectoradd %u", n);
	if (!(va = host_alloc_f32(h, "a", n, &a, e)) || !(vb = host_alloc_f32(h, "b", n, &b, e)) ||
	    !host_alloc_f32(h, "c", n, &c, e) || annotate(h, a, b, c, n, e))
		return -1;
	host_random_fill_f32(va, n, seed);
	host_random_fill_f32(vb, n, seed + UINT64_C(1));
	host_store_array(h, a, 4, n, va);
	host_store_array(h, b, 4, n, vb);
	if (describe(h, a, b, c, n, e) ||
	    host_launch(h, "vectoradd", (struct host_dim){host_blocks(n, THREADS), 1, 1}, (struct host_dim){THREADS, 1, 1}, 0, 4,
			(struct host_arg[]){host_u64(a), host_u64(b), host_u64(c), host_u32(n)}, e))
		return -1;

	want = host_scratch(h, n, sizeof *want);
	for (uint32_t i = 0; i < n; i++)
		want[i] = va[i] + vb[i];
	return host_check_f32(h, "c", c, want, n, 0, e);
}

static const struct workload_option options[] = {
	{"n", "floats", "16K / 1M / 16M"},
	{"seed", "of a and b", "1"},
	{0},
};
const struct workload workload_vectoradd = {
	.name = "vectoradd",
	.summary = "c = a + b",
	.suite = "CUDA samples",
	.original = "CUDA samples, vectorAdd",
	.grid = "n/256 x 256",
	.access = "three coalesced streams, no reuse",
	.pattern = "streaming",
	.sharing = "none",
	.launches = "1",
	.sizes = "16 K / 1 M / 16 M floats",
	.options = options,
	.run = run,
};
