/* When each warp of a run ended: a log that the SMs fill, an entry a warp of the trace. No one looks at it during the
 * run, and a run without one (NULL) pays a test a warp. */
#ifndef CSIM_SM_WARP_ENDS_H
#define CSIM_SM_WARP_ENDS_H

#include <stdint.h>

#include "base/arena.h"
#include "trace/trace.h"

#define WARP_ENDS_NEVER UINT64_MAX

struct warp_ends {
	uint32_t *warps; /* by launch: of a CTA */
	uint64_t *first; /* by launch: its first warp in end[] */
	/* The core cycle behind that in which the warp issued its last instruction, whose data may come later yet;
	 * WARP_ENDS_NEVER: it has none, or a limit cut the run ahead of it. */
	uint64_t *end;
};

/* Room for all warps of the trace, in the arena; none has ended. */
void warp_ends_init(struct warp_ends *w, struct arena *a, const struct trace *t);

void warp_ends_note(struct warp_ends *w, uint32_t launch, uint32_t cta, uint32_t warp, uint64_t cycle);
uint64_t warp_ends_of(const struct warp_ends *w, uint32_t launch, uint32_t cta, uint32_t warp);

#endif
