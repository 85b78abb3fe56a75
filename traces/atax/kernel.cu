// atax: y = A' (A x), in two launches. The first takes a row a thread (lanes a row apart), the second a column a thread
// (lanes side by side).
#include "device.h"

extern "C" __global__ void atax_rows(const float *a, const float *x, float *t, uint32_t rows, uint32_t cols, uint32_t pitch)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
	const float *row = a + (uint64_t)i * pitch;
	float sum = 0;

	if (i >= rows)
		return;
	for (uint32_t j = 0; j < cols; j++)
		sum += row[j] * x[j];
	t[i] = sum;
}

extern "C" __global__ void atax_columns(const float *a, const float *t, float *y, uint32_t rows, uint32_t cols, uint32_t pitch)
{
	uint32_t j = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	if (j >= cols)
		return;
	for (uint32_t i = 0; i < rows; i++)
		sum += a[(uint64_t)i * pitch + j] * t[i];
	y[j] = sum;
}
