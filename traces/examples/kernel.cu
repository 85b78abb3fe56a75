// The kernel of saxpy.yaml: y = a x + y, an element a thread.
#include "device.h"

extern "C" __global__ void saxpy(float *y, const float *x, float a, uint32_t n)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		y[i] = a * x[i] + y[i];
}
