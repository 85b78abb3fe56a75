/* Memory of the program's own that it has registered (cudaHostRegister). Copies from and to it are what they are
 * without; a kernel cannot reach it, which it would be told. */
#ifndef HARNESS_CUDA_RUNTIME_HOST_RANGES_H
#define HARNESS_CUDA_RUNTIME_HOST_RANGES_H

#include <stdbool.h>

/* Whether the byte at p is registered. */
bool host_ranges_hold(const void *p);

#endif
