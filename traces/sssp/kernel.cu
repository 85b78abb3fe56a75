// sssp: shortest paths from one vertex over edges with weights, a thread a vertex, two launches a round.
//
// sssp_relax: each vertex whose distance has just fallen offers its neighbours a way through itself, by an atomic
// minimum into `offer`. sssp_settle: what is offered below a vertex's distance becomes its distance, and the vertex is
// active in the next round.
#include "device.h"

extern "C" __global__ void sssp_relax(const uint32_t *row, const uint32_t *edge, const uint32_t *weight, uint8_t *active,
				      const uint32_t *distance, uint32_t *offer, uint32_t n)
{
	uint32_t v = blockIdx.x * blockDim.x + threadIdx.x, end, here;

	if (v >= n || !active[v])
		return;
	active[v] = 0;
	end = row[v + 1];
	here = distance[v];
	for (uint32_t i = row[v]; i < end; i++)
		atomicMin(&offer[edge[i]], here + weight[i]);
}

extern "C" __global__ void sssp_settle(uint8_t *active, uint32_t *distance, const uint32_t *offer, uint32_t *go_on, uint32_t n)
{
	uint32_t v = blockIdx.x * blockDim.x + threadIdx.x, offered;

	if (v >= n)
		return;
	offered = offer[v];
	if (offered >= distance[v])
		return;
	distance[v] = offered;
	active[v] = 1;
	*go_on = 1;
}
