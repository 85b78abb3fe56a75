/* What the program has registered: kernels, variables and references, each under a key, which is an address in the
 * program and means nothing here. A key that comes again gets the newer meaning. */
#ifndef HARNESS_CUDA_DEVICE_TABLES_H
#define HARNESS_CUDA_DEVICE_TABLES_H

#include <stdint.h>
#include <uthash.h>

#include "cuda/device.h"

struct device_function {
	uint64_t key;
	unsigned module; /* of the device */
	const char *name;
	UT_hash_handle hh;
};

struct device_variable {
	uint64_t key;
	uint64_t at, bytes; /* of a reference: its handle, 0 */
	bool reference, surface;
	UT_hash_handle hh;
};

void device_function_set(struct device *d, uint64_t key, unsigned module, const char *name);
const struct device_function *device_function_get(struct device *d, uint64_t key); /* NULL: none */
void device_variable_set(struct device *d, const struct device_variable *v);
const struct device_variable *device_variable_get(struct device *d, uint64_t key); /* NULL: none */
void device_tables_free(struct device *d);

#endif
