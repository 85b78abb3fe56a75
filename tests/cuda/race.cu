/* Two warps at the same words without a barrier: for `locus cuda --check`. */
#include <cstdio>

__global__ void mirror(int *to)
{
	__shared__ int word[64];

	word[threadIdx.x] = threadIdx.x;
	to[threadIdx.x] = word[63 - threadIdx.x];
}

int main()
{
	int *p;

	cudaMalloc(&p, 64 * sizeof *p);
	mirror<<<1, 64>>>(p);
	return cudaDeviceSynchronize() != cudaSuccess;
}
