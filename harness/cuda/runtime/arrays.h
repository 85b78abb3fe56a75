/* CUDA arrays: device memory in rows. An element is as many bytes as its channels; a row is padded to a pitch, slices
 * (of a three-dimensional array) and layers follow one another. */
#ifndef HARNESS_CUDA_RUNTIME_ARRAYS_H
#define HARNESS_CUDA_RUNTIME_ARRAYS_H

#include <stddef.h>

#include "cuda/include/driver_types.h"

struct cudaArray {
	struct cudaChannelFormatDesc desc;
	struct cudaExtent extent; /* elements; as it was asked for: 0 high, 0 deep is one-dimensional */
	unsigned int flags;
	void *bytes;
	size_t element, pitch, slice; /* bytes */
};

/* Of an element; 0: no format. */
size_t arrays_element(const struct cudaChannelFormatDesc *d);

#endif
