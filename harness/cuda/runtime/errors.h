/* The last error of each thread, as cudaGetLastError() has it. */
#ifndef HARNESS_CUDA_RUNTIME_ERRORS_H
#define HARNESS_CUDA_RUNTIME_ERRORS_H

#include "cuda/include/driver_types.h"

/* Remembers an error, and returns it: how each call of the interface ends. cudaSuccess and cudaErrorNotReady leave what
 * is remembered. */
cudaError_t errors_note(cudaError_t error);

#endif
