/* What each SM's L1 did by its sets (cache/l1_sets.h), over all launches of a run. */
#ifndef CSIM_RUN_GPU_SETS_H
#define CSIM_RUN_GPU_SETS_H

#include "base/arena.h"
#include "cache/l1_sets.h"

struct gpu_sets {
	struct arena *arena; /* wanted: where the counts go */

	/* what has come out */
	uint32_t sms, sets;
	struct l1_set_counts *count; /* by SM, sets + 1 each: behind the last set what has none */
};

static inline const struct l1_set_counts *gpu_sets_at(const struct gpu_sets *s, uint32_t sm, uint32_t set)
{
	return &s->count[(uint64_t)sm * (s->sets + 1) + set];
}

#endif
