/* A ticket lock: ticket CTAS FMAS. Each CTA draws a ticket, waits until it is served, and adds FMAS to a sum. */
#include "work.h"

enum { MOST = 1024 };
__device__ unsigned drawn;
__device__ volatile unsigned serving;
__device__ volatile float sum;
__device__ volatile int turn[MOST]; /* which CTA had which ticket, + 1 */

__global__ void ticket(int fmas, float one)
{
	unsigned mine;

	if (threadIdx.x)
		return;
	mine = atomicAdd(&drawn, 1);
	while (serving != mine)
		;
	__threadfence();
	sum = work(sum, fmas, one);
	turn[mine] = (int)blockIdx.x + 1;
	__threadfence();
	serving = mine + 1;
}

int main(int argc, char **argv)
{
	int ctas = argument(argc, argv, 1, 40), fmas = argument(argc, argv, 2, 200), seen[MOST] = {0}, of[MOST];
	unsigned served;
	long wrong = 0;
	float total;

	end_empty(ctas == 0);
	ticket<<<ctas, 32>>>(fmas, 1);
	CHECK(cudaMemcpyFromSymbol(&total, sum, sizeof total));
	CHECK(cudaMemcpyFromSymbol(&served, serving, sizeof served));
	CHECK(cudaMemcpyFromSymbol(of, turn, sizeof of));
	for (int i = 0; i < ctas; i++)
		wrong += of[i] < 1 || of[i] > ctas || seen[of[i] - 1]++;
	wrong += total != (float)(ctas * fmas);
	wrong += served != (unsigned)ctas;
	return verdict("ticket", wrong);
}
