/* What a timeline (dispatch/timeline.h) shows of a run that has ended: the CTAs that ran, each in a context of its SM,
 * and the launches from their first CTA's start to their last CTA's end. Cycles as there. */
#ifndef CSIM_DISPATCH_TIMELINE_RAN_H
#define CSIM_DISPATCH_TIMELINE_RAN_H

#include "dispatch/timeline.h"

struct timeline_ran {
	uint32_t launch, cta, sm;
	uint32_t context; /* the lowest of the SM that was free: the CTAs of one never overlap */
	bool stolen, cut; /* cut: it still ran when the run ended */
	uint64_t start, end;
};

struct timeline_launch {
	uint64_t start, end;
	uint64_t ctas, stolen; /* that ran; 0: it did not begin */
};

/* All CTAs that started in a run of so many cycles, by SM, then by start; *n of them. The caller frees. */
struct timeline_ran *timeline_ran(const struct timeline *t, uint64_t cycles, uint64_t *n);

/* By launch of the timeline. The caller frees. */
struct timeline_launch *timeline_launches(const struct timeline *t, const struct timeline_ran *ran, uint64_t n);

#endif
