/* Buffers that the program has given back, by what they were for and by size: the next allocation of that kind and size
 * takes one of them, so that a loop that allocates and frees stays with one. Both ways take log n steps of n. */
#ifndef HARNESS_CUDA_DEVICE_RELEASED_H
#define HARNESS_CUDA_DEVICE_RELEASED_H

#include <stdint.h>

#include "cuda/wire.h"

struct device_released; /* a table; NULL: empty */

void device_released_put(struct device_released **r, enum wire_memory kind, uint64_t bytes, uint32_t buffer);
/* The highest number of those that are there, which is taken out; -1: none. */
int64_t device_released_take(struct device_released *r, enum wire_memory kind, uint64_t bytes);
void device_released_free(struct device_released **r);

#endif
