/* C = A B with K in SPLITS parts: splitk SPLITS, or splitk SPLITS 1 without turns. The CTAs of a tile of C add their
 * parts in turn, by a semaphore of the tile; without turns only the last part is stored. */
#include "work.h"

enum { SIDE = 64, K = 512, TILE = 16, TILES = SIDE / TILE };

__device__ volatile int semaphore[TILES * TILES];

template <bool turns> __global__ void splitk(const float *a, const float *b, float *c, int depth)
{
	__shared__ float as[TILE][TILE], bs[TILE][TILE];
	int x = (int)threadIdx.x, y = (int)threadIdx.y, part = (int)blockIdx.z;
	int row = (int)blockIdx.y * TILE + y, column = (int)blockIdx.x * TILE + x, tile = (int)(blockIdx.y * TILES + blockIdx.x);
	float sum = 0;

	for (int k = part * depth; k < (part + 1) * depth; k += TILE) {
		as[y][x] = a[row * K + k + x];
		bs[y][x] = b[(k + y) * SIDE + column];
		__syncthreads();
		for (int i = 0; i < TILE; i++)
			sum += as[y][i] * bs[i][x];
		__syncthreads();
	}
	if (!turns) {
		if (part == (int)gridDim.z - 1)
			c[row * SIDE + column] = sum;
		return;
	}
	if (x == 0 && y == 0) {
		while (semaphore[tile] != part)
			;
		__threadfence();
	}
	__syncthreads();
	if (part > 0)
		sum += c[row * SIDE + column];
	c[row * SIDE + column] = sum;
	__threadfence();
	__syncthreads();
	if (x == 0 && y == 0)
		semaphore[tile] = part + 1;
}

static float a[SIDE * K], b[K * SIDE], c[SIDE * SIDE];

int main(int argc, char **argv)
{
	int splits = argument(argc, argv, 1, 4);
	bool apart = argument(argc, argv, 2, 0);
	dim3 grid(TILES, TILES, (unsigned)splits), block(TILE, TILE);
	float *d_a, *d_b, *d_c;
	long wrong = 0;

	for (int i = 0; i < SIDE * K; i++) {
		a[i] = (float)(i * 7 % 11 - 5);
		b[i] = (float)(i * 5 % 13 - 6);
	}
	CHECK(cudaMalloc(&d_a, sizeof a));
	CHECK(cudaMalloc(&d_b, sizeof b));
	CHECK(cudaMalloc(&d_c, sizeof c));
	CHECK(cudaMemcpy(d_a, a, sizeof a, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(d_b, b, sizeof b, cudaMemcpyHostToDevice));
	if (apart)
		splitk<false><<<grid, block>>>(d_a, d_b, d_c, K / splits);
	else
		splitk<true><<<grid, block>>>(d_a, d_b, d_c, K / splits);
	CHECK(cudaMemcpy(c, d_c, sizeof c, cudaMemcpyDeviceToHost));
	for (int i = 0; i < SIDE; i++)
		for (int j = 0; j < SIDE; j++) {
			float sum = 0;

			for (int k = apart ? K - K / splits : 0; k < K; k++)
				sum += a[i * K + k] * b[k * SIDE + j];
			wrong += c[i * SIDE + j] != sum;
		}
	return verdict("splitk", wrong);
}
