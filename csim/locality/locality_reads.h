/* One pass over a launch's loads as they were executed: what each warp reads with each of them. */
#ifndef CSIM_LOCALITY_LOCALITY_READS_H
#define CSIM_LOCALITY_LOCALITY_READS_H

#include "trace/trace.h"

struct locality_read {
	uint32_t cta, warp, buffer;
	uint64_t offset, bytes; /* in the buffer; the spans of one load by one warp are disjoint */
	uint32_t width;		/* bytes a lane */
};
typedef void locality_see(void *ctx, const struct locality_read *r);

/* Loads of global memory and texture fetches; what is outside all buffers is not reported. cta_end (may be NULL) is
 * called after each CTA. Fails if the trace cannot be read. */
int locality_reads(struct trace *t, uint32_t launch, locality_see *see, void (*cta_end)(void *ctx, uint32_t cta), void *ctx,
		   struct err *e);

/* The narrowest load of a kernel, in bytes a lane: all loads are multiples of it. 16 if there is none. */
uint32_t locality_narrowest(const struct trace_kernel *k);
uint32_t locality_count_loads(const struct trace_kernel *k);

#endif
