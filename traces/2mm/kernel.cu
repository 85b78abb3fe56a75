// 2mm: a matrix product without tiles, an element a thread, blocks of (32,8): one word of A for the whole warp, a row
// piece of B. The workload launches it twice: D = (A B) C.
#include "device.h"

extern "C" __global__ void mm_product(const float *a, const float *b, float *c, uint32_t rows, uint32_t inner, uint32_t cols)
{
	uint32_t j = blockIdx.x * blockDim.x + threadIdx.x;
	uint32_t i = blockIdx.y * blockDim.y + threadIdx.y;
	const float *row = a + (uint64_t)i * inner, *column = b + j;
	float sum = 0;

	if (i >= rows || j >= cols)
		return;
	for (uint32_t k = 0; k < inner; k++)
		sum += row[k] * column[(uint64_t)k * cols];
	c[(uint64_t)i * cols + j] = sum;
}
