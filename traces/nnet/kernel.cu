// nnet: a network that reads digits from 29x29 images: two layers of 5x5 windows in steps of two, two full layers. A
// CTA computes one map (13x13, then 5x5 threads) or one neuron (a single thread) of one image; blockIdx is (map or
// neuron, image).
#include "device.h"

enum { WINDOW = 5, STEP = 2, WEIGHTS = WINDOW * WINDOW };

// 1.7159 tanh(2/3 v); tanh x = 1 - 2 / (e^2x + 1).
static __device__ __forceinline__ float squash(float v)
{
	return 1.7159f * (1.0f - 2.0f / (__expf(v * (4.0f / 3.0f)) + 1.0f));
}

// One map from `maps` maps of side x side; a map's weights: its bias, then 25 for each input map.
extern "C" __global__ void nnet_windows(const float *in, const float *weight, float *out, uint32_t maps, uint32_t side)
{
	uint32_t x = threadIdx.x, y = threadIdx.y, out_side = blockDim.x, map = blockIdx.x, image = blockIdx.y;
	const float *w = weight + (uint64_t)map * (1 + maps * WEIGHTS);
	const float *window = in + (uint64_t)image * maps * side * side + STEP * (y * side + x);
	float sum = w[0];

#pragma unroll 1
	for (uint32_t m = 0; m < maps; m++) {
		const float *from = window + m * side * side, *k = w + 1 + m * WEIGHTS;

#pragma unroll
		for (uint32_t i = 0; i < WEIGHTS; i++)
			sum += k[i] * from[i / WINDOW * side + i % WINDOW];
	}
	out[((uint64_t)image * gridDim.x + map) * out_side * out_side + y * out_side + x] = squash(sum);
}

// One neuron of n inputs.
extern "C" __global__ void nnet_full(const float *in, const float *weight, float *out, uint32_t n)
{
	const float *w = weight + (uint64_t)blockIdx.x * (1 + n), *from = in + (uint64_t)blockIdx.y * n;
	float sum = w[0];

#pragma unroll 4
	for (uint32_t i = 0; i < n; i++)
		sum += w[1 + i] * from[i];
	out[(uint64_t)blockIdx.y * gridDim.x + blockIdx.x] = squash(sum);
}
