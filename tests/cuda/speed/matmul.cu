/* C = A B by tiles of 16 in shared memory: a program for scripts/compare-gpgpusim-speed. */
#include <cstdio>
#include <vector>

enum { TILE = 16, N = 256 };

__global__ void matmul(const float *a, const float *b, float *c)
{
	__shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
	int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
	float sum = 0;

	for (int t = 0; t < N; t += TILE) {
		tile_a[threadIdx.y][threadIdx.x] = a[row * N + t + threadIdx.x];
		tile_b[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * N + column];
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
		__syncthreads();
	}
	c[row * N + column] = sum;
}

int main()
{
	std::vector<float> h(N * N, 1), r(N * N);
	size_t bytes = h.size() * sizeof h[0];
	float *a, *b, *c;

	cudaMalloc(&a, bytes);
	cudaMalloc(&b, bytes);
	cudaMalloc(&c, bytes);
	cudaMemcpy(a, h.data(), bytes, cudaMemcpyHostToDevice);
	cudaMemcpy(b, h.data(), bytes, cudaMemcpyHostToDevice);
	matmul<<<dim3(N / TILE, N / TILE), dim3(TILE, TILE)>>>(a, b, c);
	cudaMemcpy(r.data(), c, bytes, cudaMemcpyDeviceToHost);
	printf("%s\n", r[0] == N && r[N * N - 1] == N ? "right" : "wrong");
	return r[0] != N;
}
