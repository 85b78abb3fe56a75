/* locus sweep report: what a sweep's runs found, as the page of `locus report`. */
#ifndef HARNESS_CLI_SWEEP_REPORT_H
#define HARNESS_CLI_SWEEP_REPORT_H

#include "sweep/plan.h"
#include "sweep/store.h"

/* The results in the order of the plan, each called by its values of the axes that have several. A page holds
 * REPORT_RUNS: of more the first ones, which a line on stderr says. No result at all is an error. */
int sweep_report(struct sweep_plan *p, struct sweep_store *s, const char *to, struct err *e);

#endif
