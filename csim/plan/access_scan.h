/* One pass over a trace: every access to global memory, line by line.
 *
 * A warp's access counts once for each line of 128 bytes that its lanes touch, as an L1 without any hits would send it
 * down. No cache is modelled: what a planner wants to know is who touches what.
 */
#ifndef CSIM_PLAN_ACCESS_SCAN_H
#define CSIM_PLAN_ACCESS_SCAN_H

#include "trace/trace.h"

enum { ACCESS_SCAN_LINE = 128 };

struct scanned_access {
	uint32_t launch, cta;
	uint32_t buffer; /* index; accesses outside all buffers are not reported */
	uint64_t addr;	 /* of the line's first byte that is touched */
	bool write;
};
typedef void access_scan_visit(void *ctx, const struct scanned_access *e);

/* Launch by launch, CTA by CTA. Fails if the trace cannot be read. */
int access_scan_walk(struct trace *t, access_scan_visit *visit, void *ctx, struct err *e);

#endif
