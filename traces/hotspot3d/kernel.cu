// hotspot3d: heat spreading through a chip of several layers, one step of time a launch. A thread takes a column of
// cells and marches up through the layers: the cells below, here and above stand in registers, those beside come from
// global memory.
#include "device.h"

struct coefficients {
	float here, across, down, up, ambient; // weights of the cell, of left and right, of front and back, of the
					       // layers; temperature
	float power;
};

extern "C" __global__ void hotspot3d(const float *power, const float *from, float *to, uint32_t nx, uint32_t ny, uint32_t nz,
				     coefficients k)
{
	uint32_t x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	uint32_t plane = nx * ny, at = y * nx + x;
	float below, here, above;

	if (x >= nx || y >= ny)
		return;
	// Over the rim of the chip no heat flows: the neighbour there is the cell itself.
	uint32_t left = x > 0, right = x < nx - 1, front = y > 0 ? nx : 0, back = y < ny - 1 ? nx : 0;

	below = here = from[at];
#pragma unroll 1
	for (uint32_t z = 0; z < nz; z++, at += plane) {
		above = z + 1 < nz ? from[at + plane] : here;
		to[at] = k.here * here + k.across * (from[at - left] + from[at + right]) +
			 k.down * (from[at - front] + from[at + back]) + k.up * (below + above) + k.power * power[at] + k.ambient;
		below = here;
		here = above;
	}
}
