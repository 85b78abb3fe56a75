// srad: speckle-reducing anisotropic diffusion of an image, two launches a step, blocks of (16,16). The first finds how
// freely each cell lets brightness flow, the second lets it flow. Tiles stand in shared memory with their rims in tiles
// of their own, of which one row or column is used.
#include "device.h"

enum { TILE = 16 };

// Rows above the first and so on are the first: over the border nothing flows.
struct place {
	uint32_t x, y;
	uint64_t at, above, below, left, right;
};

static __device__ __forceinline__ place my_place(uint32_t rows, uint32_t cols)
{
	place p;

	p.x = blockIdx.x * TILE + threadIdx.x;
	p.y = blockIdx.y * TILE + threadIdx.y;
	p.at = (uint64_t)p.y * cols + p.x;
	p.above = p.y > 0 ? p.at - cols : p.at;
	p.below = p.y < rows - 1 ? p.at + cols : p.at;
	p.left = p.x > 0 ? p.at - 1 : p.at;
	p.right = p.x < cols - 1 ? p.at + 1 : p.at;
	return p;
}

// slope: four planes, of the differences to the neighbours above, below, left and right. noise: the square of the
// speckle's coefficient of variation.
extern "C" __global__ void srad_flow(const float *image, float *slope, float *flow, uint32_t rows, uint32_t cols, float noise)
{
	__shared__ float here[TILE][TILE], north[TILE][TILE], south[TILE][TILE], west[TILE][TILE], east[TILE][TILE], out[TILE][TILE];
	uint32_t tx = threadIdx.x, ty = threadIdx.y;
	place p = my_place(rows, cols);
	uint64_t cells = (uint64_t)rows * cols;
	float j, n, s, w, e, gradient, laplace, variation, root;

	here[ty][tx] = image[p.at];
	if (ty == 0)
		north[ty][tx] = image[p.above];
	if (ty == TILE - 1)
		south[ty][tx] = image[p.below];
	if (tx == 0)
		west[ty][tx] = image[p.left];
	if (tx == TILE - 1)
		east[ty][tx] = image[p.right];
	__syncthreads();
	j = here[ty][tx];
	n = (ty == 0 ? north[ty][tx] : here[ty - 1][tx]) - j;
	s = (ty == TILE - 1 ? south[ty][tx] : here[ty + 1][tx]) - j;
	w = (tx == 0 ? west[ty][tx] : here[ty][tx - 1]) - j;
	e = (tx == TILE - 1 ? east[ty][tx] : here[ty][tx + 1]) - j;
	gradient = (n * n + s * s + w * w + e * e) / (j * j);
	laplace = (n + s + w + e) / j;
	root = 1 + 0.25f * laplace;
	variation = (0.5f * gradient - 0.0625f * laplace * laplace) / (root * root);
	out[ty][tx] = 1 / (1 + (variation - noise) / (noise * (1 + noise)));
	__syncthreads();
	slope[p.at] = n;
	slope[cells + p.at] = s;
	slope[2 * cells + p.at] = w;
	slope[3 * cells + p.at] = e;
	flow[p.at] = fminf(fmaxf(out[ty][tx], 0), 1);
}

// Towards the neighbours above and left a cell's own flow counts, towards the others theirs.
extern "C" __global__ void srad_step(float *image, const float *slope, const float *flow, uint32_t rows, uint32_t cols, float lambda)
{
	__shared__ float here[TILE][TILE], south[TILE][TILE], east[TILE][TILE], bright[TILE][TILE], out[TILE][TILE];
	uint32_t tx = threadIdx.x, ty = threadIdx.y;
	place p = my_place(rows, cols);
	uint64_t cells = (uint64_t)rows * cols;
	float own, below, right;

	here[ty][tx] = flow[p.at];
	bright[ty][tx] = image[p.at];
	if (ty == TILE - 1)
		south[ty][tx] = flow[p.below];
	if (tx == TILE - 1)
		east[ty][tx] = flow[p.right];
	__syncthreads();
	own = here[ty][tx];
	below = ty == TILE - 1 ? south[ty][tx] : here[ty + 1][tx];
	right = tx == TILE - 1 ? east[ty][tx] : here[ty][tx + 1];
	out[ty][tx] = bright[ty][tx] + 0.25f * lambda *
					       (own * slope[p.at] + below * slope[cells + p.at] + own * slope[2 * cells + p.at] +
						right * slope[3 * cells + p.at]);
	__syncthreads();
	image[p.at] = out[ty][tx];
}
