/* A producer and a consumer, warps of one CTA: pipeline STAGES ITEMS FMAS. Each stage of a ring in shared memory has an
 * mbarrier that says it is full and one that says it is empty; both warps work for FMAS on each item. */
#include "work.h"

enum { MOST = 8 };

__device__ inline unsigned shared_address(const void *p)
{
	return (unsigned)__cvta_generic_to_shared(p);
}

__device__ inline void init(unsigned long long *bar, unsigned count)
{
	asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(bar)), "r"(count) : "memory");
}

__device__ inline void arrive(unsigned long long *bar)
{
	asm volatile("{\n.reg .b64 t;\nmbarrier.arrive.shared.b64 t, [%0];\n}" ::"r"(shared_address(bar)) : "memory");
}

/* Until the phase of this parity has ended. */
__device__ inline void wait(unsigned long long *bar, unsigned parity)
{
	unsigned ended;

	do
		asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.parity.shared.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
			     : "=r"(ended)
			     : "r"(shared_address(bar)), "r"(parity)
			     : "memory");
	while (!ended);
}

__global__ void pipeline(float *out, int stages, int items, int fmas, float one)
{
	__shared__ unsigned long long full[MOST], free_[MOST];
	__shared__ float ring[MOST][32];
	int lane = (int)threadIdx.x % 32, stage = 0;
	unsigned parity = 0;
	float sum = 0;

	if ((int)threadIdx.x < stages) {
		init(&full[threadIdx.x], 32);
		init(&free_[threadIdx.x], 32);
	}
	__syncthreads();
	for (int i = 0; i < items; i++) {
		if (threadIdx.x < 32) {
			wait(&free_[stage], parity ^ 1);
			ring[stage][lane] = work((float)(i + lane), fmas, one);
			arrive(&full[stage]);
		} else {
			wait(&full[stage], parity);
			sum = work(sum + ring[stage][lane], fmas, one);
			arrive(&free_[stage]);
		}
		if (++stage == stages) {
			stage = 0;
			parity ^= 1;
		}
	}
	if (threadIdx.x >= 32)
		out[lane] = sum;
}

int main(int argc, char **argv)
{
	int stages = argument(argc, argv, 1, 4), items = argument(argc, argv, 2, 16), fmas = argument(argc, argv, 3, 200);
	float out[32], *d;
	long wrong = 0;

	CHECK(cudaMalloc(&d, sizeof out));
	pipeline<<<1, 64>>>(d, stages, items, fmas, 1);
	CHECK(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
	for (int lane = 0; lane < 32; lane++)
		wrong += out[lane] != (float)(items * (2 * fmas + lane) + items * (items - 1) / 2);
	return verdict("pipeline", wrong);
}
