/* The Walsh-Hadamard transform of n = 2^k values, in place.
 *
 * The values are whole numbers below 8, so that no sum exceeds 2^24 and every result is exact. The reference is the
 * definition where it can be afforded, spot by spot: element w is the sum of v[i] * (-1)^popcount(i & w).
 */
#include "workload/program.h"
#include "workload/random.h"

#include <string.h>

enum { PIECE = 1024 /* floats that a CTA transforms in shared memory */, THREADS = 256 };

/* By halves, which is another order of additions than the device's. */
static void transform(float *v, uint32_t n)
{
	for (uint32_t half = 1; half < n; half *= 2)
		for (uint32_t at = 0; at < n; at += 2 * half)
			for (uint32_t i = at; i < at + half; i++) {
				float a = v[i], b = v[i + half];

				v[i] = a + b;
				v[i + half] = a - b;
			}
}

/* The definition, for one element: checks the reference itself. */
static float by_definition(const float *v, uint32_t n, uint32_t w)
{
	double sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += __builtin_parity(i & w) ? -v[i] : v[i];
	return (float)sum;
}

static int launch_all(struct host *h, uint64_t data, uint32_t n, struct err *e)
{
	const struct host_dim threads = {THREADS, 1, 1};
	uint32_t left = n, piece;

	for (; left > PIECE; left /= 4)
		if (host_launch(h, "fwt_global", (struct host_dim){n / (4 * THREADS), 1, 1}, threads, 0, 2,
				(struct host_arg[]){host_u64(data), host_u32(left / 4)}, e))
			return -1;
	piece = left;
	return host_launch(h, "fwt_shared", (struct host_dim){n / piece, 1, 1}, threads, 4 * piece, 2,
			   (struct host_arg[]){host_u64(data), host_u32(piece)}, e);
}

static int run(struct host *h, struct err *e)
{
	uint32_t log2n, seed, n;
	struct host_random r;
	float *v, *want, *before;
	uint64_t data;

	if (host_arg_u32(h, "log2n", 14, 19, 21, 2, 21, &log2n, e) || host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) ||
	    host_args_done(h, e))
		return -1;
	n = 1u << log2n;
	host_describe(h, "fwt %u", n);
	if (!(v = host_alloc_f32(h, "data", n, &data, e)))
		return -1;
	r.state = seed;
	for (uint32_t i = 0; i < n; i++)
		v[i] = (float)host_random_below(&r, 8);
	before = host_scratch(h, n, sizeof *before);
	want = host_scratch(h, n, sizeof *want);
	memcpy(before, v, n * sizeof *v);
	memcpy(want, v, n * sizeof *v);
	transform(want, n);
	for (uint32_t w = 0; w < n; w += n / 4 + 1)
		want[w] = by_definition(before, n, w);
	if (launch_all(h, data, n, e))
		return -1;
	return host_check_f32(h, "data", data, want, n, 0, e);
}

static const struct workload_option options[] = {
	{"log2n", "log2 of the number of values", "14 / 19 / 21"},
	{"seed", "of the values", "1"},
	{0},
};
const struct workload workload_fwt = {
	.name = "fwt",
	.summary = "fast Walsh transform",
	.suite = "CUDA samples",
	.original = "CUDA samples, fastWalshTransform",
	.grid = "n/1024 x 256 per launch; pieces in dynamic shared memory",
	.access = "butterflies at strides of 2^k",
	.pattern = "streaming",
	.sharing = "none",
	.launches = "3 / 6 / 7",
	.sizes = "2^14 / 2^19 / 2^21 floats",
	.options = options,
	.run = run,
};
