// betweenness: Brandes' method, a thread a vertex, a launch a level: first away from a source, then back to it.
//
// betweenness_forward: each vertex of the level gives the next level to neighbours not yet seen, and adds its number of
// shortest paths to theirs. betweenness_backward: each vertex of the level adds up what its neighbours of the next
// level depend on it.
#include "device.h"

enum : uint32_t { UNSEEN = 0xffffffff };

extern "C" __global__ void betweenness_forward(const uint32_t *row, const uint32_t *edge, uint32_t *level, float *paths,
					       uint32_t *go_on, uint32_t now, uint32_t n)
{
	uint32_t v = blockIdx.x * blockDim.x + threadIdx.x, end;
	float here;

	if (v >= n || level[v] != now)
		return;
	end = row[v + 1];
	here = paths[v];
	for (uint32_t i = row[v]; i < end; i++) {
		uint32_t to = edge[i], seen = level[to];

		if (seen == UNSEEN) {
			level[to] = seen = now + 1;
			*go_on = 1;
		}
		if (seen == now + 1)
			atomicAdd(&paths[to], here);
	}
}

extern "C" __global__ void betweenness_backward(const uint32_t *row, const uint32_t *edge, const uint32_t *level, const float *paths,
						float *depend, float *centrality, uint32_t now, uint32_t n)
{
	uint32_t v = blockIdx.x * blockDim.x + threadIdx.x, end;
	float here, sum = 0;

	if (v >= n || level[v] != now)
		return;
	end = row[v + 1];
	here = paths[v];
	for (uint32_t i = row[v]; i < end; i++) {
		uint32_t to = edge[i];

		if (level[to] == now + 1)
			sum += here / paths[to] * (1 + depend[to]);
	}
	depend[v] = sum;
	if (now > 0)
		centrality[v] += sum;
}
