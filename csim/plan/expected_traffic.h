/* What a plan leads to, estimated from the trace alone: no caches, no time.
 *
 * Each line that a warp's access touches (plan/access_scan.h) goes from the module of the CTA to the module of its
 * stack; it is remote if these differ. Where the plan leaves the CTA to whichever SM is free, any SM is as likely as
 * any other, and the shares are expected values: of N equal modules, 1 - 1/N is remote.
 *
 * And the pages of a program by how many CTAs and modules touch them: Figure 3 and Table 2 of the CODA paper.
 */
#ifndef CSIM_PLAN_EXPECTED_TRAFFIC_H
#define CSIM_PLAN_EXPECTED_TRAFFIC_H

#include "plan/access_scan.h"
#include "plan/planner.h"

struct plan_expected {	/* of a buffer, or of all */
	uint64_t lines; /* accesses, by lines */
	double remote;	/* of these, expected */
};

/* by: one a buffer. sum: of all. */
int plan_expect(const struct plan *p, const struct planner_request *req, struct plan_expected *by, struct plan_expected *sum,
		struct err *e);

/* Pages of a buffer that are on each stack; of fine-grained ones each stack has a part. count: one a stack. False if
 * the run decides it (first touch). */
bool plan_pages_on(const struct plan *p, const struct planner_request *req, uint32_t buffer, double *count);

/* Pages that exactly 1, exactly 2, 3 to 4, 5 to 8, 9 to 16, more CTAs touch. A CTA is the same in all launches. */
enum { PAGES_BINS = 6, PAGES_MAX_CTAS = 16 };
struct plan_pages {
	uint64_t touched, by_ctas[PAGES_BINS];
	uint64_t one_module; /* touched from one module only, with CTAs by affinity */
	uint64_t untouched;
};
/* p: has the affinity of all launches (plan_affinity). by: one a buffer. */
int plan_pages(const struct plan *p, const struct planner_request *req, struct plan_pages *by, struct plan_pages *sum,
	       struct err *e);

/* Table 2's word for a program: "block exclusive", "core exclusive", "block majority", "core majority" or "sharing". */
const char *plan_pages_category(const struct plan_pages *sum);

#endif
