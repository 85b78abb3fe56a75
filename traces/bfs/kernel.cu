// bfs: breadth-first search over a graph in compressed rows, a thread a node, two launches a level.
//
// bfs_expand: each node of the frontier gives its unvisited neighbours the next level and marks them. Several may mark
// one neighbour; all write the same values. bfs_update: the marked ones become the frontier and are visited. Masks are
// bytes.
#include "device.h"

extern "C" __global__ void bfs_expand(const uint32_t *row, const uint32_t *edge, uint8_t *frontier, uint8_t *marked,
				      const uint8_t *visited, uint32_t *level, uint32_t n)
{
	uint32_t v = blockIdx.x * blockDim.x + threadIdx.x, end, next;

	if (v >= n || !frontier[v])
		return;
	frontier[v] = 0;
	end = row[v + 1];
	next = level[v] + 1;
	for (uint32_t e = row[v]; e < end; e++) {
		uint32_t to = edge[e];

		if (!visited[to]) {
			level[to] = next;
			marked[to] = 1;
		}
	}
}

extern "C" __global__ void bfs_update(uint8_t *frontier, uint8_t *marked, uint8_t *visited, uint32_t *go_on, uint32_t n)
{
	uint32_t v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= n || !marked[v])
		return;
	frontier[v] = 1;
	visited[v] = 1;
	*go_on = 1;
	marked[v] = 0;
}

// bfs_expand with the loop as written in the original: a store to level may have changed the vertex's own level or the
// ends of its row as far as a compiler knows, so that they are read again behind it.
extern "C" __global__ void bfs_expand_reading(const uint32_t *row, const uint32_t *edge, uint8_t *frontier, uint8_t *marked,
					      const uint8_t *visited, uint32_t *level, uint32_t n)
{
	uint32_t v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= n || !frontier[v])
		return;
	frontier[v] = 0;
	for (uint32_t e = row[v]; e < row[v + 1]; e++) {
		uint32_t to = edge[e];

		if (!visited[to]) {
			level[to] = level[v] + 1;
			marked[to] = 1;
		}
	}
}
