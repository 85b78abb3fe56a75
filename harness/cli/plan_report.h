/* A plan, in words. */
#ifndef HARNESS_CLI_PLAN_REPORT_H
#define HARNESS_CLI_PLAN_REPORT_H

#include <stdio.h>

#include "base/stats.h"
#include "plan/expected_traffic.h"

struct plan_grids { /* how a program fills a machine */
	uint32_t launches;
	uint64_t ctas, warp_insts, thread_insts; /* of all launches */
	uint64_t most, places;			 /* of the launch with most CTAs: these; that run at a time */
	uint64_t l2;				 /* bytes of all slices */
};

/* Fails when a CTA does not fit into an SM. */
int plan_grids(const struct planner_request *req, struct plan_grids *g, struct err *e);
/* As text, or as metrics for JSON: one of the two is NULL. */
void plan_report_grids(const struct plan_grids *g, struct stats *to, FILE *text);

/* The launches' dispatch, a line for all that are alike. */
void plan_report_launches(const struct plan *p, const struct planner_request *req, FILE *to);
/* A line a buffer: verdict, stride, chunk, pages by stack, expected remote share, why. */
void plan_report_arrays(const struct plan *p, const struct planner_request *req, const struct plan_expected *by,
			const struct plan_expected *sum, FILE *to);
/* The metrics of both, for JSON; either may be NULL. */
void plan_report_stats(const struct plan_expected *expected, const struct plan_pages *pages, struct stats *to);
/* Extents of grids, and how many CTAs the plan deals in lists of SMs; p may be NULL. */
void plan_report_ctas(const struct plan *p, const struct trace *t, struct stats *to);
/* A line a buffer: pages by the CTAs that touch them. */
void plan_report_pages(const struct planner_request *req, const struct plan_pages *by, const struct plan_pages *sum, FILE *to);

#endif
