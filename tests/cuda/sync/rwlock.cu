/* A reader-writer lock: rwlock CTAS WRITERS FMAS. The first WRITERS of CTAS CTAs write a version number to all of a
 * page, FMAS later; the others read the page, twice, FMAS apart, and find one version in it. */
#include "work.h"

enum { MOST = 1024 };
__device__ int lock; /* readers that hold it; -1: a writer does */
__device__ volatile int page[32];
__device__ int found[MOST]; /* by CTA: the version it read or wrote, or -1 */

__device__ void lock_to_read()
{
	for (;;) {
		int held = *(volatile int *)&lock;

		if (held >= 0 && atomicCAS(&lock, held, held + 1) == held)
			break;
	}
	__threadfence();
}

__device__ void lock_to_write()
{
	while (atomicCAS(&lock, 0, -1) != 0)
		;
	__threadfence();
}

__global__ void rwlock(int writers, int fmas, float one)
{
	unsigned lane = threadIdx.x;
	bool writes = (int)blockIdx.x < writers;
	int version, again;

	if (lane == 0 && writes)
		lock_to_write();
	else if (lane == 0)
		lock_to_read();
	__syncwarp();
	version = page[lane];
	again = (int)work((float)version, fmas, one) - fmas;
	if (writes)
		page[lane] = ++version;
	else
		again = page[lane];
	if (!__all_sync(~0u, version == __shfl_sync(~0u, version, 0) && again == version - writes))
		version = -1;
	__threadfence();
	__syncwarp();
	if (lane == 0) {
		found[blockIdx.x] = version;
		if (writes)
			atomicExch(&lock, 0);
		else
			atomicSub(&lock, 1);
	}
}

int main(int argc, char **argv)
{
	int ctas = argument(argc, argv, 1, 40), writers = argument(argc, argv, 2, 8), fmas = argument(argc, argv, 3, 200);
	int of[MOST], seen[MOST + 1] = {0}, last[32], held;
	long wrong = 0;

	end_empty(ctas == 0);
	rwlock<<<ctas, 32>>>(writers, fmas, 1);
	CHECK(cudaMemcpyFromSymbol(of, found, sizeof of));
	CHECK(cudaMemcpyFromSymbol(last, page, sizeof last));
	CHECK(cudaMemcpyFromSymbol(&held, lock, sizeof held));
	for (int i = 0; i < ctas; i++) {
		wrong += of[i] < 0 || of[i] > writers;
		if (i < writers && of[i] >= 0)
			wrong += seen[of[i]]++; /* each version is written once */
	}
	for (int i = 0; i < 32; i++)
		wrong += last[i] != writers;
	wrong += held != 0;
	return verdict("rwlock", wrong);
}
