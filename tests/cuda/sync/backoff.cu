/* A wait with back-off and a limit of tries: backoff FMAS [1: without back-off]. CTA 0 waits for a flag that CTA 1 sets
 * FMAS later, and sleeps twice as long after each try, up to 256 ns. */
#include "work.h"

enum { LIMIT = 100000, LONGEST = 256 };

__device__ volatile int flag;
__device__ volatile float value;

__global__ void backoff(float *got, int fmas, bool sleeps, float one)
{
	int tries = 0;

	if (threadIdx.x)
		return;
	if (blockIdx.x == 1) {
		value = work(0, fmas, one);
		__threadfence();
		flag = 1;
		return;
	}
	for (unsigned ns = 1; !flag && tries < LIMIT; tries++) {
		if (sleeps)
			__nanosleep(ns);
		ns = ns < LONGEST ? 2 * ns : ns;
	}
	__threadfence();
	*got = tries < LIMIT ? value : -1;
}

int main(int argc, char **argv)
{
	int fmas = argument(argc, argv, 1, 2000);
	float got, *d;

	end_empty(fmas == 0);
	CHECK(cudaMalloc(&d, sizeof got));
	backoff<<<2, 32>>>(d, fmas, !argument(argc, argv, 2, 0), 1);
	CHECK(cudaMemcpy(&got, d, sizeof got, cudaMemcpyDeviceToHost));
	return verdict("backoff", got != (float)fmas);
}
