/* A template with dynamic shared memory, an extended lambda, occupancy, pinned and managed memory, two streams. */
#include <cstdio>
#include <cuda_runtime.h>

template <class T, class F> __global__ void reduce(const T *in, T *out, int n, F f, T first)
{
	extern __shared__ __align__(16) char raw[];
	T *part = reinterpret_cast<T *>(raw), sum = first;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		sum = f(sum, in[i]);
	part[threadIdx.x] = sum;
	__syncthreads();
	for (unsigned by = blockDim.x / 2; by > 0; by /= 2) {
		if (threadIdx.x < by)
			part[threadIdx.x] = f(part[threadIdx.x], part[threadIdx.x + by]);
		__syncthreads();
	}
	if (threadIdx.x == 0)
		out[blockIdx.x] = part[0];
}

int main()
{
	const int n = 10000, grid = 8, block = 256;
	auto add = [] __device__(double a, double b) { return a + b; };
	auto most = [] __device__(int a, int b) { return max(a, b); };
	double *in, *d_in, *sums, total = 0;
	int *numbers, *maxima, best = 0, ctas = 0, wide = 0, many = 0;
	cudaStream_t stream[2];

	cudaHostAlloc(&in, n * sizeof *in, cudaHostAllocDefault);
	cudaMalloc(&d_in, n * sizeof *d_in);
	cudaMallocManaged(&sums, grid * sizeof *sums);
	cudaMallocManaged(&numbers, n * sizeof *numbers);
	cudaMallocManaged(&maxima, grid * sizeof *maxima);
	for (int i = 0; i < n; i++) {
		in[i] = i;
		numbers[i] = (i * 7919) % n;
	}
	for (cudaStream_t &s : stream)
		cudaStreamCreate(&s);
	cudaMemcpyAsync(d_in, in, n * sizeof *in, cudaMemcpyHostToDevice, stream[0]);
	reduce<<<grid, block, block * sizeof(double), stream[0]>>>(d_in, sums, n, add, 0.0);
	reduce<<<grid, block, block * sizeof(int), stream[1]>>>(numbers, maxima, n, most, -1);
	cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, reduce<int, decltype(most)>, block, block * sizeof(int));
	cudaOccupancyMaxPotentialBlockSize(&many, &wide, reduce<int, decltype(most)>);
	for (cudaStream_t s : stream)
		cudaStreamSynchronize(s);
	for (int i = 0; i < grid; i++) {
		total += sums[i];
		best = maxima[i] > best ? maxima[i] : best;
	}
	puts(total == (double)n * (n - 1) / 2 && best == n - 1 && ctas > 0 && wide >= 32 && many > 0 && !cudaGetLastError()
		     ? "reduce: ok"
		     : "reduce: wrong");
	return 0;
}
