#include "../check.h"
#include "state.h"

__device__ int total = 1000;
__constant__ int factor[STEPS];
__managed__ int visits[STEPS];
namespace deep
{
__device__ long last;
static __device__ int hidden = 70;
} // namespace deep
static __device__ int secret = 7; /* main.cu has one of that name too */
namespace
{
__device__ int unnamed = 700;
}

__device__ int scaled(int step, int x)
{
	visits[step]++;
	return factor[step] * x;
}

__global__ void add_secrets(int *to)
{
	*to = secret + deep::hidden + unnamed;
}

int read_secret()
{
	int *sum, is, is_secret, eight = 8;

	CHECK(cudaMalloc(&sum, sizeof *sum));
	add_secrets<<<1, 1>>>(sum);
	CHECK(cudaMemcpy(&is, sum, sizeof is, cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpyFromSymbol(&is_secret, secret, sizeof secret));
	CHECK(cudaMemcpyToSymbol(deep::hidden, &eight, sizeof eight));
	CHECK(cudaFree(sum));
	return is * 10 + is_secret;
}
