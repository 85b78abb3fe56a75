/* On which module each CTA of a plan's launches runs, as far as the plan says so.
 *
 *   affinity   the module that Equation 1 gives
 *   lists      that of the SM whose list names the CTA
 *   groups     as if SMs took groups in turn and stole nothing: group g goes to SM g mod n
 * With any other dispatch the run decides.
 */
#ifndef CSIM_PLAN_CTA_MODULES_H
#define CSIM_PLAN_CTA_MODULES_H

#include "plan/planner.h"

struct plan_modules {
	const struct plan *plan;
	const uint16_t **of; /* by launch and CTA; NULL: no lists */
};
#define PLAN_NO_MODULE UINT32_MAX

void plan_modules_init(struct plan_modules *h, const struct plan *p, const struct planner_request *req, struct arena *a);

/* The module of a CTA, or PLAN_NO_MODULE. */
static inline uint32_t plan_modules_at(const struct plan_modules *h, uint32_t launch, uint32_t cta)
{
	if (h->of[launch])
		return h->of[launch][cta];
	if (h->plan->launch && h->plan->launch[launch].dispatch == DISPATCH_AFFINITY)
		return plan_module_of(&h->plan->launch[launch], h->plan->n_modules, cta);
	return PLAN_NO_MODULE;
}

/* The modules of all CTAs, as the launches with that grid have them: each map once, in the order of the launches. */
struct plan_module_maps {
	uint32_t n;
	const uint16_t **of; /* by CTA */
};
/* Fails if there is no such launch, or the plan leaves a CTA of one to the run. */
int plan_modules_of_grid(struct plan_module_maps *maps, const struct plan *p, const struct planner_request *req,
			 const uint32_t grid[3], struct err *e);

#endif
