/* Footprints in words and as metrics: what arrays' CTAs touch, beforehand and in truth, and who touches an element. */
#ifndef HARNESS_CLI_FOOTPRINT_REPORT_H
#define HARNESS_CLI_FOOTPRINT_REPORT_H

#include <stdio.h>

#include "base/stats.h"
#include "plan/accuracy.h"
#include "plan/elements.h"

struct footprints {
	const struct planner_request *req;
	const struct plan_touched *touched;	      /* by buffer */
	const struct plan_elements *estimated, *real; /* by entry */
	struct plan_element_request apart;	      /* CTAs to list */
	struct plan_module_maps modules_of;	      /* of the CTAs of TAFE's grid */
};

/* A line an array, and the sums. */
void footprint_report_arrays(const struct footprints *f, FILE *to);
/* A line for each of the CTAs that were kept apart, and each array. */
void footprint_report_ctas(const struct footprints *f, FILE *to);
/* Which CTAs and modules are estimated to touch an element and its page. */
void footprint_report_readers(const struct footprints *f, const struct taf_array *a, uint32_t index, FILE *to);
/* The metrics of the first. */
void footprint_report_stats(const struct footprints *f, struct stats *to);

#endif
