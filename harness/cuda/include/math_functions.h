/* The old place of math functions, which cuda_runtime.h has. */
#include "cuda_runtime.h"
