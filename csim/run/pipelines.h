/* The pipelines of a run's SMs (sm/pipeline_log.h): which instructions are wanted, and the logs.
 *
 * A filter is a text, what it asks for with commas between: all of it has to be so.
 *
 *     sm=A, sm=A-B          on these SMs; without it on SM 0
 *     cta=A, cta=A-B        of these CTAs, of any launch
 *     warp=A, warp=A-B      of these warps of a CTA
 *     cycles=A, cycles=A-B  that are their warp's next one from one of these core cycles on
 */
#ifndef CSIM_RUN_PIPELINES_H
#define CSIM_RUN_PIPELINES_H

#include "base/err.h"
#include "machine/machine.h"
#include "sm/pipeline_log.h"

enum { PIPELINES_ROOM = 1 << 16 /* instructions, of all SMs */ };

struct pipelines {
	/* wanted */
	struct pipeline_filter filter;
	struct arena *arena;

	/* what has come out */
	uint32_t n; /* SMs */
	struct pipeline_log *log;
};

/* Reads a filter (NULL: SM 0, all of it); e names what it does not understand, or what the machine has not. */
int pipelines_init(struct pipelines *p, struct arena *a, const struct machine *m, const char *filter, struct err *e);

#endif
