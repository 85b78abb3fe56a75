/* Device code of pull.cu. */
#ifndef PULL_H
#define PULL_H

#include <cuda_runtime.h>

#include "body.h"

/* The acceleration of one body by another: none by itself. */
__device__ float3 pull(const Body &on, const Body &by);

#endif
