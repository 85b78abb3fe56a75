/* Prices of swaptions along random paths of forward rates, and their derivatives by the rates of today; a thread a
 * path, two launches. The reference has the derivatives from the front: it carries along how each rate depends on each
 * rate of today. */
#include "workload/ldesc_api.h"
#include "workload/random.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 64, RATES = 80, DATES = 40, LATER = RATES - DATES, OPTIONS = 15 };

static const double period = 0.25;

struct market {
	uint32_t paths;
	uint64_t z, rates, price, greek;
	float *v_z, *v_rates, *volatility, *swap_rate;
	uint32_t *maturity;
};

static int allocate(struct host *h, struct market *m, struct err *e)
{
	uint64_t paths = m->paths;

	if (!(m->volatility = host_variable(h, "libor_volatility", RATES * sizeof *m->volatility, e)) ||
	    !(m->swap_rate = host_variable(h, "libor_swap_rate", OPTIONS * sizeof *m->swap_rate, e)) ||
	    !(m->maturity = host_variable(h, "libor_maturity", OPTIONS * sizeof *m->maturity, e)) ||
	    !(m->v_z = host_alloc_f32(h, "z", DATES * paths, &m->z, e)) ||
	    !(m->v_rates = host_alloc_f32(h, "rates", RATES, &m->rates, e)) || !host_alloc_f32(h, "price", paths, &m->price, e) ||
	    !host_alloc_f32(h, "greek", RATES * paths, &m->greek, e))
		return -1;
	return 0;
}

/* Numbers z of mean 0 and variance 1: twelve even ones, less six. */
static void fill(struct market *m, uint32_t seed)
{
	struct host_random r = {seed};

	for (uint64_t i = 0; i < (uint64_t)DATES * m->paths; i++) {
		m->v_z[i] = -6;
		for (unsigned k = 0; k < 12; k++)
			m->v_z[i] += host_random_f32(&r);
	}
	for (unsigned i = 0; i < RATES; i++) {
		m->v_rates[i] = 0.045f + 0.01f * host_random_f32(&r);
		m->volatility[i] = 0.15f + 0.1f * host_random_f32(&r);
	}
	for (unsigned k = 0; k < OPTIONS; k++) {
		m->maturity[k] = 8 * (1 + k / 3);
		m->swap_rate[k] = 0.045f + 0.005f * (float)(k % 3);
	}
}

/* A number that depends on the rates of today: its value, and its derivative by each of them. */
struct number {
	double value, by[RATES];
};

/* to += a * from */
static void add_by(double *to, double a, const double *from)
{
	for (unsigned k = 0; k < RATES; k++)
		to[k] += a * from[k];
}

static void move(const struct market *m, struct number *rate, unsigned n, double z)
{
	struct number drift = {.value = 0};

	for (unsigned i = n + 1; i < RATES; i++) {
		double volatility = (double)m->volatility[i - n - 1], c = period * volatility,
		       per = 1 / (1 + period * rate[i].value);
		double factor, next;

		drift.value += c * rate[i].value * per;
		add_by(drift.by, c * per * per, rate[i].by);
		factor = exp(c * drift.value + volatility * (sqrt(period) * z - 0.5 * c));
		next = rate[i].value * factor;
		for (unsigned k = 0; k < RATES; k++)
			rate[i].by[k] = factor * rate[i].by[k] + next * c * drift.by[k];
		rate[i].value = next;
	}
}

/* number / (1 + period * rate) */
static void discount(struct number *b, const struct number *rate)
{
	double per = 1 / (1 + period * rate->value);

	b->value *= per;
	for (unsigned k = 0; k < RATES; k++)
		b->by[k] = per * b->by[k] - b->value * period * per * rate->by[k];
}

/* false: a swaption is so near to being worth nothing that rounding decides. */
static bool reference(const struct market *m, struct number *rate, uint32_t path, struct number *price)
{
	struct number bond = {.value = 1}, annuity = {.value = 0};
	bool clear = true;

	memset(rate, 0, RATES * sizeof *rate);
	*price = bond;
	price->value = 0;
	for (unsigned i = 0; i < RATES; i++) {
		rate[i].value = (double)m->v_rates[i];
		rate[i].by[i] = 1;
	}
	for (unsigned n = 0; n < DATES; n++)
		move(m, rate, n, (double)m->v_z[(uint64_t)n * m->paths + path]);
	for (unsigned i = 0; i < LATER; i++) {
		discount(&bond, &rate[DATES + i]);
		annuity.value += period * bond.value;
		add_by(annuity.by, period, bond.by);
		for (unsigned k = 0; k < OPTIONS; k++) {
			double swap_rate = (double)m->swap_rate[k], gain = 1 - bond.value - swap_rate * annuity.value;

			if (m->maturity[k] != i + 1)
				continue;
			clear = clear && fabs(gain) > 1e-4;
			if (gain <= 0)
				continue;
			price->value += gain;
			add_by(price->by, -1, bond.by);
			add_by(price->by, -swap_rate, annuity.by);
		}
	}
	for (unsigned n = 0; n < DATES; n++)
		discount(price, &rate[n]);
	return clear;
}

/* Both are compared with 10 added, since they may be near to nothing; neither is above 10. A rate goes through 40
 * products with e^x, each right to some 2^-21: 2e-5 if all erred the same way, 1e-6 as measured. */
static int check(struct host *h, const struct market *m, struct err *e)
{
	struct number *rate = host_scratch(h, RATES, sizeof *rate), *price = host_scratch(h, 1, sizeof *price);
	float *want_price = host_scratch(h, m->paths, sizeof *want_price);
	float *want_greek = host_scratch(h, (uint64_t)RATES * m->paths, sizeof *want_greek);
	float *got_price = host_bytes(h, m->price, m->paths * sizeof *got_price);
	float *got_greek = host_bytes(h, m->greek, (uint64_t)RATES * m->paths * sizeof *got_greek);

	for (uint32_t p = 0; p < m->paths; p++) {
		bool clear = reference(m, rate, p, price);

		want_price[p] = (float)(price->value + 10);
		got_price[p] += 10;
		for (uint64_t i = 0; i < RATES; i++) {
			float *got = &got_greek[i * m->paths + p];

			*got += 10;
			want_greek[i * m->paths + p] = clear ? (float)(price->by[i] + 10) : *got;
		}
	}
	if (host_check_f32(h, "price + 10", m->price, want_price, m->paths, 2e-5f, e))
		return -1;
	return host_check_f32(h, "greek + 10", m->greek, want_greek, (uint64_t)RATES * m->paths, 2e-5f, e);
}

/* The working set of a thread lies in local memory, which is no buffer, but for its column of random numbers: both
 * kernels go through it. */
static int describe(struct host *h, const struct market *m, struct err *e)
{
	uint64_t threads = (uint64_t)BLOCK * host_blocks(m->paths, BLOCK);
	const struct ldesc_matrix z = {4, m->paths, m->paths, DATES};
	struct ldesc_given given = {m->z, ldesc_intra(ldesc_columns(&z, BLOCK))};

	if (threads == m->paths) {
		given.l.c_unit = LDESC_THREADS;
		given.l.d_tile[0] = 1;
	}
	return ldesc_describe_all(h, "libor_price", 1, &given, e) || ldesc_describe_all(h, "libor_greeks", 1, &given, e) ? -1 : 0;
}

static int run(struct host *h, struct err *e)
{
	const struct host_dim block = {BLOCK, 1, 1};
	struct host_dim grid = {1, 1, 1};
	struct market m;
	uint32_t seed;

	if (host_arg_u32(h, "paths", 32, 1024, 4096, 1, 1 << 20, &m.paths, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) || host_args_done(h, e))
		return -1;
	host_describe(h, "libor %u paths", m.paths);
	if (allocate(h, &m, e))
		return -1;
	fill(&m, seed);
	grid.x = host_blocks(m.paths, BLOCK);
	if (describe(h, &m, e) ||
	    host_launch(h, "libor_price", grid, block, 0, 4,
			(struct host_arg[]){host_u64(m.z), host_u64(m.rates), host_u64(m.price), host_u32(m.paths)}, e) ||
	    host_launch(h, "libor_greeks", grid, block, 0, 4,
			(struct host_arg[]){host_u64(m.z), host_u64(m.rates), host_u64(m.greek), host_u32(m.paths)}, e))
		return -1;
	return check(h, &m, e);
}

static const struct workload_option options[] = {
	{"paths", "a thread each", "32 / 1024 / 4096"},
	{"seed", "of rates, volatilities and paths", "1"},
	{0},
};
const struct workload workload_libor = {
	.name = "libor",
	.summary = "prices along paths of rates, and back",
	.suite = "ISPASS-2009",
	.original = "ISPASS-2009 LIB",
	.grid = "paths/64 x 64, twice",
	.access = "rates in local memory, 0.6 and 13.5 KB per thread, walked there and back",
	.differences = "Draws a random number for each path and date, and random rates and volatilities; returns the derivative "
		       "by each rate.",
	.pattern = "thrashing",
	.sharing = "none",
	.launches = "2",
	.sizes = "32 / 1,024 / 4,096 paths",
	.options = options,
	.run = run,
};
