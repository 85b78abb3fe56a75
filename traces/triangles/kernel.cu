// triangles: for each vertex the number of triangles in which it is the least, a thread a vertex. Rows ascend: for each
// neighbour above the vertex, its row and the vertex's own are merged from there on, and what stands in both closes a
// triangle.
#include "device.h"

extern "C" __global__ void triangles(const uint32_t *row, const uint32_t *edge, uint32_t *count, uint32_t n)
{
	uint32_t v = blockIdx.x * blockDim.x + threadIdx.x, end, found = 0;

	if (v >= n)
		return;
	end = row[v + 1];
	for (uint32_t i = row[v]; i < end; i++) {
		uint32_t u = edge[i], mine = i + 1, theirs, theirs_end;

		if (u < v)
			continue;
		theirs = row[u];
		theirs_end = row[u + 1];
		while (mine < end && theirs < theirs_end) {
			uint32_t a = edge[mine], b = edge[theirs];

			found += a == b;
			mine += a <= b;
			theirs += b <= a;
		}
	}
	count[v] = found;
}
