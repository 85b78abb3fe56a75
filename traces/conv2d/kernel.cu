// conv2d: a 3x3 filter over an image, an output pixel a thread, blocks of (32,8). The border of the output stays as it
// is.
//
// A CTA reads ten image rows of 34 pixels. When the rows are a multiple of 4 KB apart, all ten fall into the same one
// or two sets of a linearly indexed cache.
#include "device.h"

extern "C" __global__ void conv2d(const float *in, float *out, uint32_t rows, uint32_t cols, uint32_t pitch)
{
	uint32_t x = blockIdx.x * blockDim.x + threadIdx.x;
	uint32_t y = blockIdx.y * blockDim.y + threadIdx.y;
	uint64_t at = (uint64_t)y * pitch + x;
	const float *up = in + at - pitch, *mid = in + at, *down = in + at + pitch;

	if (x < 1 || y < 1 || x + 1 >= cols || y + 1 >= rows)
		return;
	out[at] = 0.0625f * up[-1] + 0.125f * up[0] + 0.0625f * up[1] +
		  0.1250f * mid[-1] + 0.250f * mid[0] + 0.1250f * mid[1] +
		  0.0625f * down[-1] + 0.125f * down[0] + 0.0625f * down[1];
}
