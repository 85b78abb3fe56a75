/* cudaProfilerStart and cudaProfilerStop, which cuda_runtime_api.h has. */
#include "cuda_runtime_api.h"
