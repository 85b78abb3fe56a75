// degree: how many edges leave and enter each vertex. A thread a vertex: its own row gives the first number, and an
// atomic at the end of each edge counts the second.
#include "device.h"

extern "C" __global__ void degree(const uint32_t *row, const uint32_t *edge, uint32_t *out, uint32_t *in, uint32_t n)
{
	uint32_t v = blockIdx.x * blockDim.x + threadIdx.x, begin, end;

	if (v >= n)
		return;
	begin = row[v];
	end = row[v + 1];
	out[v] = end - begin;
	for (uint32_t i = begin; i < end; i++)
		atomicAdd(&in[edge[i]], 1u);
}
