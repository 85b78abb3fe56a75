// spmv: y = A x for a sparse A in compressed rows. scalar: a row a thread, whose lanes drift apart with the lengths of
// their rows. vector: a row a warp, 32 entries at a time, added up by shuffles. jds: rows in order of falling length, a
// row a thread; the k-th entries of all rows stand side by side, so that lanes read neighbouring words and stay
// together.
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

// diagonal[k]: where the k-th entries begin; row r of `y` is the permutation[]-th of the sorted ones.
extern "C" __global__ void spmv_jds(const uint32_t *diagonal, const uint32_t *length, const uint32_t *permutation, const uint32_t *col,
				    const float *value, const float *x, float *y, uint32_t n)
{
	uint32_t r = blockIdx.x * blockDim.x + threadIdx.x, entries;
	float sum = 0;

	if (r >= n)
		return;
	entries = length[r];
	for (uint32_t k = 0; k < entries; k++) {
		uint32_t i = diagonal[k] + r;

		sum += value[i] * x[col[i]];
	}
	y[permutation[r]] = sum;
}
