// vectoradd: c = a + b, one element a thread. Three perfectly coalesced streams and no reuse.
#include "device.h"

extern "C" __global__ void vectoradd(const float *a, const float *b, float *c, uint32_t n)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		c[i] = a[i] + b[i];
}
