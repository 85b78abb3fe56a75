/* Footprints element by element, beforehand and from the trace: the registered arrays' elements that CTAs touch.
 *
 * The trace's accesses to global memory and textures are taken lane by lane. A CTA is the same in all launches with
 * TAFE's grid; what other launches touch counts for the array only.
 */
#ifndef CSIM_PLAN_ELEMENTS_H
#define CSIM_PLAN_ELEMENTS_H

#include "plan/planner.h"
#include "taf/footprint.h"

struct plan_elements {		   /* of an array */
	struct taf_footprint all;  /* of all CTAs */
	struct taf_footprint *cta; /* of `n` CTAs from `first` on */
};

struct plan_element_request { /* which CTAs to keep apart */
	uint32_t first, n;
};

/* by: by the array's first entry (taf_is_first_entry); zero at first, to be freed. */
int plan_elements_real(const struct planner_request *req, const struct plan_element_request *ctas,
		       struct plan_elements by[TAF_ARRAYS], struct err *e);
void plan_elements_estimated(const struct planner_request *req, const struct plan_element_request *ctas,
			     struct plan_elements by[TAF_ARRAYS]);
void plan_elements_free(struct plan_elements by[TAF_ARRAYS], const struct plan_element_request *ctas);

#endif
