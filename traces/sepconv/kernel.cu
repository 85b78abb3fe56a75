// sepconv: a separable filter of 17 taps over an image, first along rows, then along columns. A thread makes eight
// outputs; a CTA stages them and a halo of 16 (rows) or 8 (columns) on either side in shared memory. The taps are in
// constant memory.
#include "device.h"

enum { RADIUS = 8, OUTPUTS = 8 };
enum { ROW_X = 16, ROW_Y = 4, COL_X = 16, COL_Y = 8 };

__constant__ float sepconv_tap[2 * RADIUS + 1];

// blocks of (16,4); cols a multiple of 128. Beyond the image there are zeros.
extern "C" __global__ void sepconv_rows(const float *in, float *out, uint32_t cols)
{
	__shared__ float s[ROW_Y][(OUTPUTS + 2) * ROW_X];
	int32_t x = ((int32_t)blockIdx.x * OUTPUTS - 1) * ROW_X + (int32_t)threadIdx.x;
	uint32_t y = blockIdx.y * ROW_Y + threadIdx.y, tx = threadIdx.x;
	const float *row = in + (uint64_t)y * cols;
	float *to = out + (uint64_t)y * cols;

#pragma unroll
	for (int32_t i = 0; i < OUTPUTS + 2; i++) {
		int32_t at = x + i * ROW_X;

		s[threadIdx.y][tx + (uint32_t)i * ROW_X] = at >= 0 && at < (int32_t)cols ? row[at] : 0;
	}
	__syncthreads();
#pragma unroll
	for (int32_t i = 1; i <= OUTPUTS; i++) {
		float sum = 0;

#pragma unroll
		for (int32_t j = -RADIUS; j <= RADIUS; j++)
			sum += sepconv_tap[j + RADIUS] * s[threadIdx.y][(int32_t)tx + i * ROW_X + j];
		to[x + i * ROW_X] = sum;
	}
}

// blocks of (16,8); rows a multiple of 64. The odd pitch of the tile keeps the lanes of a column in different banks.
extern "C" __global__ void sepconv_columns(const float *in, float *out, uint32_t cols, uint32_t rows)
{
	__shared__ float s[COL_X][(OUTPUTS + 2) * COL_Y + 1];
	int32_t y = ((int32_t)blockIdx.y * OUTPUTS - 1) * COL_Y + (int32_t)threadIdx.y;
	uint32_t x = blockIdx.x * COL_X + threadIdx.x, ty = threadIdx.y;

#pragma unroll
	for (int32_t i = 0; i < OUTPUTS + 2; i++) {
		int32_t at = y + i * COL_Y;

		s[threadIdx.x][ty + (uint32_t)i * COL_Y] = at >= 0 && at < (int32_t)rows ? in[(uint64_t)(uint32_t)at * cols + x] : 0;
	}
	__syncthreads();
#pragma unroll
	for (int32_t i = 1; i <= OUTPUTS; i++) {
		float sum = 0;

#pragma unroll
		for (int32_t j = -RADIUS; j <= RADIUS; j++)
			sum += sepconv_tap[j + RADIUS] * s[threadIdx.x][(int32_t)ty + i * COL_Y + j];
		out[(uint64_t)(uint32_t)(y + i * COL_Y) * cols + x] = sum;
	}
}
