/* A table of a sweep: one metric of its runs, values of some axes from top to bottom, of others from left to right.
 *
 * Runs that differ in the remaining axes alone (seeds) share a cell, which is their geometric mean. With a baseline,
 * the value of an axis, each run is divided by the run that differs from it in that axis alone: of cycles, which are
 * less where it is faster, the baseline by the run, which is the speed-up; of other metrics the run by the baseline.
 */
#ifndef HARNESS_SWEEP_PIVOT_H
#define HARNESS_SWEEP_PIVOT_H

#include <stdio.h>

#include "sweep/plan.h"
#include "sweep/store.h"
#include "sweep/table.h"

struct sweep_pivot {
	const char *rows, *columns; /* names of axes with commas between them; NULL: the first axis; all others that
				     * have several values */
	const char *metric;	    /* "cycles" */
	const char *over;	    /* AXIS=VALUE; NULL: no baseline */
	enum sweep_mean mean;	    /* of the last row */
	bool no_mean;		    /* there is none */
};

/* e names what is wrong with the choice. Rows and columns have the order of the plan. */
int sweep_pivot_make(const struct sweep_pivot *v, struct sweep_plan *p, struct sweep_store *s, struct sweep_table *t,
		     struct err *e);

/* An error if none of the runs that are there has the metric. */
int sweep_check_metric(struct sweep_plan *p, struct sweep_store *s, const char *metric, struct err *e);

/* All runs of the plan as CSV, a row each: its axes, its state (kept, failed, missing), the reason of a failure, the
 * hash of its trace, metrics (names with commas between them; NULL: all that any run has), its command. */
int sweep_csv(struct sweep_plan *p, struct sweep_store *s, const char *metrics, FILE *to, struct err *e);

#endif
