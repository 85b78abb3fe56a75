#include "sample/student.h"

#include <math.h>

enum { TERMS = 1000, HALVINGS = 200 };
static const double least = 1e-300, most_df = 1e6;

/* The next term of 1 + num / (1 + ...), by the modified Lentz method. */
static void term(double num, double *c, double *d, double *value)
{
	*d = 1 + num * *d;
	*c = 1 + num / *c;
	*d = 1 / (fabs(*d) < least ? least : *d);
	*c = fabs(*c) < least ? least : *c;
	*value *= *c * *d;
}

/* Abramowitz, Stegun: Handbook of Mathematical Functions, 26.5.8; converges fast for x < (a + 1) / (a + b + 2). */
static double fraction(double a, double b, double x)
{
	double c = 1, d = 0, value = 1;

	for (int m = 0; m < TERMS; m++) {
		double was = value, k = m;

		term(-(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1)), &c, &d, &value);
		k++;
		term(k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k)), &c, &d, &value);
		if (fabs(value - was) <= 1e-15 * fabs(value))
			break;
	}
	return value;
}

/* The regularised incomplete beta function, 0 < x < 1. */
static double beta(double a, double b, double x)
{
	int sign;
	double front = exp(lgamma_r(a + b, &sign) - lgamma_r(a, &sign) - lgamma_r(b, &sign) + a * log(x) + b * log1p(-x));

	if (x < (a + 1) / (a + b + 2))
		return front / (a * fraction(a, b, x));
	return 1 - front / (b * fraction(b, a, 1 - x));
}

/* That it is outside -t .. t: 26.7.1 there. */
static double outside(double df, double t)
{
	return t == 0 ? 1 : beta(df / 2, 0.5, df / (df + t * t));
}

double student_two_sided(double df, double confidence)
{
	double low = 0, high = 1;

	df = df < most_df ? df : most_df;
	while (outside(df, high) > 1 - confidence && high < 1e150)
		high *= 2;
	for (int i = 0; i < HALVINGS && high - low > 1e-13 * high; i++) {
		double t = (low + high) / 2;

		*(outside(df, t) > 1 - confidence ? &low : &high) = t;
	}
	return (low + high) / 2;
}
