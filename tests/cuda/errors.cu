/* What can be wrong with a call, and the error that CUDA's documentation gives it. None of them keeps the device from
 * working; what does is tried with an argument: "errors assert", "errors wild". */
#include <cassert>
#include <cstring>

#include "check.h"

static long wrong;

static void expect(cudaError_t error, cudaError_t expected, const char *what)
{
	if (error != expected) {
		printf("errors: %s gives %s, not %s\n", what, cudaGetErrorName(error), cudaGetErrorName(expected));
		wrong++;
	}
}

__global__ void say(int *to, int n)
{
	assert(threadIdx.x < blockDim.x);
	if (threadIdx.x == 0)
		printf("block %u of %u: %d %s %.2f\n", blockIdx.x, gridDim.x, n, "words", 0.25);
	to[blockIdx.x] = n;
}

__global__ void doubt(int n)
{
	assert(n > (int)threadIdx.x);
}

/* A launch is not an expression: its error is what the runtime keeps of it. */
static void launches(int *d)
{
	say<<<1, 2048>>>(d, 1);
	expect(cudaPeekAtLastError(), cudaErrorInvalidConfiguration, "a block of 2048 threads");
	expect(cudaGetLastError(), cudaErrorInvalidConfiguration, "the error that was looked at");
	expect(cudaGetLastError(), cudaSuccess, "the error that was taken");
	say<<<0, 32>>>(d, 1);
	expect(cudaGetLastError(), cudaErrorInvalidConfiguration, "a grid of no block");
	say<<<1, dim3(1, 1, 128)>>>(d, 1);
	expect(cudaGetLastError(), cudaErrorInvalidConfiguration, "a block of depth 128");
	say<<<dim3(1, 70000), 32>>>(d, 1);
	expect(cudaGetLastError(), cudaErrorInvalidConfiguration, "a grid of height 70,000");
	say<<<1, 32, 64 << 20>>>(d, 1);
	expect(cudaGetLastError(), cudaErrorInvalidValue, "shared memory of 64 MB");
}

static void calls(int *d)
{
	static int host[4];
	size_t available, total;
	void *p = d;

	expect(cudaSetDevice(99), cudaErrorInvalidDevice, "device 99");
	expect(cudaMemcpy(d, host, sizeof host, (cudaMemcpyKind)77), cudaErrorInvalidMemcpyDirection, "direction 77");
	expect(cudaMemcpy2D(d, 4, host, 8, 8, 1, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue,
	       "a row longer than its pitch");
	CHECK(cudaMemGetInfo(&available, &total));
	expect(cudaMalloc(&p, total + 1), cudaErrorMemoryAllocation, "more memory than there is");
	expect(cudaMalloc((void **)nullptr, 4), cudaErrorInvalidValue, "memory that nobody gets");
	expect(cudaEventQuery(nullptr), cudaErrorInvalidResourceHandle, "no event");
	expect(cudaFree(nullptr), cudaSuccess, "freeing nothing");
	cudaGetLastError();
}

/* Such an error stays: every call returns it from then on. */
static int fatal(const char *which, int *d)
{
	cudaError_t expected = strcmp(which, "assert") ? cudaErrorIllegalAddress : cudaErrorAssert;

	if (expected == cudaErrorAssert)
		doubt<<<1, 64>>>(63);
	else
		say<<<1, 32>>>(d + (1 << 28), 1);
	expect(cudaDeviceSynchronize(), expected, "a kernel that fails");
	expect(cudaMemset(d, 0, 4), expected, "a call after it");
	expect(cudaGetLastError(), expected, "the last error");
	return verdict("errors", wrong);
}

int main(int argc, char **argv)
{
	int *d, result[2] = {0, 0};

	CHECK(cudaMalloc(&d, sizeof result));
	if (argc > 1)
		return fatal(argv[1], d);
	launches(d);
	calls(d);
	say<<<2, 32>>>(d, 7);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(result, d, sizeof result, cudaMemcpyDeviceToHost));
	wrong += result[0] != 7 || result[1] != 7;
	CHECK(cudaFree(d));
	return verdict("errors", wrong);
}
