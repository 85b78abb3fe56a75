/* The old place of device functions, which cuda_runtime.h has. */
#include "cuda_runtime.h"
