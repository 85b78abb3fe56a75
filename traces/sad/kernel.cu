// sad: sums of absolute differences for motion estimation. A CTA of 61 threads takes a 4x4 block of the frame and
// compares it with the reference frame at the 33 x 33 displacements around its place, 18 a thread; places outside the
// frame repeat its border.
#include "device.h"

enum { BLOCK = 4, RANGE = 16, SPAN = 2 * RANGE + 1, PLACES = SPAN * SPAN, THREADS = 61, A_THREAD = 18, STORED = 1096 };

extern "C" __global__ void sad(const uint16_t *frame, const uint16_t *reference, uint32_t *sums, int32_t rows, int32_t cols)
{
	__shared__ uint16_t block[BLOCK * BLOCK];
	__shared__ uint16_t sum[STORED];
	uint32_t t = threadIdx.x;
	int32_t top = (int32_t)(blockIdx.y * BLOCK), left = (int32_t)(blockIdx.x * BLOCK);
	uint64_t to = (uint64_t)(blockIdx.y * gridDim.x + blockIdx.x) * (STORED / 2);

	if (t < BLOCK * BLOCK)
		block[t] = frame[(uint64_t)((top + (int32_t)(t / BLOCK)) * cols + left + (int32_t)(t % BLOCK))];
	__syncthreads();
#pragma unroll 1
	for (uint32_t i = 0; i < A_THREAD; i++) {
		uint32_t place = i * THREADS + t, s = 0;
		int32_t y0 = top + (int32_t)(place / SPAN) - RANGE, x0 = left + (int32_t)(place % SPAN) - RANGE;

		if (place >= STORED)
			break;
		if (place < PLACES) {
#pragma unroll
			for (int32_t y = 0; y < BLOCK; y++) {
				int32_t row = min(max(y0 + y, 0), rows - 1) * cols;

#pragma unroll
				for (int32_t x = 0; x < BLOCK; x++) {
					int32_t d = (int32_t)block[y * BLOCK + x] - (int32_t)reference[row + min(max(x0 + x, 0), cols - 1)];

					s += (uint32_t)max(d, -d);
				}
			}
		}
		sum[place] = (uint16_t)s;
	}
	__syncthreads();
	for (uint32_t i = t; i < STORED / 2; i += THREADS)
		sums[to + i] = sum[2 * i] | (uint32_t)sum[2 * i + 1] << 16;
}
