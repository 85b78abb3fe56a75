/* What the program's compiler registers before main(): fat binaries, kernels, variables, by addresses of the program's
 * own, which are their keys for the device. */
#ifndef HARNESS_CUDA_RUNTIME_REGISTRATION_H
#define HARNESS_CUDA_RUNTIME_REGISTRATION_H

#include <stdbool.h>

#include "cuda/include/driver_types.h"
#include "cuda/wire.h"

/* A kernel's figures, from the device once and then from memory; NULL and *error if it is not there. They stay. */
struct registered_kernel {
	struct registered_kernel *next;
	uint64_t key;
	struct wire_kernel is;
	struct wire_param param[WIRE_MAX_PARAMS];
};
const struct registered_kernel *registration_kernel(const void *key, cudaError_t *error);

/* Where a variable of the device is; an error if there is none. */
cudaError_t registration_symbol(const void *key, void **at, size_t *bytes);

/* A .texref or .surfref of a module. */
void registration_reference(void **handle, const void *key, const char *name, bool surface);

#endif
