// matmul: C = A B for square matrices, in 16x16 tiles that a CTA stages in shared memory, with two barriers a tile.
#include "device.h"

enum { TILE = 16 };

extern "C" __global__ void matmul(const float *a, const float *b, float *c, uint32_t n)
{
	__shared__ float as[TILE][TILE], bs[TILE][TILE];
	uint32_t tx = threadIdx.x, ty = threadIdx.y;
	uint32_t row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
	float sum = 0;

	for (uint32_t t = 0; t < n; t += TILE) {
		as[ty][tx] = a[row * n + t + tx];
		bs[ty][tx] = b[(t + ty) * n + col];
		__syncthreads();
#pragma unroll
		for (uint32_t k = 0; k < TILE; k++)
			sum += as[ty][k] * bs[k][tx];
		__syncthreads();
	}
	c[row * n + col] = sum;
}
