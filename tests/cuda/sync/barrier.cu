/* A barrier over the grid, by hand or of cooperative groups: barrier CTAS ROUNDS [1: of cooperative groups]. In each
 * round every thread adds its neighbour's value of the round before; the neighbour is in the next CTA. */
#include <cooperative_groups.h>

#include "work.h"

__device__ unsigned arrived;
__device__ volatile unsigned generation;

struct by_hand {
	__device__ void sync()
	{
		__syncthreads();
		if (threadIdx.x == 0) {
			unsigned now = generation;

			__threadfence();
			if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
				arrived = 0;
				__threadfence();
				generation = now + 1;
			} else {
				while (generation == now)
					;
			}
			__threadfence();
		}
		__syncthreads();
	}
};

template <class barrier> __device__ void rounds_of(barrier all, volatile unsigned *x, int rounds)
{
	unsigned n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;

	for (int r = 0; r < rounds; r++) {
		volatile unsigned *from = x + (r % 2 ? n : 0), *to = x + (r % 2 ? 0 : n);

		to[i] = from[i] + from[(i + blockDim.x) % n];
		all.sync();
	}
}

__global__ void hand(unsigned *x, int rounds)
{
	rounds_of(by_hand(), x, rounds);
}

__global__ void groups(unsigned *x, int rounds)
{
	rounds_of(cooperative_groups::this_grid(), x, rounds);
}

int main(int argc, char **argv)
{
	enum { THREADS = 64 };
	int ctas = argument(argc, argv, 1, 80), rounds = argument(argc, argv, 2, 4), n = ctas * THREADS;
	size_t bytes = 2 * (size_t)n * sizeof(unsigned);
	unsigned *x = (unsigned *)malloc(bytes), *y = (unsigned *)malloc(bytes), *d;
	void *arguments[] = {&d, &rounds};
	long wrong = 0;

	for (int i = 0; i < 2 * n; i++)
		x[i] = (unsigned)(i + 1);
	CHECK(cudaMalloc(&d, bytes));
	CHECK(cudaMemcpy(d, x, bytes, cudaMemcpyHostToDevice));
	CHECK(cudaLaunchCooperativeKernel(argument(argc, argv, 3, 0) ? (void *)groups : (void *)hand, dim3((unsigned)ctas),
					  dim3(THREADS), arguments, 0, 0));
	CHECK(cudaMemcpy(y, d, bytes, cudaMemcpyDeviceToHost));
	for (int r = 0; r < rounds; r++)
		for (int i = 0; i < n; i++) {
			unsigned *from = x + (r % 2 ? n : 0), *to = x + (r % 2 ? 0 : n);

			to[i] = from[i] + from[(i + THREADS) % n];
		}
	for (int i = 0; i < 2 * n; i++)
		wrong += x[i] != y[i];
	return verdict("barrier", wrong);
}
