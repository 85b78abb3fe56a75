// transpose: out = in', square, blocks of (16,16).
//
// naive  a warp reads two row pieces of 16 and writes two column pieces: 16 lines, a row apart.
// tiled  through a 16x17 tile of shared memory, so that the writes are row pieces too and no two lanes meet in a bank.
#include "device.h"

enum { TILE = 16 };

extern "C" __global__ void transpose_naive(const float *in, float *out, uint32_t n)
{
	uint32_t x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

	out[x * n + y] = in[y * n + x];
}

extern "C" __global__ void transpose_tiled(const float *in, float *out, uint32_t n)
{
	__shared__ float tile[TILE][TILE + 1];
	uint32_t tx = threadIdx.x, ty = threadIdx.y;

	tile[ty][tx] = in[(blockIdx.y * TILE + ty) * n + blockIdx.x * TILE + tx];
	__syncthreads();
	out[(blockIdx.x * TILE + ty) * n + blockIdx.y * TILE + tx] = tile[tx][ty];
}
