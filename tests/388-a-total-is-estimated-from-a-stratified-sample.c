/* 388: estimates from a stratified sample, as worked out by hand; Student's quantiles as they are in closed form and in
 * tables; and how often the interval has the true total, over many samples of one population. */
#include <criterion/criterion.h>
#include <math.h>

#include "sample/estimate.h"
#include "sample/options.h"
#include "sample/student.h"
#include "support/random.h"

#define EXPECT(a, b)                                                                                                               \
	cr_expect(fabs((double)(a) - (double)(b)) <= 1e-9 * fabs((double)(b)) + 1e-12, "%.12g, not %.12g", (double)(a), (double)(b))

/* One degree of freedom: t = tan(pi c / 2). Two: t = c sqrt(2 / (1 - c^2)). */
Test(student, with_one_or_two_degrees_of_freedom_has_a_closed_form)
{
	static const double c[] = {0.5, 0.8, 0.9, 0.95, 0.99, 0.999};

	for (unsigned i = 0; i < sizeof c / sizeof *c; i++) {
		EXPECT(student_two_sided(1, c[i]), tan(M_PI * c[i] / 2));
		EXPECT(student_two_sided(2, c[i]), c[i] * sqrt(2 / (1 - c[i] * c[i])));
	}
}

/* Fisher, Yates: Statistical Tables, table III; the last row is the normal distribution's. */
Test(student, is_that_of_the_tables)
{
	static const struct {
		double df, p90, p95, p99;
	} row[] = {{3, 2.353, 3.182, 5.841},  {4, 2.132, 2.776, 4.604},	  {5, 2.015, 2.571, 4.032},  {10, 1.812, 2.228, 3.169},
		   {30, 1.697, 2.042, 2.750}, {120, 1.658, 1.980, 2.617}, {1e9, 1.645, 1.960, 2.576}};

	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		cr_expect_float_eq(student_two_sided(row[i].df, 0.90), row[i].p90, 6e-4, "%g", row[i].df);
		cr_expect_float_eq(student_two_sided(row[i].df, 0.95), row[i].p95, 6e-4, "%g", row[i].df);
		cr_expect_float_eq(student_two_sided(row[i].df, 0.99), row[i].p99, 6e-4, "%g", row[i].df);
	}
}

/* Of 10 units 1, 3, 5, 7 were measured: mean 4, total 40; squares 9 + 1 + 1 + 9 = 20, s^2 = 20/3, variance
 *     10 (10 - 4) / 4 * 20/3 = 100.
 * Of 6 units 10, 20, 30: total 120, s^2 = 100, variance 6 (6 - 3) / 3 * 100 = 600. Of 2 units both: 8, variance 0. In
 * all 168, variance 700, degrees of freedom 700^2 / (100^2 / 3 + 600^2 / 2) = 2.672727... */
Test(estimate, of_strata_adds_their_totals_and_variances)
{
	static const struct estimate_stratum s[] = {{10, 0, 4, 10}, {6, 4, 3, 6}, {2, 7, 2, 2}};
	static const double y[] = {1, 3, 5, 7, 10, 20, 30, 3, 5}, x[] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
	double residual[9];
	struct estimate e = estimate_of(s, 3, residual, estimate_total(s, 3, y, x, residual), 0.95);

	EXPECT(e.value, 168);
	EXPECT(e.df, 490000 / (10000 / 3.0 + 180000));
	EXPECT(e.half, student_two_sided(e.df, 0.95) * sqrt(700));
	cr_expect(e.half > 3.182 * sqrt(700) && e.half < 4.303 * sqrt(700), "between 3 and 2 degrees of freedom");
	EXPECT(estimate_deviation(&s[0], residual), sqrt(20 / 3.0));
	EXPECT(estimate_deviation(&s[1], residual), 10);
}

/* Sizes 10, 20, 30 of 4 units with 100 in all; y is 21, 38, 61: 120 / 60 of the size, total 200; residuals 1, -2, 1,
 * s^2 = 3, variance 4 (4 - 3) / 3 * 3 = 4, two degrees of freedom. */
Test(estimate, goes_by_the_units_sizes)
{
	static const struct estimate_stratum s = {4, 0, 3, 100};
	static const double y[] = {21, 38, 61}, x[] = {10, 20, 30};
	double residual[3];
	struct estimate e = estimate_of(&s, 1, residual, estimate_total(&s, 1, y, x, residual), 0.95);

	EXPECT(e.value, 200);
	EXPECT(residual[0], 1);
	EXPECT(residual[1], -2);
	EXPECT(residual[2], 1);
	EXPECT(e.half, 2 * 0.95 * sqrt(2 / (1 - 0.95 * 0.95)));
}

/* Over a total of 100 that is known (it is the size itself) the quotient is 2, with a hundredth of that interval. Over
 * itself any total is 1, exactly. */
Test(estimate, of_a_quotient_is_linearised)
{
	static const struct estimate_stratum s = {4, 0, 3, 100};
	static const double y[] = {21, 38, 61}, x[] = {10, 20, 30};
	double ry[3], rx[3], a = estimate_total(&s, 1, y, x, ry), b = estimate_total(&s, 1, x, x, rx);
	struct estimate e = estimate_of(&s, 1, ry, estimate_quotient(&s, 1, a, b, ry, rx), 0.95);

	EXPECT(e.value, 2);
	EXPECT(e.half, 0.02 * 0.95 * sqrt(2 / (1 - 0.95 * 0.95)));
	a = estimate_total(&s, 1, y, x, ry);
	estimate_total(&s, 1, y, x, rx);
	e = estimate_of(&s, 1, ry, estimate_quotient(&s, 1, a, a, ry, rx), 0.95);
	EXPECT(e.value, 1);
	cr_expect_eq(e.half, 0);
}

/* Units without a size are counted: 5 of them, 2 and 4 measured, mean 3. Of nothing nothing is estimated. */
Test(estimate, of_units_without_size_goes_by_their_number)
{
	static const struct estimate_stratum s = {5, 0, 2, 0}, none = {0, 0, 0, 0};
	static const double y[] = {2, 4}, x[] = {0, 0};
	double residual[2];

	EXPECT(estimate_total(&s, 1, y, x, residual), 15);
	cr_expect_eq(estimate_of(&none, 1, residual, estimate_total(&none, 1, y, x, residual), 0.95).half, 0);
}

enum { UNITS = 60, SAMPLED = 8, DRAWS = 2000 };

static double uniform(uint64_t *random)
{
	return (double)(random_u64(random) >> 11) * 0x1p-53;
}

/* A sum of twelve uniform numbers is near enough to a normal one. 2000 intervals of 95 % miss 100 times, give or take
 * four standard deviations of 9.7; those of 80 % miss 400 times, give or take 4 * 17.9. */
Test(estimate, interval_has_the_true_total_as_often_as_it_says)
{
	const struct estimate_stratum s = {UNITS, 0, SAMPLED, UNITS};
	double all[UNITS], true_total = 0, y[SAMPLED], x[SAMPLED], residual[SAMPLED];
	unsigned missed95 = 0, missed80 = 0;
	uint64_t random = 388;

	for (unsigned i = 0; i < UNITS; i++) {
		all[i] = 100;
		for (unsigned k = 0; k < 12; k++)
			all[i] += uniform(&random);
		true_total += all[i];
	}
	for (unsigned d = 0; d < DRAWS; d++) {
		for (unsigned i = 0; i < SAMPLED; i++) {
			unsigned k = i + (unsigned)(uniform(&random) * (UNITS - i));
			double was = all[i];

			y[i] = all[i] = all[k];
			all[k] = was;
			y[i] = all[i];
			x[i] = 1;
		}
		double value = estimate_total(&s, 1, y, x, residual);

		missed95 += fabs(value - true_total) > estimate_of(&s, 1, residual, value, 0.95).half;
		missed80 += fabs(value - true_total) > estimate_of(&s, 1, residual, value, 0.80).half;
	}
	cr_expect(missed95 > 60 && missed95 < 140, "%u", missed95);
	cr_expect(missed80 > 328 && missed80 < 472, "%u", missed80);
}

Test(options, of_a_sample_have_defaults_and_bounds)
{
	struct sample_options o;
	struct err e = {""};

	cr_assert_eq(sample_options_parse("error=3%", &o, &e), 0, "%s", e.text);
	EXPECT(o.error, 0.03);
	EXPECT(o.confidence, 0.95);
	cr_expect_eq(o.seed, 1);
	cr_expect_str_eq(o.metric, "cycles");
	cr_assert_eq(sample_options_parse("seed=7,metric=l1.hits,confidence=0.9,error=0.5%", &o, &e), 0, "%s", e.text);
	EXPECT(o.error, 0.005);
	EXPECT(o.confidence, 0.9);
	cr_expect_eq(o.seed, 7);
	cr_expect_str_eq(o.metric, "l1.hits");
}
