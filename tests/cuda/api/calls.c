/* Execution Control, Occupancy, Stream and Event Management, Device Management, Error Handling. */
#include "api.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static const dim3 ONE = {1, 1, 1}, WARP = {32, 1, 1};

static void shapes(int *p)
{
	EXPECT(api_launch_fill(p, 1, ONE, (dim3){1025, 1, 1}, 0), cudaErrorInvalidConfiguration);
	EXPECT(api_launch_fill(p, 1, ONE, (dim3){512, 2, 2}, 0), cudaErrorInvalidConfiguration);
	EXPECT(api_launch_fill(p, 1, ONE, (dim3){1, 1, 65}, 0), cudaErrorInvalidConfiguration);
	EXPECT(api_launch_fill(p, 1, ONE, (dim3){32, 0, 1}, 0), cudaErrorInvalidConfiguration);
	EXPECT(api_launch_fill(p, 1, (dim3){0, 1, 1}, WARP, 0), cudaErrorInvalidConfiguration);
	EXPECT(api_launch_fill(p, 1, (dim3){1, 65536, 1}, WARP, 0), cudaErrorInvalidConfiguration);
	EXPECT(api_launch_fill(p, 1, (dim3){1, 1, 65536}, WARP, 0), cudaErrorInvalidConfiguration);
	EXPECT(api_launch_fill(p, 1, (dim3){0x80000000, 1, 1}, WARP, 0), cudaErrorInvalidConfiguration);
	WORKS(api_launch_fill(p, 1, ONE, (dim3){1024, 1, 1}, 0));
	WORKS(api_launch_fill(p, 2, (dim3){32, 1, 1}, WARP, 0));
}

/* __launch_bounds__: CUDA C++ Programming Guide, 10.38: with more threads a kernel fails to launch. */
void api_bounds(void)
{
	struct cudaFuncAttributes a;

	WORKS(cudaFuncGetAttributes(&a, api_bounded));
	HOLDS(a.maxThreadsPerBlock == 128);
	WORKS(cudaLaunchKernel(api_bounded, ONE, (dim3){128, 1, 1}, NULL, 0, NULL)); /* it is the product that counts */
	EXPECT(cudaLaunchKernel(api_bounded, ONE, (dim3){129, 1, 1}, NULL, 0, NULL), cudaErrorInvalidValue);
	EXPECT(cudaLaunchKernel(api_bounded, ONE, (dim3){64, 2, 2}, NULL, 0, NULL), cudaErrorInvalidValue);
}

void api_launches(void)
{
	struct cudaFuncAttributes a;
	static char unknown[1];
	void *no_args[1] = {NULL};
	dim3 grid, block;
	size_t shared;
	void *stream;
	int *p, ctas;

	WORKS(cudaMalloc((void **)&p, 1024 * sizeof *p));
	shapes(p);
	EXPECT(api_launch_fill(p, 1, ONE, WARP, (96 << 10) + 1), cudaErrorInvalidValue); /* an SM of titanv has 96 KB */
	EXPECT(cudaLaunchKernel(api_shared, ONE, WARP, NULL, 64 << 10, NULL), cudaErrorInvalidValue);
	WORKS(cudaLaunchKernel(api_shared, ONE, WARP, NULL, 1000, NULL));
	EXPECT(cudaLaunchKernel(api_missing, ONE, WARP, NULL, 0, NULL), cudaErrorInvalidDeviceFunction);
	EXPECT(cudaLaunchKernel(unknown, ONE, WARP, NULL, 0, NULL), cudaErrorInvalidDeviceFunction);
	EXPECT(cudaLaunchKernel(NULL, ONE, WARP, NULL, 0, NULL), cudaErrorInvalidDeviceFunction);
	EXPECT(cudaLaunchKernel(api_fill, ONE, WARP, NULL, 0, NULL), cudaErrorInvalidValue);
	EXPECT(cudaLaunchKernel(api_fill, ONE, WARP, no_args, 0, NULL), cudaErrorInvalidValue);
	EXPECT(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaErrorMissingConfiguration);
	/* 80 SMs hold 2 CTAs of 40,000 bytes each: 96 KB of shared memory. */
	WORKS(cudaLaunchCooperativeKernel(api_shared, (dim3){160, 1, 1}, WARP, NULL, 0, NULL));
	EXPECT(cudaLaunchCooperativeKernel(api_shared, (dim3){161, 1, 1}, WARP, NULL, 0, NULL), cudaErrorCooperativeLaunchTooLarge);

	WORKS(cudaFuncGetAttributes(&a, api_shared));
	HOLDS(a.sharedSizeBytes == 40000 && a.maxThreadsPerBlock == 1024 && a.localSizeBytes == 0 && a.numRegs > 0);
	HOLDS(a.ptxVersion == 50); /* of the PTX's .target, whatever the device is */
	EXPECT(cudaFuncGetAttributes(NULL, api_shared), cudaErrorInvalidValue);
	EXPECT(cudaFuncGetAttributes(&a, unknown), cudaErrorInvalidDeviceFunction);
	WORKS(cudaFuncSetAttribute(api_fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10));
	WORKS(api_launch_fill(p, 1, ONE, WARP, 64 << 10));
	EXPECT(cudaFuncSetAttribute(api_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10), cudaErrorInvalidValue);
	EXPECT(cudaFuncSetAttribute(api_fill, (enum cudaFuncAttribute)99, 0), cudaErrorInvalidValue);
	WORKS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, api_shared, 32, 0));
	HOLDS(ctas == 2);
	WORKS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, api_fill, 1024, 0)); /* 2048 threads an SM */
	HOLDS(ctas == 2);
	WORKS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, api_fill, 32, 0)); /* 32 CTAs an SM */
	HOLDS(ctas == 32);
	EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, api_fill, 0, 0), cudaErrorInvalidValue);
	EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, unknown, 32, 0), cudaErrorInvalidDeviceFunction);
	WORKS(cudaFree(p));
}

static void times(void)
{
	enum { BYTES = 1 << 20 };
	char *p, *host = malloc(BYTES), *pinned;
	cudaEvent_t event[3];
	float ms = -1;

	for (int i = 0; i < 3; i++)
		WORKS(cudaEventCreate(&event[i]));
	WORKS(cudaMalloc((void **)&p, BYTES));
	WORKS(cudaMallocHost((void **)&pinned, BYTES));
	EXPECT(cudaEventElapsedTime(&ms, event[0], event[1]), cudaErrorInvalidResourceHandle);
	WORKS(cudaEventRecord(event[0], NULL));
	WORKS(cudaMemcpy(p, host, BYTES, cudaMemcpyHostToDevice));
	WORKS(cudaEventRecord(event[1], NULL));
	WORKS(cudaMemcpy(pinned, p, BYTES, cudaMemcpyDeviceToHost));
	WORKS(cudaEventRecord(event[2], NULL));
	/* titanv: 10 us a copy, and 16 GB/s of PCIe: 1,048,576 / 16 = 65,536 ns. */
	WORKS(cudaEventElapsedTime(&ms, event[0], event[1]));
	HOLDS(ms > 0.0755f && ms < 0.0756f);
	WORKS(cudaEventElapsedTime(&ms, event[1], event[2]));
	HOLDS(ms > 0.0755f && ms < 0.0756f);
	EXPECT(cudaEventElapsedTime(NULL, event[1], event[2]), cudaErrorInvalidValue);
	for (int i = 0; i < 3; i++)
		WORKS(cudaEventDestroy(event[i]));
	free(host);
}

/* After main.c's launch, two between events. */
void api_elapsed(void)
{
	cudaEvent_t from, to;
	float ms = -1;
	int *p;

	WORKS(cudaMalloc((void **)&p, 4096 * sizeof *p));
	WORKS(cudaEventCreate(&from));
	WORKS(cudaEventCreate(&to));
	WORKS(cudaEventRecord(from, NULL));
	WORKS(api_launch_fill(p, 1, (dim3){16, 1, 1}, (dim3){256, 1, 1}, 0));
	WORKS(api_launch_fill(p, 2, (dim3){8, 1, 1}, (dim3){256, 1, 1}, 0));
	WORKS(cudaEventRecord(to, NULL));
	WORKS(api_launch_fill(p, 3, ONE, WARP, 0));
	WORKS(cudaEventElapsedTime(&ms, from, to));
	printf("%.7f\n", ms);
}

void api_events(void)
{
	cudaEvent_t event, silent;
	cudaStream_t stream;
	unsigned flags;
	float ms;

	times();
	WORKS(cudaEventCreate(&event));
	EXPECT(cudaEventCreate(NULL), cudaErrorInvalidValue);
	EXPECT(cudaEventCreateWithFlags(&silent, 0x80), cudaErrorInvalidValue);
	WORKS(cudaEventCreateWithFlags(&silent, cudaEventDisableTiming));
	WORKS(cudaEventQuery(event)); /* what was never recorded is done */
	WORKS(cudaEventRecord(event, NULL));
	WORKS(cudaEventRecord(silent, NULL));
	EXPECT(cudaEventElapsedTime(&ms, event, silent), cudaErrorInvalidResourceHandle);
	EXPECT(cudaEventRecord(NULL, NULL), cudaErrorInvalidResourceHandle);
	EXPECT(cudaEventDestroy(NULL), cudaErrorInvalidResourceHandle);
	WORKS(cudaEventDestroy(silent));
	EXPECT(cudaEventDestroy(silent), cudaErrorInvalidResourceHandle);

	EXPECT(cudaStreamCreate(NULL), cudaErrorInvalidValue);
	EXPECT(cudaStreamCreateWithFlags(&stream, 0x10), cudaErrorInvalidValue);
	WORKS(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	WORKS(cudaStreamGetFlags(stream, &flags));
	HOLDS(flags == cudaStreamNonBlocking);
	WORKS(cudaStreamWaitEvent(stream, event, 0));
	EXPECT(cudaStreamWaitEvent(stream, NULL, 0), cudaErrorInvalidResourceHandle);
	WORKS(cudaStreamQuery(stream));
	WORKS(cudaStreamSynchronize(NULL));
	WORKS(cudaStreamDestroy(stream));
	EXPECT(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
	EXPECT(cudaStreamDestroy(NULL), cudaErrorInvalidResourceHandle);
	WORKS(cudaEventDestroy(event));
}

/* titanv: csim/machines/titanv.yaml. */
void api_devices(void)
{
	struct cudaDeviceProp prop;
	int value = -1;

	WORKS(cudaGetDeviceCount(&value));
	HOLDS(value == 1);
	EXPECT(cudaGetDeviceCount(NULL), cudaErrorInvalidValue);
	EXPECT(cudaSetDevice(1), cudaErrorInvalidDevice);
	EXPECT(cudaSetDevice(-1), cudaErrorInvalidDevice);
	WORKS(cudaSetDevice(0));
	EXPECT(cudaGetDeviceProperties(&prop, 1), cudaErrorInvalidDevice);
	EXPECT(cudaGetDeviceProperties(NULL, 0), cudaErrorInvalidValue);
	WORKS(cudaGetDeviceProperties(&prop, 0));
	HOLDS(prop.major == 7 && prop.minor == 0 && prop.multiProcessorCount == 80 && prop.warpSize == 32);
	HOLDS(prop.totalGlobalMem == (size_t)12288 << 20 && prop.maxThreadsPerMultiProcessor == 2048);
	HOLDS(prop.sharedMemPerBlock == 48 << 10 && prop.sharedMemPerMultiprocessor == 96 << 10);
	WORKS(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
	HOLDS(value == 80);
	EXPECT(cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)100000, 0), cudaErrorInvalidValue);
	EXPECT(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 3), cudaErrorInvalidDevice);
	EXPECT(cudaDeviceGetLimit(NULL, cudaLimitStackSize), cudaErrorInvalidValue);
	WORKS(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20));
	EXPECT(cudaDeviceSetLimit((enum cudaLimit)1000, 1), cudaErrorUnsupportedLimit);
	WORKS(cudaDeviceSynchronize());

	cudaGetLastError();
	EXPECT(cudaGetLastError(), cudaSuccess);
	EXPECT(cudaSetDevice(7), cudaErrorInvalidDevice);
	EXPECT(cudaPeekAtLastError(), cudaErrorInvalidDevice);
	WORKS(cudaSetDevice(0)); /* a success takes nothing back */
	EXPECT(cudaGetLastError(), cudaErrorInvalidDevice);
	EXPECT(cudaGetLastError(), cudaSuccess);
	HOLDS(!strcmp(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation"));
	HOLDS(!strcmp(cudaGetErrorString((cudaError_t)9876), "unrecognized error code"));
}

/* Besides main.c's one of fill, number 0: numbers 1 to 3. */
void api_three_launches(void)
{
	int *p;

	WORKS(cudaMalloc((void **)&p, 64 * sizeof *p));
	WORKS(api_launch_fill(p, 1, ONE, WARP, 0));
	WORKS(cudaLaunchKernel(api_shared, ONE, WARP, NULL, 0, NULL));
	WORKS(api_launch_fill(p, 2, (dim3){2, 1, 1}, WARP, 0));
}

/* Each has memory of its own, and an error of its own: the last of each thread. */
static void *work(void *number)
{
	int *p, value = -1, first = 1000 * (int)(intptr_t)number;

	WORKS(cudaMalloc((void **)&p, 128));
	for (int i = 0; i < 100; i++) {
		WORKS(api_launch_fill(p, first + i, ONE, WARP, 0));
		WORKS(cudaMemcpy(&value, p + 31, sizeof value, cudaMemcpyDeviceToHost));
		HOLDS(value == first + i);
	}
	EXPECT(cudaGetLastError(), cudaSuccess);
	return NULL;
}

void api_threads(void)
{
	enum { THREADS = 4 };
	pthread_t thread[THREADS];

	for (intptr_t i = 0; i < THREADS; i++)
		HOLDS(pthread_create(&thread[i], NULL, work, (void *)i) == 0);
	EXPECT(cudaSetDevice(1), cudaErrorInvalidDevice);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	EXPECT(cudaGetLastError(), cudaErrorInvalidDevice);
}

/* The launch is one; the error comes after it, and stays. */
void api_host_pointer(void)
{
	static int on_host[32];

	WORKS(api_launch_fill(on_host, 1, ONE, WARP, 0));
	EXPECT(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
	EXPECT(cudaFree(on_host), cudaErrorIllegalAddress);
	HOLDS(on_host[0] == 0);
}
