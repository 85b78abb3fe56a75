// lps: a Jacobi step of the Laplace equation in three dimensions: a cell becomes the mean of its six neighbours. A CTA
// of (32,4) threads marches through z over 32 x 4 cells, with three planes of them and their rim in shared memory.
#include "device.h"

enum { TILE_X = 32, TILE_Y = 4, RIM_X = TILE_X + 2, RIM_Y = TILE_Y + 2, THREADS = TILE_X * TILE_Y };

// One of the up to two cells of a plane that a thread brings to shared memory, rim and all.
struct cell {
	uint32_t to;   // place in the plane of shared memory
	bool there;    // in the box
	uint64_t from; // place in the plane of the box
};

static __device__ __forceinline__ cell staged(uint32_t c, uint32_t nx, uint32_t ny)
{
	// -1, beyond the rim, wraps and is beyond nx and ny as well.
	uint32_t x = blockIdx.x * TILE_X + c % RIM_X - 1, y = blockIdx.y * TILE_Y + c / RIM_X - 1;

	return {c, c < RIM_X * RIM_Y && x < nx && y < ny, (uint64_t)y * nx + x};
}

extern "C" __global__ void lps(const float *in, float *out, uint32_t nx, uint32_t ny, uint32_t nz)
{
	__shared__ float s[3][RIM_Y * RIM_X];
	uint32_t t = threadIdx.y * TILE_X + threadIdx.x, at = (threadIdx.y + 1) * RIM_X + threadIdx.x + 1;
	uint32_t x = blockIdx.x * TILE_X + threadIdx.x, y = blockIdx.y * TILE_Y + threadIdx.y;
	bool there = x < nx && y < ny, on_rim = x == 0 || x == nx - 1 || y == 0 || y == ny - 1;
	uint64_t plane = (uint64_t)nx * ny;
	cell a = staged(t, nx, ny), b = staged(t + THREADS, nx, ny);
	float *below = s[2], *here = s[0], *above = s[1];

	if (a.there)
		here[a.to] = in[a.from];
	if (b.there)
		here[b.to] = in[b.from];
	out += (uint64_t)y * nx + x;
#pragma unroll 1
	for (uint32_t z = 0; z < nz; z++) {
		float *next;

		in += plane;
		if (z + 1 < nz && a.there)
			above[a.to] = in[a.from];
		if (z + 1 < nz && b.there)
			above[b.to] = in[b.from];
		__syncthreads();
		if (there) {
			float v = here[at];

			if (!on_rim && z > 0 && z < nz - 1)
				v = (here[at - 1] + here[at + 1] + here[at - RIM_X] + here[at + RIM_X] + below[at] + above[at]) *
				    (1.0f / 6.0f);
			*out = v;
		}
		out += plane;
		__syncthreads();
		next = below;
		below = here;
		here = above;
		above = next;
	}
}
