/* Totals and quotients of a population from a stratified sample of it, with intervals
 * (docs/how-to/sample-long-programs.md has the equations).
 *
 * Of each unit (a launch) something is known beforehand: its size x. Of the sampled ones y is measured. A stratum's
 * total is estimated by the ratio estimator, X sum(y) / sum(x), X being the sum of x over all of its units; if all
 * sampled x are 0, by their number. A unit's residual is y less what its x lets one expect; variances are those of
 * residuals, with the correction for a finite population, so that a stratum of which every unit was measured adds
 * nothing. Degrees of freedom are Satterthwaite's over strata, the interval is Student's.
 *
 * Source: Cochran, Sampling Techniques, 3rd edition: 5.9, 6.10 to 6.12 (separate ratio estimate), 5.4 (degrees of
 * freedom), 6.13 (quotients of two totals).
 */
#ifndef CSIM_SAMPLE_ESTIMATE_H
#define CSIM_SAMPLE_ESTIMATE_H

#include <stdint.h>

struct estimate_stratum {
	uint32_t units; /* all of it */
	uint32_t first; /* in the arrays of the sampled ones, ... */
	uint32_t n;	/* ... that are of this stratum: all of them, or 2 at least */
	double size;	/* X: of all units, measured or not */
};

struct estimate {
	double value;
	double half; /* the interval is value - half to value + half */
	double df;   /* degrees of freedom; 0: everything was measured, or nothing varies */
};

/* The sum of y over all units, of sampled y[] and x[]. residual[]: is filled, by sampled unit. */
double estimate_total(const struct estimate_stratum *s, uint32_t strata, const double *y, const double *x, double *residual);

/* The interval about a value that is a sum with those residuals. 0 < confidence < 1. */
struct estimate estimate_of(const struct estimate_stratum *s, uint32_t strata, const double *residual, double value,
			    double confidence);

/* Of the quotient a / b of two totals with residuals ra[] and rb[], which become those of the quotient in ra[]. b is
 * not 0. */
double estimate_quotient(const struct estimate_stratum *s, uint32_t strata, double a, double b, double *ra, const double *rb);

/* The standard deviation of residuals in a stratum, of which 2 or more were measured. */
double estimate_deviation(const struct estimate_stratum *s, const double *residual);

#endif
