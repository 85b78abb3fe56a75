/* CUDA arrays: device memory in rows. An element is as many bytes as its channels; a row is padded to a pitch, slices
 * (of a three-dimensional array) and layers follow one another. */
#ifndef HARNESS_CUDA_RUNTIME_ARRAYS_H
#define HARNESS_CUDA_RUNTIME_ARRAYS_H

#include <stddef.h>

#include "cuda/include/driver_types.h"
#include "cuda/runtime/copies.h"

struct cudaArray {
	struct cudaChannelFormatDesc desc;
	struct cudaExtent extent; /* elements; as it was asked for: 0 high, 0 deep is one-dimensional */
	unsigned int flags;
	void *bytes;
	size_t element, pitch, slice; /* bytes */
};

/* Of an element; 0: no format. */
size_t arrays_element(const struct cudaChannelFormatDesc *d);

/* The bytes from a place on, as a side of a copy. False: the box is not all in the array. */
struct copy_at {
	size_t x, y, z; /* bytes, rows, slices */
};
bool arrays_side(cudaArray_const_t a, struct copy_at at, struct copy_box box, struct copy_side *s);

#endif
