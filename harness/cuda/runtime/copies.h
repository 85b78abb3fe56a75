/* One copy or filling of a box of bytes between host and device: what all calls of the cudaMemcpy and cudaMemset
 * families come to. */
#ifndef HARNESS_CUDA_RUNTIME_COPIES_H
#define HARNESS_CUDA_RUNTIME_COPIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda/include/driver_types.h"

struct copy_side {
	const void *at;
	size_t pitch, slice; /* bytes from row to row, from slice to slice; unused where there is one */
};

struct copy_box {
	size_t width, rows, slices; /* bytes, 1, 1 for one that is all in a row */
};

/* Which side is whose is seen by its address; `kind` must agree. Nothing is copied unless all of it can be. element:
 * bytes of the value that is repeated: 1, 2 or 4, of which a row is a multiple. */
cudaError_t copy_bytes(struct copy_side to, struct copy_side from, struct copy_box box, enum cudaMemcpyKind kind);
cudaError_t copy_fill(struct copy_side to, uint32_t value, unsigned element, struct copy_box box);

#endif
