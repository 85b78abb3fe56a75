// doitgen: in each plane r of A, every row is multiplied by C4; two launches a plane, a thread an element: into `sum`,
// then back.
#include "device.h"

extern "C" __global__ void doitgen_multiply(const float *a, const float *c4, float *sum, uint32_t r, uint32_t nq, uint32_t np)
{
	uint32_t p = blockIdx.x * blockDim.x + threadIdx.x, q = blockIdx.y * blockDim.y + threadIdx.y;
	const float *row = a + (uint64_t)(r * nq + q) * np;
	float s = 0;

	if (p >= np || q >= nq)
		return;
	for (uint32_t i = 0; i < np; i++)
		s += row[i] * c4[i * np + p];
	sum[q * np + p] = s;
}

extern "C" __global__ void doitgen_store(const float *sum, float *a, uint32_t r, uint32_t nq, uint32_t np)
{
	uint32_t p = blockIdx.x * blockDim.x + threadIdx.x, q = blockIdx.y * blockDim.y + threadIdx.y;

	if (p < np && q < nq)
		a[(uint64_t)(r * nq + q) * np + p] = sum[q * np + p];
}
