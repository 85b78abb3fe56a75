/* A persistent kernel: queue CTAS ITEMS FMAS. Its CTAs take items from a counter until there are none. */
#include "work.h"

__device__ int next_item;

__global__ void queue(float *out, int *taken, int items, int fmas, float one)
{
	__shared__ int item;

	for (;;) {
		if (threadIdx.x == 0)
			item = atomicAdd(&next_item, 1);
		__syncthreads();
		if (item >= items)
			return;
		if (threadIdx.x == 0)
			taken[blockIdx.x]++;
		out[item * (int)blockDim.x + (int)threadIdx.x] += work((float)item, fmas, one);
		__syncthreads();
	}
}

int main(int argc, char **argv)
{
	enum { THREADS = 64 };
	int ctas = argument(argc, argv, 1, 80), items = argument(argc, argv, 2, 800), fmas = argument(argc, argv, 3, 200);
	float *out = (float *)malloc((size_t)items * THREADS * sizeof(float)), *d_out;
	int *taken = (int *)malloc((size_t)ctas * sizeof(int)), *d_taken, sum = 0, most = 0;
	long wrong = 0;

	CHECK(cudaMalloc(&d_out, (size_t)items * THREADS * sizeof(float)));
	CHECK(cudaMemset(d_out, 0, (size_t)items * THREADS * sizeof(float)));
	CHECK(cudaMalloc(&d_taken, (size_t)ctas * sizeof(int)));
	CHECK(cudaMemset(d_taken, 0, (size_t)ctas * sizeof(int)));
	queue<<<ctas, THREADS>>>(d_out, d_taken, items, fmas, 1);
	CHECK(cudaMemcpy(out, d_out, (size_t)items * THREADS * sizeof(float), cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(taken, d_taken, (size_t)ctas * sizeof(int), cudaMemcpyDeviceToHost));
	for (int i = 0; i < items * THREADS; i++)
		wrong += out[i] != (float)(i / THREADS + fmas);
	for (int i = 0; i < ctas; i++) {
		sum += taken[i];
		most = taken[i] > most ? taken[i] : most;
	}
	wrong += sum != items;
	printf("queue: %d items at most\n", most);
	return verdict("queue", wrong);
}
