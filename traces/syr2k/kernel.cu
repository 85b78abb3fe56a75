// syr2k: C = alpha (A B' + B A') + beta C, an element of C a thread, blocks of (32,8) with x along C's rows.
//
// As in syrk, the lanes of a warp read A[j*pitch + k] and B[j*pitch + k] for 32 neighbouring j, a row apart; the other
// two operands are one word each for the whole warp.
#include "device.h"

extern "C" __global__ void syr2k(float alpha, float beta, const float *a, const float *b, float *c, uint32_t n, uint32_t m,
				 uint32_t pitch)
{
	uint32_t j = blockIdx.x * blockDim.x + threadIdx.x;
	uint32_t i = blockIdx.y * blockDim.y + threadIdx.y;
	const float *a_i = a + (uint64_t)i * pitch, *a_j = a + (uint64_t)j * pitch;
	const float *b_i = b + (uint64_t)i * pitch, *b_j = b + (uint64_t)j * pitch;
	float sum = 0;

	if (i >= n || j >= n)
		return;
	for (uint32_t k = 0; k < m; k++)
		sum += a_i[k] * b_j[k] + b_i[k] * a_j[k];
	c[(uint64_t)i * pitch + j] = alpha * sum + beta * c[(uint64_t)i * pitch + j];
}
