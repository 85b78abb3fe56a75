/* Primary arrays are read again by a kernel on the GPU (tafe, section 4.2): traces/taftrack/kernel.cu on the cycle model.
 *
 * The arrays, with the contents that the host stored, and the extent tables are buffers of a small program of their own; each
 * relation to be read is a launch of it, in order, a block a CTA. The tables are what the kernels leave in memory, their time is
 * the run's.
 */
#ifndef CSIM_RUN_SOFTWARE_TRACKER_GPU_H
#define CSIM_RUN_SOFTWARE_TRACKER_GPU_H

#include "tracking/phase.h"

struct host_reread_gpu {
	const struct taf_array *array[TAF_ARRAYS]; /* relations of primary arrays, in order */
	uint32_t n;
};

/* memory: gets the extent tables. *cycles: core cycles of all launches. *laws: broken ones. Fails if the kernel cannot be read
 * (root) or the machine not be built. */
int host_reread_gpu(const struct host_phase_config *c, const struct host_reread_gpu *what, struct taf_memory *memory,
		    uint64_t *cycles, uint64_t *laws, struct err *e);

#endif
