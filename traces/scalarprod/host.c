/* The scalar products of `pairs` pairs of vectors of n floats, by 128 CTAs of 256 threads. */
#include "workload/ldesc_api.h"
#include "workload/random.h"

enum { CTAS = 128 };

/* CTA i has pairs i, i + CTAS and so on: columns of a matrix whose rows are that many pairs. */
static int describe(struct host *h, uint64_t a, uint64_t b, uint64_t product, uint32_t pairs, uint32_t n, struct err *e)
{
	const struct ldesc_matrix vectors = {4, (uint64_t)CTAS * n, (uint64_t)CTAS * n, host_blocks(pairs, CTAS)},
				  products = {4, CTAS, CTAS, host_blocks(pairs, CTAS)};
	const struct ldesc own = ldesc_columns(&vectors, n);

	return ldesc_describe_all(h, "scalarprod", 3,
				  (struct ldesc_given[]){{a, own}, {b, own}, {product, ldesc_columns(&products, 1)}}, e);
}

static int run(struct host *h, struct err *e)
{
	uint32_t pairs, n, seed;
	float *va, *vb, *want;
	uint64_t a, b, product, words;

	if (host_arg_u32(h, "pairs", 32, 256, 256, 1, 65536, &pairs, e) ||
	    host_arg_u32(h, "n", 2048, 4096, 4096, 1, 1 << 20, &n, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) || host_args_done(h, e))
		return -1;
	host_describe(h, "scalarprod %u pairs of %u", pairs, n);
	words = (uint64_t)pairs * n;
	if (!(va = host_alloc_f32(h, "a", words, &a, e)) || !(vb = host_alloc_f32(h, "b", words, &b, e)) ||
	    !host_alloc_f32(h, "product", pairs, &product, e))
		return -1;
	host_random_fill_f32(va, words, seed);
	host_random_fill_f32(vb, words, seed + UINT64_C(1));
	if (describe(h, a, b, product, pairs, n, e) ||
	    host_launch(h, "scalarprod", (struct host_dim){CTAS, 1, 1}, (struct host_dim){256, 1, 1}, 0, 5,
			(struct host_arg[]){host_u64(a), host_u64(b), host_u64(product), host_u32(pairs), host_u32(n)}, e))
		return -1;

	want = host_scratch(h, pairs, sizeof *want);
	for (uint32_t p = 0; p < pairs; p++) {
		double sum = 0;

		for (uint64_t i = (uint64_t)p * n; i < (uint64_t)(p + 1) * n; i++)
			sum += (double)va[i] * vb[i];
		want[p] = (float)sum;
	}
	return host_check_f32(h, "product", product, want, pairs, host_sum_tolerance(n), e);
}

static const struct workload_option options[] = {
	{"pairs", "of vectors", "32 / 256 / 256"},
	{"n", "floats of a vector", "2K / 4K / 4K"},
	{"seed", "of the vectors", "1"},
	{0},
};
const struct workload workload_scalarprod = {
	.name = "scalarprod",
	.summary = "scalar products of pairs of vectors",
	.suite = "CUDA samples",
	.original = "CUDA samples, scalarProd",
	.grid = "128 x 256, 4 KB shared",
	.access = "coalesced streams, tree in shared memory",
	.pattern = "streaming",
	.sharing = "none",
	.launches = "1",
	.sizes = "pairs x n 32x2 K / 256x4 K / 256x4 K",
	.options = options,
	.run = run,
};
