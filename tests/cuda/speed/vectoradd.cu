/* Sums of two vectors: a stream, for scripts/compare-gpgpusim-speed. */
#include <cstdio>
#include <vector>

enum { N = 1 << 18, BLOCK = 256 };

__global__ void vectoradd(const float *a, const float *b, float *c)
{
	int i = blockIdx.x * BLOCK + threadIdx.x;

	c[i] = a[i] + b[i];
}

int main()
{
	std::vector<float> h(N, 1), r(N);
	size_t bytes = h.size() * sizeof h[0];
	float *a, *b, *c;

	cudaMalloc(&a, bytes);
	cudaMalloc(&b, bytes);
	cudaMalloc(&c, bytes);
	cudaMemcpy(a, h.data(), bytes, cudaMemcpyHostToDevice);
	cudaMemcpy(b, h.data(), bytes, cudaMemcpyHostToDevice);
	vectoradd<<<N / BLOCK, BLOCK>>>(a, b, c);
	cudaMemcpy(r.data(), c, bytes, cudaMemcpyDeviceToHost);
	printf("%s\n", r[0] == 2 && r[N - 1] == 2 ? "right" : "wrong");
	return r[0] != 2;
}
