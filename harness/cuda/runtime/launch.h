/* A launch, on the stream of the call (order.h), by what a function is registered under: a host function's address, or
 * a driver's handle. */
#ifndef HARNESS_CUDA_RUNTIME_LAUNCH_H
#define HARNESS_CUDA_RUNTIME_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>

#include "cuda/include/driver_types.h"

/* args: where each parameter is. */
cudaError_t launch_args(const void *function, dim3 grid, dim3 block, void **args, size_t shared, bool cooperative);
/* params: the parameter block, laid out; what it lacks is zero. */
cudaError_t launch_block(const void *function, dim3 grid, dim3 block, const void *params, size_t bytes, size_t shared);

#endif
