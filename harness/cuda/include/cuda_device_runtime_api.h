/* The old place of the runtime. */
#include "cuda_runtime.h"
