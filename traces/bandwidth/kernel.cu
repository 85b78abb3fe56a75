// bandwidth: every CTA reads the same words, round after round: as fast as the nearest memory that has room for them
// hands them out.
//
// A thread asks for eight words at once and adds four products of two.
#include "device.h"

enum { BLOCK = 1024, AT_ONCE = 8 };

extern "C" __global__ void bandwidth(const float *from, float *sum, uint32_t words, uint32_t rounds)
{
	float s = 0;

#pragma unroll 1
	for (uint32_t r = 0; r < rounds; r++)
#pragma unroll 1
		for (const float *p = from + threadIdx.x; p < from + words; p += AT_ONCE * BLOCK) {
			float v[AT_ONCE];

#pragma unroll
			for (uint32_t j = 0; j < AT_ONCE; j++)
				v[j] = p[j * BLOCK];
#pragma unroll
			for (uint32_t j = 0; j < AT_ONCE; j += 2)
				s = fmaf(v[j], v[j + 1], s);
		}
	sum[blockIdx.x * BLOCK + threadIdx.x] = s;
}
