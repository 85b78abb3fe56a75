/* Kernels' malloc has 8 MiB, and what cudaDeviceSetLimit asks for after that. */
#include "check.h"

__global__ void take(size_t bytes, char **p)
{
	*p = (char *)malloc(bytes);
	if (*p)
		(*p)[bytes - 1] = 1;
}

__global__ void give(char **p)
{
	free(*p);
}

static int takes(size_t bytes, char **p)
{
	int got;

	take<<<1, 1>>>(bytes, p);
	CHECK(cudaDeviceSynchronize());
	got = *p != nullptr;
	give<<<1, 1>>>(p);
	CHECK(cudaDeviceSynchronize());
	return got;
}

int main()
{
	const size_t mib = 1 << 20;
	size_t limit = 0;
	long wrong = 0;
	char **p;

	CHECK(cudaMallocManaged(&p, sizeof *p));
	CHECK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
	wrong += limit != 8 * mib;
	wrong += !takes(8 * mib, p) + takes(8 * mib + 1, p);
	CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 * mib));
	CHECK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
	wrong += limit != 64 * mib;
	wrong += !takes(64 * mib, p) + takes(64 * mib + 1, p);
	wrong += cudaDeviceSetLimit(cudaLimitMallocHeapSize, (size_t)1 << 50) != cudaErrorMemoryAllocation;
	return verdict("heap", wrong);
}
