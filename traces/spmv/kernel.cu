// spmv: y = A x for a sparse A in compressed rows. scalar: a row a thread, whose lanes drift apart with the lengths of their rows.
// vector: a row a warp, 32 entries at a time, added up by shuffles.
#include "device.h"

extern "C" __global__ void spmv_scalar(const uint32_t *row, const uint32_t *col, const float *value, const float *x, float *y,
				       uint32_t n)
{
	uint32_t r = blockIdx.x * blockDim.x + threadIdx.x, end;
	float sum = 0;

	if (r >= n)
		return;
	end = row[r + 1];
	for (uint32_t i = row[r]; i < end; i++)
		sum += value[i] * x[col[i]];
	y[r] = sum;
}

extern "C" __global__ void spmv_vector(const uint32_t *row, const uint32_t *col, const float *value, const float *x, float *y,
				       uint32_t n)
{
	uint32_t r = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize, lane = threadIdx.x % warpSize, end;
	float sum = 0;

	if (r >= n)
		return;
	end = row[r + 1];
	for (uint32_t i = row[r] + lane; i < end; i += warpSize)
		sum += value[i] * x[col[i]];
#pragma unroll
	for (uint32_t by = warpSize / 2; by; by /= 2)
		sum += __shfl_down_sync(0xffffffff, sum, by);
	if (lane == 0)
		y[r] = sum;
}
