/* A hash table of chained buckets, each with a lock: hash CTAS BUCKETS. A CTA is a warp, whose lanes insert a key each,
 * one lane after the other. */
#include "work.h"

enum { MOST = 1024 };

__device__ int lock[MOST];
__device__ volatile int head[MOST], count[MOST]; /* of a bucket: the key inserted last, + 1; how many there are */

__host__ __device__ inline unsigned bucket_of(unsigned key, unsigned buckets)
{
	return key * 2654435761u % buckets;
}

__global__ void insert(int *next, unsigned buckets)
{
	unsigned key = blockIdx.x * blockDim.x + threadIdx.x, b = bucket_of(key, buckets);

	for (unsigned lane = 0; lane < 32; lane++) {
		if (threadIdx.x == lane) {
			while (atomicCAS(&lock[b], 0, 1) != 0)
				;
			__threadfence();
			next[key] = head[b];
			head[b] = (int)key + 1;
			count[b] = count[b] + 1;
			__threadfence();
			atomicExch(&lock[b], 0);
		}
		__syncwarp();
	}
}

int main(int argc, char **argv)
{
	int ctas = argument(argc, argv, 1, 8), buckets = argument(argc, argv, 2, 64), keys = 32 * ctas, heads[MOST], counts[MOST];
	int *next = (int *)malloc((size_t)keys * sizeof(int)), *d, found = 0;
	long wrong = 0;

	end_empty(ctas == 0);
	CHECK(cudaMalloc(&d, (size_t)keys * sizeof(int)));
	insert<<<ctas, 32>>>(d, (unsigned)buckets);
	CHECK(cudaMemcpy(next, d, (size_t)keys * sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpyFromSymbol(heads, head, sizeof heads));
	CHECK(cudaMemcpyFromSymbol(counts, count, sizeof counts));
	for (int b = 0; b < buckets; b++) {
		int n = 0;

		for (int k = heads[b]; k && n <= keys; k = next[k - 1], n++)
			wrong += bucket_of((unsigned)k - 1, (unsigned)buckets) != (unsigned)b;
		wrong += n != counts[b];
		found += n;
	}
	wrong += found != keys;
	return verdict("hash", wrong);
}
