/* Texture fetches, which cuda_runtime.h has. */
#include "cuda_runtime.h"
