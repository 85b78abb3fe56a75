/* Sums and maxima by warps and dynamic shared memory, of a grid that the occupancy calls choose. */
#include <algorithm>
#include <vector>

#include "check.h"

struct Sum {
	static constexpr int none = 0;
	__host__ __device__ static int of(int a, int b)
	{
		return a + b;
	}
};
struct Largest {
	static constexpr int none = -2147483647 - 1;
	__host__ __device__ static int of(int a, int b)
	{
		return a > b ? a : b;
	}
};

template <class Op> __device__ int reduce_warp(int v)
{
	for (int distance = 16; distance; distance /= 2)
		v = Op::of(v, __shfl_down_sync(0xffffffff, v, distance));
	return v;
}

/* One result a block. Shared: an int a warp. */
template <class Op> __global__ void reduce(const int *from, int *to, int n)
{
	extern __shared__ int of_warp[];
	int warps = blockDim.x / 32, v = Op::none;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		v = Op::of(v, from[i]);
	v = reduce_warp<Op>(v);
	if (threadIdx.x % 32 == 0)
		of_warp[threadIdx.x / 32] = v;
	__syncthreads();
	if (threadIdx.x < 32) {
		v = reduce_warp<Op>((int)threadIdx.x < warps ? of_warp[threadIdx.x] : Op::none);
		if (threadIdx.x == 0)
			to[blockIdx.x] = v;
	}
}

template <class Op> static int reduce_on_device(const int *data, int n)
{
	int grid, block, blocks, *partial, *result, value;
	size_t shared = 32 * sizeof(int);
	struct cudaFuncAttributes attributes;

	CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, reduce<Op>, shared));
	CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reduce<Op>, block, shared));
	CHECK(cudaFuncGetAttributes(&attributes, reduce<Op>));
	if (block % 32 || block > attributes.maxThreadsPerBlock || grid % blocks || attributes.sharedSizeBytes) {
		printf("sums: a grid of %d blocks of %d threads, %d on an SM, makes no sense\n", grid, block, blocks);
		exit(1);
	}
	grid = std::min(grid, 1024);
	CHECK(cudaMalloc(&partial, grid * sizeof(int)));
	CHECK(cudaMalloc(&result, sizeof(int)));
	reduce<Op><<<grid, block, shared>>>(data, partial, n);
	reduce<Op><<<1, block, shared>>>(partial, result, grid);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(&value, result, sizeof value, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(partial));
	CHECK(cudaFree(result));
	return value;
}

int main()
{
	enum { N = 10007 };
	std::vector<int> data(N);
	int sum = Sum::none, largest = Largest::none, *d;
	long wrong;

	for (int i = 0; i < N; i++) {
		data[i] = (int)(i * 2654435761u >> 12) - 500000;
		sum = Sum::of(sum, data[i]);
		largest = Largest::of(largest, data[i]);
	}
	CHECK(cudaMalloc(&d, N * sizeof(int)));
	CHECK(cudaMemcpy(d, data.data(), N * sizeof(int), cudaMemcpyHostToDevice));
	wrong = (reduce_on_device<Sum>(d, N) != sum) + (reduce_on_device<Largest>(d, N) != largest);
	CHECK(cudaFree(d));
	return verdict("sums", wrong);
}
