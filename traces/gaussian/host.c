/* Elimination of A x = b: A becomes U, m holds L below its diagonal, b the inverse of L times b. */
#include "workload/exact_lu.h"
#include "workload/program.h"

struct system {
	uint32_t n;
	uint64_t a, b, m;
};

static int eliminate(struct host *h, const struct system *s, struct err *e)
{
	for (uint32_t k = 0; k + 1 < s->n; k++) {
		uint32_t below = s->n - k - 1;

		if (host_launch(h, "gaussian_multipliers", (struct host_dim){host_blocks(below, 512), 1, 1},
				(struct host_dim){512, 1, 1}, 0, 4,
				(struct host_arg[]){host_u64(s->a), host_u64(s->m), host_u32(s->n), host_u32(k)}, e) ||
		    host_launch(h, "gaussian_update", (struct host_dim){host_blocks(below + 1, 4), host_blocks(below, 4), 1},
				(struct host_dim){4, 4, 1}, 0, 5,
				(struct host_arg[]){host_u64(s->a), host_u64(s->b), host_u64(s->m), host_u32(s->n), host_u32(k)},
				e))
			return -1;
	}
	return 0;
}

/* L times the wanted b: sums of n numbers below 8 with weights 0 and 1 are whole and exact. */
static void fill_b(const float *lu, uint32_t n, uint64_t seed, float *want, float *b)
{
	struct host_random r = {seed};

	for (uint64_t i = 0; i < n; i++) {
		want[i] = (float)host_random_below(&r, 8);
		b[i] = want[i];
		for (uint64_t j = 0; j < i; j++)
			b[i] += lu[i * n + j] * want[j];
	}
}

static int run(struct host *h, struct err *e)
{
	float *va, *vb, *lu, *want_b;
	struct system s;
	uint64_t words;
	uint32_t seed;

	if (host_arg_u32(h, "n", 48, 160, 208, 1, 2048, &s.n, e) || host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) ||
	    host_args_done(h, e))
		return -1;
	host_describe(h, "gaussian %ux%u", s.n, s.n);
	words = (uint64_t)s.n * s.n;
	if (!(va = host_alloc_f32(h, "a", words, &s.a, e)) || !(vb = host_alloc_f32(h, "b", s.n, &s.b, e)) ||
	    !host_alloc_f32(h, "m", words, &s.m, e))
		return -1;
	lu = host_scratch(h, words, sizeof *lu);
	want_b = host_scratch(h, s.n, sizeof *want_b);
	exact_lu(h, s.n, seed, lu, va);
	fill_b(lu, s.n, ~(uint64_t)seed, want_b, vb);
	if (eliminate(h, &s, e))
		return -1;
	/* Below its diagonal A must have become 0; m holds what was there. */
	for (uint64_t i = 0; i < words; i++)
		if (i % s.n < i / s.n)
			lu[i] = 0;
	if (host_check_f32(h, "a", s.a, lu, words, 0, e))
		return -1;
	return host_check_f32(h, "b", s.b, want_b, s.n, 0, e);
}

static const struct workload_option options[] = {
	{"n", "equations", "48 / 160 / 208"},
	{"seed", "of the system", "1"},
	{0},
};
const struct workload workload_gaussian = {
	.name = "gaussian",
	.summary = "elimination column by column",
	.suite = "Rodinia",
	.original = "Rodinia gaussian",
	.grid = "n/512 x 512, (n/4)^2 x (4,4) for each column",
	.access = "column at the pitch of the matrix, tiny blocks",
	.pattern = "conflict",
	.sharing = "high",
	.launches = "94 / 318 / 414",
	.sizes = "48 / 160 / 208 square",
	.options = options,
	.run = run,
};
