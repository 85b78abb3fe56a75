// syrk: C = alpha A A' + beta C, an element of C a thread, blocks of (32,8) with x along C's rows.
//
// The lanes of a warp read A[j*pitch + k] for 32 neighbouring j: 32 lines, a row apart, of which each serves the next
// 31 values of k. With rows a multiple of 4 KB apart all 32 fall into one set of a linearly indexed cache (dwt-pric,
// Figure 6). The other operand, A[i*pitch + k], is one word for the whole warp.
#include "device.h"

extern "C" __global__ void syrk(float alpha, float beta, const float *a, float *c, uint32_t n, uint32_t m, uint32_t pitch)
{
	uint32_t j = blockIdx.x * blockDim.x + threadIdx.x;
	uint32_t i = blockIdx.y * blockDim.y + threadIdx.y;
	const float *row_i = a + (uint64_t)i * pitch, *row_j = a + (uint64_t)j * pitch;
	float sum = 0;

	if (i >= n || j >= n)
		return;
	for (uint32_t k = 0; k < m; k++)
		sum += row_i[k] * row_j[k];
	c[(uint64_t)i * pitch + j] = alpha * sum + beta * c[(uint64_t)i * pitch + j];
}

// The same with the sum kept in C itself: a store of C in every step, as a compiler must do when C may overlap A.
extern "C" __global__ void syrk_in_memory(float alpha, float beta, const float *a, float *c, uint32_t n, uint32_t m, uint32_t pitch)
{
	uint32_t j = blockIdx.x * blockDim.x + threadIdx.x;
	uint32_t i = blockIdx.y * blockDim.y + threadIdx.y;
	const float *row_i = a + (uint64_t)i * pitch, *row_j = a + (uint64_t)j * pitch;
	float *sum = c + (uint64_t)i * pitch + j;

	if (i >= n || j >= n)
		return;
	*sum *= beta;
	for (uint32_t k = 0; k < m; k++)
		*sum += alpha * row_i[k] * row_j[k];
}
