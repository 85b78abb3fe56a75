/* make_cudaExtent(1, 2, 3) and its like: what three-dimensional copies take. */
#ifndef LOCUS_CUDA_DRIVER_FUNCTIONS_H
#define LOCUS_CUDA_DRIVER_FUNCTIONS_H

#include "crt/host_defines.h"
#include "driver_types.h"

#define LOCUS_MAKE static __inline__ __host__ __attribute__((unused))

LOCUS_MAKE struct cudaPitchedPtr make_cudaPitchedPtr(void *p, size_t pitch, size_t xsize, size_t ysize)
{
	struct cudaPitchedPtr r = {p, pitch, xsize, ysize};
	return r;
}
LOCUS_MAKE struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
	struct cudaPos r = {x, y, z};
	return r;
}
LOCUS_MAKE struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
	struct cudaExtent r = {width, height, depth};
	return r;
}

#undef LOCUS_MAKE

#endif
