// pathfinder: cheapest path down a grid, row by row: cost(r, x) = weight(r, x) + the least of cost(r - 1, x - 1 .. x +
// 1).
//
// A launch does `height` rows. A CTA of 256 threads takes the columns of its own part and a halo of `height` columns on
// either side, which it computes again rather than talk to its neighbours; two rows in shared memory change places in
// every step.
#include "device.h"

enum { BLOCK = 256 };

extern "C" __global__ void pathfinder(const uint32_t *weight, const uint32_t *from, uint32_t *to, uint32_t cols, uint32_t first_row,
				      uint32_t height)
{
	__shared__ uint32_t cost[2][BLOCK];
	int32_t part = BLOCK - 2 * (int32_t)height, tx = (int32_t)threadIdx.x;
	int32_t x = (int32_t)blockIdx.x * part - (int32_t)height + tx;
	bool on_grid = x >= 0 && x < (int32_t)cols;
	uint32_t now = 0;

	cost[0][tx] = on_grid ? from[x] : 0xffffffff;
	cost[1][tx] = 0xffffffff;
	__syncthreads();
#pragma unroll 1
	for (int32_t s = 0; s < (int32_t)height; s++) {
		// What can be right in this step shrinks by a column on either side.
		if (on_grid && tx > s && tx < BLOCK - 1 - s) {
			uint32_t least = min(min(cost[now][tx - 1], cost[now][tx]), cost[now][tx + 1]);

			cost[1 - now][tx] = least + weight[(uint64_t)(first_row + (uint32_t)s) * cols + (uint32_t)x];
		}
		now = 1 - now;
		__syncthreads();
	}
	if (on_grid && tx >= (int32_t)height && tx < BLOCK - (int32_t)height)
		to[x] = cost[now][tx];
}
