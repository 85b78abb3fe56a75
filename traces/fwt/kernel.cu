// fwt: fast Walsh transform of 2^k floats. Butterflies over long strides go through global memory, four elements a
// thread and two levels a launch; once a piece fits into shared memory, a CTA does all of its remaining levels there.
#include "device.h"

extern __shared__ float fwt_piece[];

// Levels of the strides 2 * stride and stride; n / 4 threads.
extern "C" __global__ void fwt_global(float *data, uint32_t stride)
{
	uint32_t t = blockIdx.x * blockDim.x + threadIdx.x;
	uint32_t low = t & (stride - 1);
	float *p = data + ((t - low) * 4 + low);
	float d0 = p[0], d1 = p[stride], d2 = p[2 * stride], d3 = p[3 * stride];
	float s02 = d0 + d2, s13 = d1 + d3, m02 = d0 - d2, m13 = d1 - d3;

	p[0] = s02 + s13;
	p[stride] = s02 - s13;
	p[2 * stride] = m02 + m13;
	p[3 * stride] = m02 - m13;
}

// All levels of a piece of n floats (n * 4 bytes of dynamic shared memory), one CTA a piece.
extern "C" __global__ void fwt_shared(float *data, uint32_t n)
{
	float *piece = data + blockIdx.x * n;

	for (uint32_t i = threadIdx.x; i < n; i += blockDim.x)
		fwt_piece[i] = piece[i];
#pragma unroll 1
	for (uint32_t stride = n / 2; stride; stride /= 2) {
		__syncthreads();
		for (uint32_t t = threadIdx.x; t < n / 2; t += blockDim.x) {
			uint32_t low = t & (stride - 1), i = (t - low) * 2 + low;
			float a = fwt_piece[i], b = fwt_piece[i + stride];

			fwt_piece[i] = a + b;
			fwt_piece[i + stride] = a - b;
		}
	}
	__syncthreads();
	for (uint32_t i = threadIdx.x; i < n; i += blockDim.x)
		piece[i] = fwt_piece[i];
}
