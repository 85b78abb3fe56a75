// mvt: x1 += A y1 and x2 += A' y2. The first takes a row a thread (lanes a row apart), the second a column a thread
// (lanes side by side).
#include "device.h"

extern "C" __global__ void mvt_rows(const float *a, float *x1, const float *y1, uint32_t n, uint32_t pitch)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
	const float *row = a + (uint64_t)i * pitch;
	float sum;

	if (i >= n)
		return;
	sum = x1[i];
	for (uint32_t j = 0; j < n; j++)
		sum += row[j] * y1[j];
	x1[i] = sum;
}

extern "C" __global__ void mvt_columns(const float *a, float *x2, const float *y2, uint32_t n, uint32_t pitch)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum;

	if (i >= n)
		return;
	sum = x2[i];
	for (uint32_t j = 0; j < n; j++)
		sum += a[(uint64_t)j * pitch + i] * y2[j];
	x2[i] = sum;
}
