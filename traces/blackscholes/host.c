/* Prices of n European options, 480 CTAs of 128 threads.
 *
 * The reference takes the normal distribution from erfc, in double. The device's polynomial is off by at most 7.5e-8
 * and its approximate exp and log by some 2^-22; prices and strikes are below 100, and results as small as a few cents:
 * the checks add 100 to both, so that the tolerance is relative to the prices that were subtracted.
 */
#include "workload/ldesc_api.h"
#include "workload/random.h"

#include <math.h>

static double normal(double d)
{
	return 0.5 * erfc(-d * sqrt(0.5));
}

static void reference(double s, double x, double t, double rate, double volatility, double *call, double *put)
{
	double spread = volatility * sqrt(t), d1 = (log(s / x) + (rate + 0.5 * volatility * volatility) * t) / spread;
	double discounted = x * exp(-rate * t);

	*call = s * normal(d1) - discounted * normal(d1 - spread);
	*put = discounted * normal(spread - d1) - s * normal(-d1);
}

static int check(struct host *h, const char *what, uint64_t addr, const double *exact, uint32_t n, struct err *e)
{
	float *got = host_bytes(h, addr, UINT64_C(4) * n), *want = host_scratch(h, n, sizeof *want);

	for (uint32_t i = 0; i < n; i++) {
		want[i] = (float)(exact[i] + 100);
		got[i] += 100;
	}
	return host_check_f32(h, what, addr, want, n, 4e-6f, e);
}

enum { CTAS = 480, THREADS = 128, ARRAYS = 5 };

/* All threads together go through the options, CTAS x THREADS at a time: rows of a matrix. */
static int describe(struct host *h, const uint64_t addr[ARRAYS], uint32_t n, struct err *e)
{
	const struct ldesc_matrix m = {4, CTAS * THREADS, CTAS * THREADS, host_blocks(n, CTAS * THREADS)};
	struct ldesc_given given[ARRAYS];

	for (unsigned a = 0; a < ARRAYS; a++)
		given[a] = (struct ldesc_given){addr[a], ldesc_columns(&m, THREADS)};
	return ldesc_describe_all(h, "blackscholes", ARRAYS, given, e);
}

static int run(struct host *h, struct err *e)
{
	static const char *const names[] = {"price", "strike", "years", "call", "put"};
	const float rate = 0.02f, volatility = 0.3f;
	const float low[3] = {5, 1, 0.25f}, span[3] = {25, 99, 9.75f};
	struct host_random r;
	uint64_t addr[5];
	uint32_t n, seed;
	double *exact[2];
	float *v[5];

	if (host_arg_u32(h, "n", 16 << 10, 400000, 4000000, 1, 64 << 20, &n, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) || host_args_done(h, e))
		return -1;
	host_describe(h, "blackscholes %u options", n);
	r.state = seed;
	for (unsigned a = 0; a < 5; a++) {
		if (!(v[a] = host_alloc_f32(h, names[a], n, &addr[a], e)))
			return -1;
		for (uint32_t i = 0; a < 3 && i < n; i++)
			v[a][i] = low[a] + span[a] * host_random_f32(&r);
	}
	for (unsigned i = 0; i < 2; i++)
		exact[i] = host_scratch(h, n, sizeof(double));
	for (uint32_t i = 0; i < n; i++)
		reference(v[0][i], v[1][i], v[2][i], rate, volatility, &exact[0][i], &exact[1][i]);
	if (describe(h, addr, n, e) ||
	    host_launch(h, "blackscholes", (struct host_dim){CTAS, 1, 1}, (struct host_dim){THREADS, 1, 1}, 0, 8,
			(struct host_arg[]){host_u64(addr[0]), host_u64(addr[1]), host_u64(addr[2]), host_u64(addr[3]),
					    host_u64(addr[4]), host_f32(rate), host_f32(volatility), host_u32(n)},
			e))
		return -1;
	return check(h, "call + 100", addr[3], exact[0], n, e) || check(h, "put + 100", addr[4], exact[1], n, e) ? -1 : 0;
}

static const struct workload_option options[] = {
	{"n", "options", "16K / 400000 / 4000000"},
	{"seed", "of prices, strikes and times", "1"},
	{0},
};
const struct workload workload_blackscholes = {
	.name = "blackscholes",
	.summary = "prices of European options",
	.suite = "CUDA samples",
	.original = "CUDA samples, BlackScholes",
	.grid = "480 x 128",
	.access = "grid-stride stream, 3 in, 2 out, special functions",
	.differences = "Computes the price of a put by its own formula instead of by put-call parity.",
	.pattern = "streaming",
	.sharing = "none",
	.launches = "1",
	.sizes = "16 K / 400,000 / 4,000,000 options",
	.options = options,
	.run = run,
};
