/* What the files of a sampled run share and no one else sees. */
#ifndef CSIM_RUN_SAMPLED_IMPL_H
#define CSIM_RUN_SAMPLED_IMPL_H

#include "run/gpu_sampled.h"

#define SAMPLED_NONE UINT32_MAX

/* Parts of the trace are launches, and windows of those that are divided: each has a number. */
struct sampling {
	const struct gpu_config *config;
	struct gpu_sampled *s;
	struct gpu_result *r; /* of units, in the order in which they were simulated */

	uint32_t *first_part; /* by launch: the number of its first part; behind the last one: of all parts */
	uint32_t *unit_of;    /* by part: of strata.unit */
	bool *seen;	      /* by part: some run has simulated it */
	uint32_t *slot;	      /* by unit: in r->launch; SAMPLED_NONE: not measured */
	uint32_t *was;	      /* by stratum: drawn before the run that is made */

	/* Of that run: enum gpu_skip. */
	uint8_t *skipped;		  /* by launch */
	uint8_t *how;			  /* by part */
	struct dispatch_windows *windows; /* by launch */

	struct estimate_stratum *stratum;
	/* by sampled unit, in the order of strata: size, metric, what that is divided by; residuals */
	double *x, *y, *z, *ry, *rz;
	double *cost; /* by stratum: warp instructions that simulating a unit takes */
};

/* sampled_runs.c: memory, once the strata are known; the units that have been drawn and not measured are simulated, by
 * a run that passes over the rest. */
void sampled_prepare(struct sampling *g, struct arena *a);
int sampled_run(struct sampling *g, struct err *e);

/* sampled_estimates.c: the strata as the estimators take them; row m of the launches' metrics, whose residuals are in
 * ry then (allowed: what is in the interval's half for what no sample shows, however many are drawn); all. */
void sampled_lay_out(struct sampling *g);
struct estimate sampled_estimate(struct sampling *g, unsigned m, double *allowed);
void sampled_estimate_all(struct sampling *g);

#endif
