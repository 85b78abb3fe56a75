/* The software tracker on the GPU: a kernel reads primary arrays again (tafe, section 4.2), traces/taftrack/kernel.cu
 * on the cycle model.
 *
 * The arrays, with the contents that the program stored, and the extent tables are buffers of a small program of their
 * own; each relation to be read is a launch of it, in order, a block a CTA. The tables are what the kernels leave in
 * memory, their time is the run's. Fails if the kernel cannot be read or the machine not be built.
 */
#ifndef HARNESS_SESSION_GPU_TRACKER_H
#define HARNESS_SESSION_GPU_TRACKER_H

#include "tracking/phase.h"

/* root: the folder in which traces/taftrack is; kept by the caller. */
struct gpu_tracker gpu_tracker_of(const char *root);

#endif
