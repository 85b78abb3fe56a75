/* Sums of elements that lie about in memory, 32 lines for a warp's load: for scripts/compare-gpgpusim-speed. */
#include <cstdio>
#include <vector>

enum { N = 1 << 20, THREADS = 1 << 16, BLOCK = 256, LOADS = 8 };

__global__ void gather(const int *index, const float *a, float *sum)
{
	int i = blockIdx.x * BLOCK + threadIdx.x;
	float s = 0;

	for (int k = 0; k < LOADS; k++)
		s += a[index[k * THREADS + i]];
	sum[i] = s;
}

int main()
{
	std::vector<int> index(LOADS * THREADS);
	std::vector<float> a(N, 1), r(THREADS);
	unsigned state = 1;
	int *i;
	float *e, *s;

	for (int &x : index)
		x = (state = state * 1664525 + 1013904223) >> 12;
	cudaMalloc(&i, index.size() * sizeof(int));
	cudaMalloc(&e, N * sizeof(float));
	cudaMalloc(&s, THREADS * sizeof(float));
	cudaMemcpy(i, index.data(), index.size() * sizeof(int), cudaMemcpyHostToDevice);
	cudaMemcpy(e, a.data(), N * sizeof(float), cudaMemcpyHostToDevice);
	gather<<<THREADS / BLOCK, BLOCK>>>(i, e, s);
	cudaMemcpy(r.data(), s, THREADS * sizeof(float), cudaMemcpyDeviceToHost);
	printf("%s\n", r[0] == LOADS && r[THREADS - 1] == LOADS ? "right" : "wrong");
	return r[0] != LOADS;
}
