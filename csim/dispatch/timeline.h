/* Which CTA ran on which SM, and when: a log that the dispatcher fills while a run goes on, an entry a CTA of the
 * trace.
 *
 * A CTA is taken to run from the core cycle in which its message reaches the SM up to the one in which the dispatcher
 * is notified of its end (not included): for just so long does it hold a context, and from then on another may be sent
 * in its place. On the CPU (run/cpu_run.h) its cores take the place of SMs, and its clock that of the SMs.
 *
 * No one looks at a timeline during the run, and a run without one (NULL) pays a test a CTA.
 */
#ifndef CSIM_DISPATCH_TIMELINE_H
#define CSIM_DISPATCH_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "trace/trace.h"

#define TIMELINE_NEVER UINT64_MAX

struct timeline_cta {
	uint64_t start, end; /* cycles; TIMELINE_NEVER: has not started, not ended (a run that was cut) */
	uint32_t sm;
	bool stolen; /* from another SM's list, at run time */
};

struct timeline {
	uint32_t n_launches;
	uint64_t *first; /* by launch: its CTA 0 in cta[]; n_launches + 1 entries */
	struct timeline_cta *cta;
};

/* Room for all CTAs of the trace, in the arena; none has started. */
void timeline_init(struct timeline *t, struct arena *a, const struct trace *trace);

void timeline_start(struct timeline *t, uint32_t launch, uint32_t cta, uint32_t sm, uint64_t cycle);
void timeline_end(struct timeline *t, uint32_t launch, uint32_t cta, uint64_t cycle);
/* Marks a CTA that has not started, or has: in any order with the two above. */
void timeline_stolen(struct timeline *t, uint32_t launch, uint32_t cta);

const struct timeline_cta *timeline_cta(const struct timeline *t, uint32_t launch, uint32_t cta);
static inline uint32_t timeline_n_ctas(const struct timeline *t, uint32_t launch)
{
	return (uint32_t)(t->first[launch + 1] - t->first[launch]);
}

#endif
