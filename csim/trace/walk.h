/* The memory accesses of a CTA, warp by warp, in the order in which each warp executes them. */
#ifndef CSIM_TRACE_WALK_H
#define CSIM_TRACE_WALK_H

#include "trace/trace.h"

struct trace_access {
	uint32_t warp, pc;
	const struct trace_inst *inst;
	uint32_t addr; /* its record's number in the CTA */
	uint32_t mask; /* lanes; not 0 */
};
typedef void trace_visit(void *ctx, const struct trace_access *a);

/* All accesses that have a record: of any space but PARAM. */
void trace_walk_cta(const struct trace_kernel *k, const struct trace_cta *c, trace_visit *visit, void *ctx);

/* Or one after another: where a warp is. */
struct trace_cursor {
	uint32_t warp, run, at, addr; /* at: instructions of the run that are behind; run, addr: of the CTA */
};
struct trace_cursor trace_cursor_of(const struct trace_cta *c, uint32_t warp);

/* The warp's next access; false: there is none left. */
bool trace_next_access(const struct trace_kernel *k, const struct trace_cta *c, struct trace_cursor *at, struct trace_access *out);

#endif
