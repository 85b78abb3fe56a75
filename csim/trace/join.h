/* Several programs' traces as one: for running them beside each other on one machine.
 *
 * Kernels, buffers, stores and launches follow program after program. Each program's addresses are moved up by a
 * multiple of
 * 2 MB, so that no two programs share a page of any size; a buffer "a" of program "bfs" is called "bfs.a". What the
 * CTAs do stays as it is.
 */
#ifndef CSIM_TRACE_JOIN_H
#define CSIM_TRACE_JOIN_H

#include "trace/trace.h"

struct trace_part {
	const char *name; /* of the program; no two alike */
	struct trace *trace;
	/* filled by trace_join: */
	uint32_t first_launch, first_buffer; /* in the joined trace */
	uint64_t moved;			     /* added to its addresses */
};

/* NULL: e is filled (a CTA that cannot be read; addresses that do not fit). */
struct trace *trace_join(struct trace_part *part, uint32_t n, const struct trace_options *o, struct err *e);

#endif
