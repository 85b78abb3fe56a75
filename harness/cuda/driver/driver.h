/* What the files of libcuda.so.1 share: the driver interface is the runtime's, under names of its own. A function's
 * handle is its key for the device (cuda/wire.h), as a host function's address is with the runtime. */
#ifndef HARNESS_CUDA_DRIVER_DRIVER_H
#define HARNESS_CUDA_DRIVER_DRIVER_H

#include <stdint.h>

#include "cuda/include/cuda.h"
#include "cuda/include/driver_types.h"

struct CUmod_st {
	uint64_t module; /* of the device */
};

struct CUfunc_st {
	struct CUmod_st *module;
};

/* The runtime's error as the driver has it: the same number, but for those that the runtime has alone. */
CUresult driver_result(cudaError_t error);

static inline void *driver_pointer(CUdeviceptr p)
{
	return (void *)(uintptr_t)p;
}

#endif
