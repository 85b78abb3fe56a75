#include "sample/estimate.h"

#include <math.h>

#include "base/panic.h"
#include "sample/student.h"

static double sum(const double *v, uint32_t n)
{
	double all = 0;

	for (uint32_t i = 0; i < n; i++)
		all += v[i];
	return all;
}

static double total_of(const struct estimate_stratum *s, const double *y, const double *x, double *residual)
{
	double sy = sum(y, s->n), sx = sum(x, s->n), ratio = sx > 0 ? sy / sx : 0, mean = sx > 0 || !s->n ? 0 : sy / s->n;

	for (uint32_t i = 0; i < s->n; i++)
		residual[i] = y[i] - ratio * x[i] - mean;
	return s->n == s->units ? sy : ratio * s->size + mean * s->units;
}

double estimate_total(const struct estimate_stratum *s, uint32_t strata, const double *y, const double *x, double *residual)
{
	double all = 0;

	for (uint32_t h = 0; h < strata; h++)
		all += total_of(&s[h], y + s[h].first, x + s[h].first, residual + s[h].first);
	return all;
}

double estimate_deviation(const struct estimate_stratum *s, const double *residual)
{
	double squares = 0;

	PANIC_UNLESS(s->n >= 2, "estimate", 0);
	for (uint32_t i = 0; i < s->n; i++)
		squares += residual[s->first + i] * residual[s->first + i];
	return sqrt(squares / (s->n - 1));
}

struct estimate estimate_of(const struct estimate_stratum *s, uint32_t strata, const double *residual, double value,
			    double confidence)
{
	struct estimate e = {.value = value};
	double variance = 0, by_df = 0;

	for (uint32_t h = 0; h < strata; h++) {
		double n = s[h].n, all = s[h].units, sd, v;

		if (s[h].n == s[h].units)
			continue;
		sd = estimate_deviation(&s[h], residual);
		v = all * (all - n) / n * sd * sd;
		variance += v;
		by_df += v * v / (n - 1);
	}
	if (by_df > 0) {
		e.df = variance * variance / by_df;
		e.half = student_two_sided(e.df, confidence) * sqrt(variance);
	}
	return e;
}

double estimate_quotient(const struct estimate_stratum *s, uint32_t strata, double a, double b, double *ra, const double *rb)
{
	for (uint32_t h = 0; h < strata; h++)
		for (uint32_t i = s[h].first; i < s[h].first + s[h].n; i++)
			ra[i] = (ra[i] - a / b * rb[i]) / b;
	return a / b;
}
