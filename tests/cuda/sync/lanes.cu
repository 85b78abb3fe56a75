/* Lanes of one warp that wait for one another: lanes KIND. */
#include "work.h"

enum { THREADS = 64, CTAS = 4, BUCKETS = 8 };

__device__ int out[THREADS], lock, count, bucket_lock[BUCKETS], head[BUCKETS], following[CTAS * THREADS + 1];

/* Thread 0 waits for what thread 1 writes. */
__global__ void flag()
{
	__shared__ volatile int set;

	if (threadIdx.x == 0)
		set = 0;
	__syncwarp();
	if (threadIdx.x == 0) {
		while (!set) {
		}
		out[0] = set;
	} else if (threadIdx.x == 1) {
		set = 42;
	}
}

/* Each lane takes the lock in a round of its own. */
__global__ void lock_inside()
{
	for (bool done = false; !done;)
		if (atomicCAS(&lock, 0, 1) == 0) {
			count++;
			__threadfence();
			atomicExch(&lock, 0);
			done = true;
		}
}

/* Each lane waits for the lock first. */
__global__ void lock_ahead()
{
	while (atomicCAS(&lock, 0, 1) != 0) {
	}
	*(volatile int *)&count = *(volatile int *)&count + 1;
	__threadfence();
	atomicExch(&lock, 0);
}

/* Threads of the second warp come to the barrier by two ways. */
__global__ void barrier()
{
	__shared__ int s[THREADS];
	int t = (int)threadIdx.x;

	if (t < 40) {
		s[t] = t;
		__syncthreads();
		out[t] = s[THREADS - 1 - t];
	} else {
		s[t] = 2 * t;
		__syncthreads();
		out[t] = s[THREADS - 1 - t];
	}
}

/* Lanes put their threads into lists, each under its own lock. */
__global__ void lists()
{
	int t = (int)(threadIdx.x + blockIdx.x * blockDim.x), b = t % BUCKETS;

	for (bool done = false; !done;)
		if (atomicExch(&bucket_lock[b], 1) == 0) {
			following[t + 1] = head[b];
			head[b] = t + 1;
			__threadfence();
			atomicExch(&bucket_lock[b], 0);
			done = true;
		}
}

static long wrong_lists()
{
	int h[BUCKETS], f[CTAS * THREADS + 1], n = 0;

	CHECK(cudaMemcpyFromSymbol(h, head, sizeof h));
	CHECK(cudaMemcpyFromSymbol(f, following, sizeof f));
	for (int b = 0; b < BUCKETS; b++)
		for (int i = h[b]; i && n <= CTAS * THREADS; i = f[i])
			n += (i - 1) % BUCKETS == b;
	return n != CTAS * THREADS;
}

int main(int argc, char **argv)
{
	int kind = argument(argc, argv, 1, 0), o[THREADS], n = 0;
	long wrong = 0;

	switch (kind) {
	case 0:
		flag<<<1, 32>>>();
		break;
	case 1:
		lock_inside<<<CTAS, THREADS>>>();
		break;
	case 2:
		lock_ahead<<<CTAS, THREADS>>>();
		break;
	case 3:
		barrier<<<1, THREADS>>>();
		break;
	default:
		lists<<<CTAS, THREADS>>>();
		break;
	}
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpyFromSymbol(o, out, sizeof o));
	CHECK(cudaMemcpyFromSymbol(&n, count, sizeof n));
	if (kind == 0)
		wrong = o[0] != 42;
	if (kind == 1 || kind == 2)
		wrong = n != CTAS * THREADS;
	for (int i = 0; kind == 3 && i < THREADS; i++)
		wrong += o[i] != (THREADS - 1 - i) * (i < 24 ? 2 : 1);
	if (kind == 4)
		wrong = wrong_lists();
	return verdict("lanes", wrong);
}
