// stencil3d: seven points, out = c0 * (the six neighbours) + c1 * here, marching through z. A CTA of (32,4) threads
// takes a column of
// 64 x 4 cells, two a thread; the plane in hand stands in shared memory, the planes above and below in registers, and
// what lies beside the tile comes from global memory.
#include "device.h"

enum { TILE_X = 64, TILE_Y = 4 };


static __device__ __forceinline__ float beside(const float *in, const float (*s)[TILE_X], int32_t tx, int32_t ty, uint64_t at,
					       uint32_t nx)
{
	float left = tx > 0 ? s[ty][tx - 1] : in[at - 1], right = tx < TILE_X - 1 ? s[ty][tx + 1] : in[at + 1];
	float above = ty > 0 ? s[ty - 1][tx] : in[at - nx], below = ty < TILE_Y - 1 ? s[ty + 1][tx] : in[at + nx];

	return left + right + above + below;
}

extern "C" __global__ void stencil3d(const float *in, float *out, float c0, float c1, uint32_t nx, uint32_t ny, uint32_t nz)
{
	__shared__ float s[TILE_Y][TILE_X];
	int32_t tx[2] = {(int32_t)threadIdx.x, (int32_t)threadIdx.x + TILE_X / 2}, ty = (int32_t)threadIdx.y;
	uint32_t y = blockIdx.y * TILE_Y + threadIdx.y;
	uint64_t plane = (uint64_t)nx * ny, at[2];
	float bottom[2], here[2];
	bool there[2], inside[2];

#pragma unroll
	for (int i = 0; i < 2; i++) {
		uint32_t x = blockIdx.x * TILE_X + (uint32_t)tx[i];

		at[i] = (uint64_t)y * nx + x;
		there[i] = x < nx && y < ny;
		inside[i] = there[i] && x > 0 && x < nx - 1 && y > 0 && y < ny - 1;
		bottom[i] = there[i] ? in[at[i]] : 0;
		here[i] = there[i] ? in[at[i] + plane] : 0;
	}
#pragma unroll 1
	for (uint32_t z = 1; z + 1 < nz; z++) {
#pragma unroll
		for (int i = 0; i < 2; i++) {
			at[i] += plane;
			s[ty][tx[i]] = here[i];
		}
		__syncthreads();
#pragma unroll
		for (int i = 0; i < 2; i++) {
			float top = there[i] ? in[at[i] + plane] : 0;

			if (inside[i])
				out[at[i]] = c0 * (top + bottom[i] + beside(in, s, tx[i], ty, at[i], nx)) + c1 * here[i];
			bottom[i] = here[i];
			here[i] = top;
		}
		__syncthreads();
	}
}
