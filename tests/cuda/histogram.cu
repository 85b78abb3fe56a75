/* Each thread draws numbers from a generator of its own, as with cuRAND, and counts them: in shared memory first, then
 * in the histogram of all. The host draws the same. */
#include <vector>

#include "check.h"

enum { BLOCKS = 6, THREADS = 96, DRAWS = 20, BINS = 64 };

/* O'Neill's PCG with 32 bits of output (pcg-random.org); each stream has another increment. */
struct Generator {
	unsigned long long state, increment;

	__host__ __device__ explicit Generator(unsigned stream) : state(0), increment(2ull * stream + 1)
	{
		next();
		state += 42;
		next();
	}
	__host__ __device__ unsigned next()
	{
		unsigned long long old = state;
		unsigned mixed = (unsigned)(((old >> 18) ^ old) >> 27), turn = (unsigned)(old >> 59);

		state = old * 6364136223846793005ull + increment;
		return mixed >> turn | mixed << (-turn & 31);
	}
};

__global__ void count(unsigned *histogram, unsigned *largest, float *sum)
{
	__shared__ unsigned bins[BINS];
	Generator random(blockIdx.x * blockDim.x + threadIdx.x);

	for (int b = threadIdx.x; b < BINS; b += blockDim.x)
		bins[b] = 0;
	__syncthreads();
	for (int i = 0; i < DRAWS; i++) {
		unsigned v = random.next();

		atomicAdd(&bins[v % BINS], 1u);
		atomicMax(largest, v);
		atomicAdd(sum, (float)(v % 8)); /* whole numbers: exact in any order */
	}
	__syncthreads();
	for (int b = threadIdx.x; b < BINS; b += blockDim.x)
		atomicAdd(&histogram[b], bins[b]);
}

int main()
{
	std::vector<unsigned> result(BINS), expected(BINS);
	unsigned *histogram, *largest, most, expected_most = 0;
	float *sum, total, expected_total = 0;
	long wrong = 0;

	CHECK(cudaMalloc(&histogram, BINS * sizeof(unsigned)));
	CHECK(cudaMalloc(&largest, sizeof(unsigned)));
	CHECK(cudaMalloc(&sum, sizeof(float)));
	CHECK(cudaMemset(histogram, 0, BINS * sizeof(unsigned)));
	CHECK(cudaMemset(largest, 0, sizeof(unsigned)));
	CHECK(cudaMemset(sum, 0, sizeof(float)));
	count<<<BLOCKS, THREADS>>>(histogram, largest, sum);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(result.data(), histogram, BINS * sizeof(unsigned), cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(&most, largest, sizeof most, cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(&total, sum, sizeof total, cudaMemcpyDeviceToHost));
	for (unsigned thread = 0; thread < BLOCKS * THREADS; thread++) {
		Generator random(thread);

		for (int i = 0; i < DRAWS; i++) {
			unsigned v = random.next();

			expected[v % BINS]++;
			expected_most = v > expected_most ? v : expected_most;
			expected_total += (float)(v % 8);
		}
	}
	for (int b = 0; b < BINS; b++)
		wrong += result[b] != expected[b];
	wrong += most != expected_most || total != expected_total;
	CHECK(cudaFree(histogram));
	CHECK(cudaFree(largest));
	CHECK(cudaFree(sum));
	return verdict("histogram", wrong);
}
