/* Linear forms from a trace (ldesc, section 4.1: "profiling"): what affine/affine.h finds in the PTX, fitted to the
 * addresses that a launch touched.
 *
 * An instruction's accesses of one buffer get one form: constant, thread steps and loops from the middle of the grid
 * and of the block, CTA steps from CTAs that differ from that one in one dimension. Then every access of the launch is
 * held against its form; one in 16 may differ (an index that is clamped at a border), else nothing is known of the
 * instruction's addresses. The rules as a table: docs/studies/ldesc.md.
 */
#ifndef CSIM_PLAN_LDESC_PROFILE_FORMS_H
#define CSIM_PLAN_LDESC_PROFILE_FORMS_H

#include "affine/affine.h"
#include "trace/trace.h"

/* All of the result is in `a`. Fails if the trace cannot be read. */
int profile_forms(struct trace *t, uint32_t launch, struct arena *a, const struct affine_launch **out, struct err *e);

#endif
