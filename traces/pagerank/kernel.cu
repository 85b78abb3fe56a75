// pagerank: two launches an iteration, a vertex a thread: each vertex's share of its rank, then the sum of the shares
// of its neighbours, gathered along compressed rows.
#include "device.h"

extern "C" __global__ void pagerank_share(const uint32_t *row, const float *rank, float *share, uint32_t n)
{
	uint32_t v = blockIdx.x * blockDim.x + threadIdx.x, degree;

	if (v >= n)
		return;
	degree = row[v + 1] - row[v];
	share[v] = degree ? rank[v] / (float)degree : 0;
}

extern "C" __global__ void pagerank_gather(const uint32_t *row, const uint32_t *edge, const float *share, float *rank, float stay,
					   float damping, uint32_t n)
{
	uint32_t v = blockIdx.x * blockDim.x + threadIdx.x, end;
	float sum = 0;

	if (v >= n)
		return;
	end = row[v + 1];
	for (uint32_t i = row[v]; i < end; i++)
		sum += share[edge[i]];
	rank[v] = stay + damping * sum;
}
