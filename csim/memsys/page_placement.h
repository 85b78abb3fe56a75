/* The page tables of a run: the buffers of a trace, placed as a plan says (plan/plan.h), and memory that no buffer
 * is. */
#ifndef CSIM_MEMSYS_PAGE_PLACEMENT_H
#define CSIM_MEMSYS_PAGE_PLACEMENT_H

#include "base/arena.h"
#include "base/err.h"
#include "machine/machine.h"
#include "vm/pages.h"
#include "plan/plan.h"
#include "trace/trace.h"

struct pages_scratch { /* placed as the machine does by default */
	const char *name;
	uint64_t base, bytes; /* 0 bytes: there is none */
};

/* plan: NULL, or a plan for this trace. Maps what does not wait for its first touch. Fails when memory is too small, an
 * address too wide, a plan not one for these buffers and stacks. pages_free() is due in any case. */
int gpu_pages_build(struct pages *p, struct arena *a, const struct machine *m, const struct trace *t, const struct plan *plan,
		    const struct pages_scratch *scratch, struct err *e);

#endif
