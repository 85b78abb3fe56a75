// components: connected components by hooking and pointer jumping, a thread a vertex. `parent` is a forest of stars
// whose roots are the least vertices known of each tree.
//
// components_hook: over each edge between two stars, the greater root is hung below the lesser one. components_jump:
// every vertex follows its parents to the root, so that trees are stars again. Both until no edge joins two stars.
#include "device.h"

extern "C" __global__ void components_hook(const uint32_t *row, const uint32_t *edge, uint32_t *parent, uint32_t *go_on, uint32_t n)
{
	uint32_t v = blockIdx.x * blockDim.x + threadIdx.x, end;

	if (v >= n)
		return;
	end = row[v + 1];
	for (uint32_t i = row[v]; i < end; i++) {
		uint32_t here = parent[v], there = parent[edge[i]];

		if (here == there)
			continue;
		atomicMin(&parent[max(here, there)], min(here, there));
		*go_on = 1;
	}
}

extern "C" __global__ void components_jump(uint32_t *parent, uint32_t n)
{
	uint32_t v = blockIdx.x * blockDim.x + threadIdx.x, up, above;

	if (v >= n)
		return;
	up = parent[v];
	for (above = parent[up]; above != up; above = parent[up])
		up = above;
	parent[v] = up;
}
