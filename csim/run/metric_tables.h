/* All metrics of runs, for a list of them. */
#ifndef CSIM_RUN_METRIC_TABLES_H
#define CSIM_RUN_METRIC_TABLES_H

#include "base/metrics.h"

struct metric_list {
	const char *prefix; /* of the rows of the run */
	const char *each;   /* of rows of each instance: "sm.N." */
	const struct metric_table *table;
};

extern const struct metric_list metric_lists[]; /* in the order in which they are printed; the last one has no table */

#endif
