// gaussian: elimination step by step, two launches a column: the multipliers below the pivot (a row a thread, a column
// of the matrix at the pitch of its rows), then the update of what is left, in blocks of (4,4).
#include "device.h"

extern "C" __global__ void gaussian_multipliers(const float *a, float *m, uint32_t n, uint32_t k)
{
	uint32_t y = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;

	if (y < n)
		m[(uint64_t)y * n + k] = a[(uint64_t)y * n + k] / a[(uint64_t)k * n + k];
}

extern "C" __global__ void gaussian_update(float *a, float *b, const float *m, uint32_t n, uint32_t k)
{
	uint32_t x = k + blockIdx.x * blockDim.x + threadIdx.x;
	uint32_t y = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
	float by;

	if (x >= n || y >= n)
		return;
	by = m[(uint64_t)y * n + k];
	a[(uint64_t)y * n + x] -= by * a[(uint64_t)k * n + x];
	if (x == k)
		b[y] -= by * b[k];
}
