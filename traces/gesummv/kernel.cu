// gesummv: y = alpha A x + beta B x, a row a thread, so that the 32 lanes walk down 32 rows of A and 32 of B at once. x
// is one word for the whole warp.
#include "device.h"

extern "C" __global__ void gesummv(float alpha, float beta, const float *a, const float *b, const float *x, float *y, uint32_t rows,
				   uint32_t cols, uint32_t pitch)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
	const float *row_a = a + (uint64_t)i * pitch, *row_b = b + (uint64_t)i * pitch;
	float sum_a = 0, sum_b = 0;

	if (i >= rows)
		return;
	for (uint32_t j = 0; j < cols; j++) {
		sum_a += row_a[j] * x[j];
		sum_b += row_b[j] * x[j];
	}
	y[i] = alpha * sum_a + beta * sum_b;
}

// The same with the sums in memory, as the original has them: a store of tmp or y may have changed any of the others.
extern "C" __global__ void gesummv_in_memory(float alpha, float beta, const float *a, const float *b, const float *x, float *tmp,
					     float *y, uint32_t rows, uint32_t cols, uint32_t pitch)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
	const float *row_a = a + (uint64_t)i * pitch, *row_b = b + (uint64_t)i * pitch;

	if (i >= rows)
		return;
#pragma unroll 1
	for (uint32_t j = 0; j < cols; j++) {
		tmp[i] += row_a[j] * x[j];
		y[i] += row_b[j] * x[j];
	}
	y[i] = alpha * tmp[i] + beta * y[i];
}
