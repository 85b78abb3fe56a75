// hotspot: heat spreading over a chip. A launch does two steps of time: a CTA stages a 16x16 tile of temperatures and
// powers in shared memory and writes the 12x12 cells that are still right after both; neighbouring CTAs read each
// other's rims.
#include "device.h"

enum { TILE = 16, STEPS = 2, INSIDE = TILE - 2 * STEPS };

struct coefficients {
	float across, down, out, ambient; // of the flow to the left and right, up and down, to the outside; its
					  // temperature
};

extern "C" __global__ void hotspot(const float *power, const float *from, float *to, uint32_t rows, uint32_t cols, coefficients k)
{
	__shared__ float t[TILE][TILE], next[TILE][TILE], p[TILE][TILE];
	int32_t tx = (int32_t)threadIdx.x, ty = (int32_t)threadIdx.y;
	int32_t x = (int32_t)blockIdx.x * INSIDE + tx - STEPS, y = (int32_t)blockIdx.y * INSIDE + ty - STEPS;
	bool on_chip = x >= 0 && x < (int32_t)cols && y >= 0 && y < (int32_t)rows;
	uint64_t at = (uint64_t)(uint32_t)y * cols + (uint32_t)x;
	// Over the rim of the chip no heat flows: the neighbour there is the cell itself.
	int32_t left = tx - (x > 0), right = tx + (x < (int32_t)cols - 1);
	int32_t above = ty - (y > 0), below = ty + (y < (int32_t)rows - 1);

	if (on_chip) {
		t[ty][tx] = from[at];
		p[ty][tx] = power[at];
	}
	__syncthreads();
#pragma unroll 1
	for (int32_t s = 1; s <= STEPS; s++) {
		// What can be right in this step shrinks by a cell on each side.
		bool right_in_step = on_chip && tx >= s && tx < TILE - s && ty >= s && ty < TILE - s;

		if (right_in_step) {
			float here = t[ty][tx];

			next[ty][tx] = here + p[ty][tx] + k.across * (t[ty][left] + t[ty][right] - 2 * here) +
				       k.down * (t[above][tx] + t[below][tx] - 2 * here) + k.out * (k.ambient - here);
		}
		__syncthreads();
		if (right_in_step)
			t[ty][tx] = next[ty][tx];
		__syncthreads();
	}
	if (on_chip && tx >= STEPS && tx < TILE - STEPS && ty >= STEPS && ty < TILE - STEPS)
		to[at] = t[ty][tx];
}
