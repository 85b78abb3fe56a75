// stream: long arrays, an element a thread, read or read and written. Shared memory that no thread uses says how many
// CTAs an SM takes.
#include "device.h"

extern "C" __global__ void stream_read(const double *b, double *a, uint32_t n, double rare)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n && b[i] == rare)
		a[i] = 1;
}

extern "C" __global__ void stream_scale(const double *b, double *a, uint32_t n, double by)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		a[i] = b[i] * by;
}
