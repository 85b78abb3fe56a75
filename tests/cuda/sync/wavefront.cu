/* A wavefront: wavefront SIDE. SIDE x SIDE tiles, each of a CTA, which waits for the flags of its left and of its upper
 * neighbour. a[i][j] = a[i - 1][j] + a[i][j - 1], with 1 along both edges: binomial coefficients, modulo 2^32. */
#include "work.h"

enum { TILE = 32, MOST = 16 };

__device__ volatile int done[MOST][MOST];
__device__ volatile unsigned bottom[MOST][MOST * TILE]; /* the last row of each row of tiles */
__device__ volatile unsigned right[MOST][MOST * TILE];	/* the last column of each column of tiles */

__global__ void wavefront(unsigned *a)
{
	int x = (int)blockIdx.x, y = (int)blockIdx.y, lane = (int)threadIdx.x, n = (int)gridDim.x * TILE;
	unsigned up, beside, v = 0;

	if (lane == 0 && x > 0)
		while (!done[y][x - 1])
			;
	if (lane == 0 && y > 0)
		while (!done[y - 1][x])
			;
	__threadfence();
	__syncwarp();
	up = y > 0 ? bottom[y - 1][x * TILE + lane] : 1;
	beside = x > 0 ? right[x - 1][y * TILE + lane] : 1;
	/* A lane is a column, and a row behind the lane to its left. */
	for (int step = 0; step < 2 * TILE - 1; step++) {
		unsigned left = __shfl_up_sync(~0u, v, 1), edge = __shfl_sync(~0u, beside, step % TILE);
		int row = step - lane;

		if (lane == 0)
			left = edge;
		if (row >= 0 && row < TILE) {
			v = up + left;
			up = v;
			a[(y * TILE + row) * n + x * TILE + lane] = v;
			if (lane == TILE - 1)
				right[x][y * TILE + row] = v;
			if (row == TILE - 1)
				bottom[y][x * TILE + lane] = v;
		}
	}
	__threadfence();
	__syncwarp();
	if (lane == 0)
		done[y][x] = 1;
}

int main(int argc, char **argv)
{
	int side = argument(argc, argv, 1, 8), n = side * TILE;
	size_t bytes = (size_t)n * (size_t)n * sizeof(unsigned);
	unsigned *a = (unsigned *)malloc(bytes), *d;
	long wrong = 0;

	end_empty(side == 0);
	CHECK(cudaMalloc(&d, bytes));
	wavefront<<<dim3((unsigned)side, (unsigned)side), TILE>>>(d);
	CHECK(cudaMemcpy(a, d, bytes, cudaMemcpyDeviceToHost));
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			wrong += a[i * n + j] != (i ? a[(i - 1) * n + j] : 1) + (j ? a[i * n + j - 1] : 1);
	return verdict("wavefront", wrong);
}
