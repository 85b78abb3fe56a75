/* C = alpha A B + beta C by tiles in shared memory, of either precision, timed by events. The elements are small
 * integers, so that every sum is exact. */
#include <vector>

#include "check.h"

template <class T, int TILE> __global__ void gemm(const T *a, const T *b, T *c, int n, T alpha, T beta)
{
	__shared__ T tile_a[TILE][TILE], tile_b[TILE][TILE + 1];
	int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
	T sum = 0;

	for (int t = 0; t < n; t += TILE) {
		bool in_a = row < n && t + threadIdx.x < n, in_b = column < n && t + threadIdx.y < n;

		tile_a[threadIdx.y][threadIdx.x] = in_a ? a[row * n + t + threadIdx.x] : T(0);
		tile_b[threadIdx.y][threadIdx.x] = in_b ? b[(t + threadIdx.y) * n + column] : T(0);
		__syncthreads();
#pragma unroll
		for (int k = 0; k < TILE; k++)
			sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
		__syncthreads();
	}
	if (row < n && column < n)
		c[row * n + column] = alpha * sum + beta * c[row * n + column];
}

template <class T> static std::vector<T> gemm_on_host(const std::vector<T> &a, const std::vector<T> &b, std::vector<T> c, int n)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			T sum = 0;

			for (int k = 0; k < n; k++)
				sum += a[i * n + k] * b[k * n + j];
			c[i * n + j] = 2 * sum + 3 * c[i * n + j];
		}
	return c;
}

template <class T, int TILE> static long try_one(int n)
{
	std::vector<T> a(n * n), b(n * n), c(n * n), result(n * n);
	size_t bytes = n * n * sizeof(T);
	dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
	cudaEvent_t begin, end;
	float ms = -1;
	long wrong = 0;
	T *d_a, *d_b, *d_c;

	for (int i = 0; i < n * n; i++) {
		a[i] = T(i % 7 - 3);
		b[i] = T(i % 5 - 2);
		c[i] = T(i % 3);
	}
	CHECK(cudaMalloc(&d_a, bytes));
	CHECK(cudaMalloc(&d_b, bytes));
	CHECK(cudaMalloc(&d_c, bytes));
	CHECK(cudaEventCreate(&begin));
	CHECK(cudaEventCreate(&end));
	CHECK(cudaEventRecord(begin));
	CHECK(cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(d_c, c.data(), bytes, cudaMemcpyHostToDevice));
	gemm<T, TILE><<<grid, block>>>(d_a, d_b, d_c, n, T(2), T(3));
	CHECK(cudaGetLastError());
	CHECK(cudaEventRecord(end));
	CHECK(cudaEventSynchronize(end));
	CHECK(cudaEventElapsedTime(&ms, begin, end));
	CHECK(cudaMemcpy(result.data(), d_c, bytes, cudaMemcpyDeviceToHost));
	c = gemm_on_host(a, b, c, n);
	for (int i = 0; i < n * n; i++)
		wrong += result[i] != c[i];
	CHECK(cudaEventDestroy(begin));
	CHECK(cudaEventDestroy(end));
	CHECK(cudaFree(d_a));
	CHECK(cudaFree(d_b));
	CHECK(cudaFree(d_c));
	return wrong + !(ms > 0); /* copies take time */
}

int main()
{
	return verdict("gemm", try_one<float, 16>(50) + try_one<double, 8>(33) + try_one<int, 4>(16));
}
