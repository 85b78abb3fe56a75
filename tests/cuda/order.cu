/* Launches whose order is worked out in tests/963-*: streams, events, the default stream, what the host waits for. With
 * an argument, the time of two kernels beside each other. */
#include "check.h"

__global__ void work(float *v, int n)
{
	for (int i = 0; i < n; i++)
		v[threadIdx.x] = v[threadIdx.x] * 0.5f + 1;
}

static void order(void)
{
	static float page[32];
	cudaStream_t a, b, own;
	cudaEvent_t event;
	float *v, *w, *pinned;

	CHECK(cudaMalloc(&v, 32 * sizeof(float)));
	CHECK(cudaMallocHost(&pinned, sizeof page));
	CHECK(cudaStreamCreate(&a));
	CHECK(cudaStreamCreate(&b));
	CHECK(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
	CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
	work<<<1, 32, 0, a>>>(v, 1);   /* 0 */
	work<<<1, 32, 0, b>>>(v, 1);   /* 1 */
	work<<<1, 32, 0, own>>>(v, 1); /* 2 */
	work<<<1, 32>>>(v, 1);	       /* 3, after 0 and 1 */
	work<<<1, 32, 0, a>>>(v, 1);   /* 4, after 3 */
	work<<<1, 32, 0, own>>>(v, 1); /* 5, after 2 */
	CHECK(cudaEventRecord(event, a));
	CHECK(cudaStreamWaitEvent(own, event, 0));
	work<<<1, 32, 0, own>>>(v, 1); /* 6, after 4 and 5 */
	CHECK(cudaMemcpyAsync(v, pinned, sizeof page, cudaMemcpyHostToDevice, b));
	work<<<1, 32, 0, b>>>(v, 1); /* 7, after 3: the host did not wait for the copy */
	CHECK(cudaMemcpyAsync(page, v, sizeof page, cudaMemcpyDeviceToHost, b));
	work<<<1, 32, 0, a>>>(v, 1); /* 8, after 4 and 7: it waited for this one */
	CHECK(cudaMemcpy(v + 16, v, 64, cudaMemcpyDeviceToDevice));
	work<<<1, 32, 0, own>>>(v, 1); /* 9, after 6 and 7: not for this one */
	work<<<1, 32, 0, b>>>(v, 1);   /* 10, after 8: a copy on the default stream came between */
	CHECK(cudaMemcpy(v, page, sizeof page, cudaMemcpyHostToDevice));
	work<<<1, 32, 0, own>>>(v, 1); /* 11, after 9 and 10 */
	work<<<1, 32, 0, a>>>(v, 1);   /* 12, after 10 */
	work<<<1, 32, 0, b>>>(v, 1);   /* 13, after 10 */
	CHECK(cudaMalloc(&w, 32 * sizeof(float)));
	work<<<1, 32, 0, a>>>(v, 1);		       /* 14, after all */
	work<<<1, 32, 0, b>>>(v, 1);		       /* 15, after 13 and all before */
	work<<<1, 32, 0, cudaStreamPerThread>>>(v, 1); /* 16, likewise */
	CHECK(cudaEventRecord(event, b));
	CHECK(cudaEventSynchronize(event));
	work<<<1, 32, 0, own>>>(v, 1); /* 17, after 13 and 15 */
	CHECK(cudaDeviceSynchronize());
	work<<<1, 32, 0, own>>>(v, 1);		       /* 18, after all */
	work<<<1, 32, 0, cudaStreamPerThread>>>(v, 1); /* 19, after 17 and all before */
	work<<<1, 32>>>(v, 1);			       /* 20, after 19, but not 18 */
	CHECK(cudaStreamDestroy(b));
	CHECK(cudaStreamCreate(&b));
	work<<<1, 32, 0, b>>>(v, 1); /* 21, after 20: another stream, though of the same handle */
	CHECK(cudaEventDestroy(event));
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());
}

/* A long kernel and one of a tenth of its length, which begin together. */
static void time_two(void)
{
	cudaStream_t stream[2];
	cudaEvent_t begin, end[2];
	float *v, ms[2];

	CHECK(cudaMalloc(&v, 64 * sizeof(float)));
	CHECK(cudaEventCreate(&begin));
	for (int i = 0; i < 2; i++) {
		CHECK(cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking));
		CHECK(cudaEventCreate(&end[i]));
	}
	CHECK(cudaEventRecord(begin, stream[0]));
	work<<<1, 32, 0, stream[0]>>>(v, 10000);
	work<<<1, 32, 0, stream[1]>>>(v + 32, 1000);
	CHECK(cudaEventRecord(end[0], stream[0]));
	CHECK(cudaEventRecord(end[1], stream[1]));
	for (int i = 0; i < 2; i++) {
		CHECK(cudaEventSynchronize(end[i]));
		CHECK(cudaEventElapsedTime(&ms[i], begin, end[i]));
	}
	printf("long %.6f ms, short %.6f ms\n", ms[0], ms[1]);
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		time_two();
	else
		order();
	return verdict("order", 0);
}
