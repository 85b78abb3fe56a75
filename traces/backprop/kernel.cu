// backprop: one layer of a neural network with 16 hidden units, forward and back, blocks of (16,16): 16 inputs by 16
// units. Rows of weights are 17 floats apart, since unit 0 is the bias.
#include "device.h"

enum { UNITS = 16 };

// Partial sums of each unit over a CTA's 16 inputs, by a tree of log2(16) steps.
extern "C" __global__ void backprop_forward(const float *input, const float *weight, float *partial)
{
	__shared__ float in[UNITS], w[UNITS][UNITS];
	uint32_t tx = threadIdx.x, ty = threadIdx.y, first = blockIdx.y * UNITS;

	if (tx == 0)
		in[ty] = input[first + ty + 1];
	__syncthreads();
	w[ty][tx] = weight[(uint64_t)(first + ty + 1) * (UNITS + 1) + tx + 1] * in[ty];
	__syncthreads();
#pragma unroll
	for (uint32_t step = 1; step < UNITS; step *= 2) {
		if (ty % (2 * step) == 0)
			w[ty][tx] += w[ty + step][tx];
		__syncthreads();
	}
	if (ty == 0)
		partial[blockIdx.y * UNITS + tx] = w[0][tx];
}

// Weights and their last changes, from the units' errors.
extern "C" __global__ void backprop_adjust(const float *delta, const float *input, float *weight, float *change, float rate,
					   float momentum)
{
	uint32_t tx = threadIdx.x, y = blockIdx.y * UNITS + threadIdx.y + 1;
	uint64_t at = (uint64_t)y * (UNITS + 1) + tx + 1;
	float by = rate * delta[tx + 1] * input[y] + momentum * change[at];

	weight[at] += by;
	change[at] = by;
}
