/* Where in a buffer consecutive CTAs work: the stride that CODA's placement needs.
 *
 * The stride is num / den bytes a CTA: with a grid of one dimension den is 1. In a grid of two, where rows of CTAs
 * follow each other by num bytes and the CTAs of a row share these, den is the length of the row: seen from the order
 * of CTA ids the work moves on by num bytes every den CTAs.
 *
 * stride_static() reads it off the accesses of a launch's PTX; stride_profile() finds it in a trace.
 * Source: CODA, section 4.3.2; docs/studies/coda.md says where it leaves a choice.
 */
#ifndef CSIM_PLAN_STRIDE_H
#define CSIM_PLAN_STRIDE_H

#include "plan/access_scan.h"
#include "plan/planner.h"

enum stride_verdict { STRIDE_UNUSED, STRIDE_REGULAR, STRIDE_SHARED, STRIDE_IRREGULAR };
extern const char *const stride_verdicts[];

struct stride {
	enum stride_verdict verdict;
	uint64_t num, den; /* REGULAR */
	uint32_t launch;   /* whose CTAs it counts in; the first that reads or writes the buffer with more than one */
	uint32_t line;	   /* of the PTX; 0: none */
	const char *why;
};

/* The buffer's verdict from the accesses of `launch`. blocks: CTAs a module in a turn (Equation 1). */
struct stride stride_static(const struct planner_request *req, uint32_t launch, uint32_t buffer, const uint32_t *blocks);

/* A module for each position: CTAs work their way through the buffer at that stride, module after module. */
struct stride_map {
	uint64_t base, den; /* the buffer's first byte */
	uint32_t n_modules;
	const uint64_t *bytes; /* by module: of a turn, times den */
	uint64_t turn;	       /* their sum */
};
uint32_t stride_module(const struct stride_map *m, uint64_t addr);

/* Verdicts from the trace for all buffers at once; by[] has one a buffer. p has the affinity of all launches. */
int stride_profile(const struct plan *p, const struct planner_request *req, struct stride *by, struct err *e);

#endif
