/* A program that does not wait for its launches: what it learns of them, it learns where CUDA says that it does. With
 * the argument "late", a kernel that went ahead fails, by an address that is nowhere; with "leave", it never asks. */
#include "check.h"
#include <chrono>
#include <cstring>

__global__ void add(int *to, int n)
{
	if (threadIdx.x == 0)
		*to += n;
}

/* Takes its time, and ends by adding 1. */
__global__ void work(int *to, int rounds)
{
	unsigned x = threadIdx.x;

	for (int i = 0; i < rounds; i++)
		x = x * 1664525u + 1013904223u + (unsigned)i;
	if (threadIdx.x == 0)
		*to += x == 0xffffffffu ? 2 : 1;
}

__global__ void say(const int *v)
{
	printf("kernel: %d\n", *v);
}

struct seen {
	const int *v;
	int at[8], n;
};

static void CUDART_CB see(void *data)
{
	struct seen *s = (struct seen *)data;

	s->at[s->n++] = *s->v;
}

static double seconds()
{
	return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/* The first launch of a shape is waited for, the others are not: they are handed over in less time than one of them
 * takes to execute. */
static long go_on(int *v)
{
	enum { ROUNDS = 1000000 };
	double start, first, handed;

	*v = 0;
	start = seconds();
	work<<<1, 32>>>(v, ROUNDS);
	first = seconds() - start;
	for (int i = 0; i < 8; i++)
		work<<<1, 32>>>(v, ROUNDS);
	handed = seconds() - start - first;
	CHECK(cudaDeviceSynchronize());
	printf("handed over %s\n", handed < first ? "ahead" : "late");
	return *v != 9;
}

/* Streams, events, host functions: each knows of all that was launched before. */
static long ask(int *v)
{
	struct seen s = {v, {0}, 0};
	cudaEvent_t done;
	int copied = 0;
	long wrong = 0;

	*v = 0;
	CHECK(cudaEventCreate(&done));
	add<<<1, 32>>>(v, 1);
	for (int i = 0; i < 4; i++) {
		add<<<1, 32>>>(v, 1);
		CHECK(cudaLaunchHostFunc(0, see, &s));
	}
	for (int i = 0; i < s.n; i++)
		wrong += s.at[i] != i + 2;
	add<<<1, 32>>>(v, 10);
	CHECK(cudaEventRecord(done));
	CHECK(cudaEventQuery(done));
	wrong += *v != 15;
	add<<<1, 32>>>(v, 10);
	CHECK(cudaStreamQuery(0));
	wrong += *v != 25;
	add<<<1, 32>>>(v, 10);
	CHECK(cudaMemcpy(&copied, v, sizeof copied, cudaMemcpyDeviceToHost));
	wrong += copied != 35;
	CHECK(cudaEventDestroy(done));
	return wrong + (s.n != 4);
}

/* A launch that cannot be made says so at once, whatever went ahead of it, and is not made. */
static long refuse(int *v)
{
	long wrong = 0;

	*v = 0;
	for (int i = 0; i < 3; i++)
		add<<<1, 32>>>(v, 1);
	add<<<1, 2048>>>(v, 1);
	wrong += cudaGetLastError() != cudaErrorInvalidConfiguration;
	add<<<1, 32>>>(v, 1);
	wrong += cudaGetLastError() != cudaSuccess;
	CHECK(cudaDeviceSynchronize());
	return wrong + (*v != 4);
}

/* What kernels print is in its place among what the program prints. */
static void print(int *v)
{
	*v = 0;
	for (int i = 0; i < 2; i++) {
		add<<<1, 32>>>(v, 1);
		say<<<1, 1>>>(v);
		printf("host: %d\n", i + 1);
	}
}

/* More shapes in turns than the library keeps. */
static long many(int *v)
{
	*v = 0;
	for (int round = 0; round < 3; round++)
		for (int grid = 1; grid <= 30; grid++)
			for (int block = 32; block <= 160; block += 32)
				add<<<grid, block>>>(v, 0);
	add<<<1, 32>>>(v, 5);
	CHECK(cudaDeviceSynchronize());
	return *v != 5;
}

/* The launch is made; the next call that waits is told, and all after it. */
static long fail(int *v)
{
	long wrong = 0;

	add<<<1, 32>>>(v, 1);
	CHECK(cudaDeviceSynchronize());
	add<<<1, 32>>>((int *)0x7f0000001000, 1);
	wrong += cudaGetLastError() != cudaSuccess;
	wrong += cudaDeviceSynchronize() != cudaErrorIllegalAddress;
	add<<<1, 32>>>(v, 1);
	wrong += cudaDeviceSynchronize() != cudaErrorIllegalAddress;
	return wrong;
}

static int leave(int *v)
{
	for (int i = 0; i < 100; i++)
		add<<<1, 32>>>(v, 1);
	return 0;
}

int main(int argc, char **argv)
{
	long wrong;
	int *v;

	CHECK(cudaMallocManaged(&v, sizeof *v));
	if (argc > 1 && !strcmp(argv[1], "late"))
		return verdict("ahead", fail(v));
	if (argc > 1 && !strcmp(argv[1], "leave"))
		return leave(v);
	wrong = go_on(v) + ask(v) + refuse(v) + many(v);
	print(v);
	return verdict("ahead", wrong);
}
