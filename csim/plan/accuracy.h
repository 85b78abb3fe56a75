/* How well footprints predict who touches what: every page of a registered array with every module, as TAFE has it
 * beforehand and as the trace has it (tafe, section 6.1, Figures 11 and 12).
 *
 * A page is touched by a module if a CTA that the plan gives to it reads or writes of the array's bytes in that page,
 * in any launch. Two arrays of one buffer may have a part of one page each; each counts it by its own part.
 */
#ifndef CSIM_PLAN_ACCURACY_H
#define CSIM_PLAN_ACCURACY_H

#include "plan/cta_modules.h"

struct plan_touched {	      /* an array: a buffer of the trace */
	const char *patterns; /* "TID_DEP", "TID_DEP and INDIR", ...; NULL: not registered */
	bool data;	      /* data-dependent */
	uint32_t n_pages;     /* from the one that holds its first byte */
	uint64_t *real;	      /* by page: modules, a bit each */
	uint64_t *estimated;  /* NULL: not registered */
};

/* by: one a buffer. The plan must give all CTAs to SMs (plan/cta_modules.h). */
int plan_touched(const struct plan *p, const struct planner_request *req, struct plan_touched *by, struct err *e);

struct plan_accuracy { /* pairs of a page and a module */
	uint64_t pages, true_pos, true_neg, false_pos, false_neg;
};
/* Adds an array; one that is not registered adds nothing. */
void plan_accuracy_add(struct plan_accuracy *to, const struct plan_touched *t, uint32_t n_modules);
/* The part of all pairs that is estimated right; 1 if there are none. */
double plan_accuracy_share(const struct plan_accuracy *a);

#endif
