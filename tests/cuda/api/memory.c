/* Memory Management, Unified Addressing. */
#include "api.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static size_t available(void)
{
	size_t now = 0, all = 0;

	WORKS(cudaMemGetInfo(&now, &all));
	HOLDS(now <= all);
	return now;
}

void api_memory(void)
{
	size_t total, first = available(), pitch;
	struct cudaPitchedPtr box;
	char *p = NULL, *q = NULL;
	int on_host = 0;

	WORKS(cudaMemGetInfo(NULL, &total));
	EXPECT(cudaMalloc(NULL, 4), cudaErrorInvalidValue);
	EXPECT(cudaMalloc((void **)&p, total + 1), cudaErrorMemoryAllocation);
	EXPECT(cudaMalloc((void **)&p, SIZE_MAX), cudaErrorMemoryAllocation);
	WORKS(cudaMalloc((void **)&p, 0));
	HOLDS(!p);
	WORKS(cudaMalloc((void **)&p, 1));
	WORKS(cudaMalloc((void **)&q, 1 << 20));
	HOLDS((uintptr_t)p % 256 == 0 && (uintptr_t)q % 256 == 0); /* programming guide, "Device Memory Accesses" */
	HOLDS(available() <= first - (1 << 20));

	EXPECT(cudaFree(q + 1), cudaErrorInvalidValue);
	EXPECT(cudaFree(&on_host), cudaErrorInvalidValue);
	EXPECT(cudaFreeHost(q), cudaErrorInvalidValue);
	WORKS(cudaFree(NULL));
	WORKS(cudaFreeHost(NULL));
	WORKS(cudaFree(q));
	EXPECT(cudaFree(q), cudaErrorInvalidValue);
	WORKS(cudaFree(p));
	HOLDS(available() == first);

	EXPECT(cudaHostAlloc((void **)&p, 64, 0x8000), cudaErrorInvalidValue);
	WORKS(cudaHostAlloc((void **)&p, 64, cudaHostAllocMapped | cudaHostAllocWriteCombined));
	EXPECT(cudaFree(p), cudaErrorInvalidValue);
	WORKS(cudaFreeHost(p));
	EXPECT(cudaMallocManaged((void **)&p, 0, cudaMemAttachGlobal), cudaErrorInvalidValue);
	EXPECT(cudaMallocManaged((void **)&p, 64, 0), cudaErrorInvalidValue);
	EXPECT(cudaMallocManaged((void **)&p, 64, 0x40), cudaErrorInvalidValue);

	WORKS(cudaMallocPitch((void **)&p, &pitch, 100, 3));
	HOLDS(pitch >= 100 && pitch % 32 == 0);
	EXPECT(cudaMallocPitch((void **)&q, NULL, 100, 3), cudaErrorInvalidValue);
	EXPECT(cudaMallocPitch((void **)&q, &pitch, (size_t)1 << 40, (size_t)1 << 40), cudaErrorMemoryAllocation);
	WORKS(cudaFree(p));
	WORKS(cudaMalloc3D(&box, (struct cudaExtent){100, 3, 2}));
	HOLDS(box.pitch >= 100 && box.xsize == 100 && box.ysize == 3);
	WORKS(cudaFree(box.ptr));
	EXPECT(cudaMalloc3D(NULL, (struct cudaExtent){1, 1, 1}), cudaErrorInvalidValue);
}

void api_pointers(void)
{
	struct cudaPointerAttributes a;
	int on_host = 0, *p;
	void *same;

	EXPECT(cudaPointerGetAttributes(NULL, &on_host), cudaErrorInvalidValue);
	WORKS(cudaPointerGetAttributes(&a, &on_host));
	HOLDS(a.type == cudaMemoryTypeUnregistered && !a.devicePointer);
	WORKS(cudaMalloc((void **)&p, 64));
	WORKS(cudaPointerGetAttributes(&a, p + 3));
	HOLDS(a.type == cudaMemoryTypeDevice && a.device == 0 && a.devicePointer == p + 3 && !a.hostPointer);
	WORKS(cudaFree(p));
	WORKS(cudaPointerGetAttributes(&a, p));
	HOLDS(a.type == cudaMemoryTypeUnregistered);

	WORKS(cudaHostAlloc((void **)&p, 64, cudaHostAllocMapped));
	p[15] = 4;
	WORKS(cudaPointerGetAttributes(&a, p));
	HOLDS(a.type == cudaMemoryTypeHost && a.hostPointer == p && a.devicePointer);
	WORKS(cudaHostGetDevicePointer(&same, p, 0));
	HOLDS(same == a.devicePointer);
	EXPECT(cudaHostGetDevicePointer(&same, &on_host, 0), cudaErrorInvalidValue);
	WORKS(cudaFreeHost(p));

	WORKS(cudaMallocManaged((void **)&p, 64, cudaMemAttachGlobal));
	p[0] = 1;
	WORKS(api_launch_fill(p + 1, 5, (dim3){1, 1, 1}, (dim3){15, 1, 1}, 0));
	WORKS(cudaDeviceSynchronize());
	HOLDS(p[0] == 1 && p[1] == 5 && p[15] == 5);
	WORKS(cudaPointerGetAttributes(&a, p));
	HOLDS(a.type == cudaMemoryTypeManaged && a.devicePointer == p && a.hostPointer == p);
	WORKS(cudaFree(p));

	EXPECT(cudaHostRegister(NULL, 4, 0), cudaErrorInvalidValue);
	EXPECT(cudaHostRegister(&on_host, 0, 0), cudaErrorInvalidValue);
	EXPECT(cudaHostUnregister(&on_host), cudaErrorHostMemoryNotRegistered);
	EXPECT(cudaHostRegister(&on_host, sizeof on_host, 0x100), cudaErrorInvalidValue);
	WORKS(cudaHostRegister(&on_host, sizeof on_host, cudaHostRegisterDefault));
	WORKS(cudaPointerGetAttributes(&a, &on_host));
	HOLDS(a.type == cudaMemoryTypeHost && a.hostPointer == &on_host);
	EXPECT(cudaHostRegister(&on_host, sizeof on_host, cudaHostRegisterDefault), cudaErrorHostMemoryAlreadyRegistered);
	WORKS(cudaHostUnregister(&on_host));
	EXPECT(cudaHostUnregister(&on_host), cudaErrorHostMemoryNotRegistered);
}

/* On a device of 8 MB. */
void api_small(void)
{
	void *p[4];

	EXPECT(cudaMalloc(&p[0], 9 << 20), cudaErrorMemoryAllocation);
	EXPECT(cudaGetLastError(), cudaErrorMemoryAllocation);
	WORKS(cudaMalloc(&p[0], 4 << 20));
	WORKS(cudaMallocManaged(&p[1], 4 << 20, cudaMemAttachGlobal));
	EXPECT(cudaMalloc(&p[2], 1), cudaErrorMemoryAllocation);
	EXPECT(cudaMallocManaged(&p[2], 1, cudaMemAttachGlobal), cudaErrorMemoryAllocation);
	WORKS(cudaMallocHost(&p[3], 16 << 20)); /* the host's */
	WORKS(cudaFree(p[1]));
	WORKS(cudaMalloc(&p[1], 4 << 20));
}

/* Pages that the device's process has in memory. */
static long resident_pages(void)
{
	char path[64];
	long all, resident = -1;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%ld/statm", (long)getppid());
	f = fopen(path, "r");
	if (!f || fscanf(f, "%ld %ld", &all, &resident) != 2)
		resident = -1;
	if (f)
		fclose(f);
	return resident;
}

/* A loop that allocates and frees takes no more memory in the end than after a few rounds. */
void api_churn(void)
{
	enum { ROUNDS = 100000, SIZES = 7 };
	long before = 0;
	void *p;

	for (int i = 0; i < ROUNDS; i++) {
		if (i == ROUNDS / 100)
			before = resident_pages();
		WORKS(cudaMalloc(&p, 1000 + i % SIZES * 5000));
		WORKS(cudaFree(p));
	}
	HOLDS(before > 0 && resident_pages() < before + 64);
}

/* The host has no right to device memory: the program ends by a signal. */
void api_touch_device(void)
{
	volatile int *p;

	WORKS(cudaMalloc((void **)&p, 64));
	p[0] = 1;
	printf("the host wrote to device memory\n");
}

/* The program has the device's memory as a file, and may not take it away under the device. */
void api_cut(void)
{
	const char *memory = getenv("LOCUS_CUDA_MEMORY");
	int *p, value = 0;

	HOLDS(memory && ftruncate(atoi(memory), 0) != 0);
	WORKS(cudaMalloc((void **)&p, 64));
	WORKS(api_launch_fill(p, 9, (dim3){1, 1, 1}, (dim3){16, 1, 1}, 0));
	WORKS(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost));
	HOLDS(value == 9);
}

void api_die(void)
{
	raise(SIGTERM);
}

/* A child that never calls CUDA; one that does, while its parent waits, as docs/how-to/run-cuda-programs.md allows. */
void api_fork(void)
{
	int *p, value = 0, status;
	pid_t child;

	WORKS(cudaMalloc((void **)&p, 64));
	child = fork();
	if (!child)
		exit(0);
	HOLDS(waitpid(child, &status, 0) == child && status == 0);
	child = fork();
	if (!child)
		_exit(api_launch_fill(p, 9, (dim3){1, 1, 1}, (dim3){16, 1, 1}, 0) != cudaSuccess);
	HOLDS(waitpid(child, &status, 0) == child && status == 0);
	WORKS(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost));
	HOLDS(value == 9);
	WORKS(api_launch_fill(p, 3, (dim3){1, 1, 1}, (dim3){16, 1, 1}, 0));
	WORKS(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost));
	HOLDS(value == 3);
}
