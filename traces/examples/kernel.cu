// The kernel of saxpy.yaml: y = a x + y, an element a thread.
#include "device.h"

extern "C" __global__ void saxpy(float *y, const float *x, float a, uint32_t n)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		y[i] = a * x[i] + y[i];
}

// The texel at (x, y), clamped to the edges, of a two-dimensional texture of one channel of floats.
static __device__ float texel(uint64_t image, int x, int y)
{
	float r, g, b, a;

	asm volatile("tex.2d.v4.f32.s32 {%0, %1, %2, %3}, [%4, {%5, %6}];" : "=f"(r), "=f"(g), "=f"(b), "=f"(a) : "l"(image), "r"(x), "r"(y));
	return r;
}

// The kernel of texture.yaml: sums of 3 x 3 texels, a pixel a thread.
extern "C" __global__ void box(float *out, uint64_t image, uint32_t width)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float sum = 0;

	for (int dy = -1; dy <= 1; dy++)
		for (int dx = -1; dx <= 1; dx++)
			sum += texel(image, x + dx, y + dy);
	out[y * width + x] = sum;
}
