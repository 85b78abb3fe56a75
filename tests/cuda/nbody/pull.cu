/* How one body pulls another: compiled by itself, called by kernels of other files. */
#include "pull.h"

__constant__ float softening;
__device__ int pulls; /* how many there were */

__device__ float3 pull(const Body &on, const Body &by)
{
	float dx = by.x - on.x, dy = by.y - on.y, dz = by.z - on.z;
	float square = dx * dx + dy * dy + dz * dz + softening;
	float strength = by.mass / (square * sqrtf(square));

	atomicAdd(&pulls, 1);
	return make_float3(dx * strength, dy * strength, dz * strength);
}

cudaError_t set_softening(float epsilon)
{
	return cudaMemcpyToSymbol(softening, &epsilon, sizeof epsilon);
}

cudaError_t count_pulls(int *n)
{
	return cudaMemcpyFromSymbol(n, pulls, sizeof *n);
}
