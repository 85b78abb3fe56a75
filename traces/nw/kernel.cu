// nw: Needleman-Wunsch alignment of two sequences, in 16x16 tiles along the anti-diagonals: a launch a diagonal of
// tiles, a CTA of 16 threads a tile. The score table has a row and a column more than the sequences, so its rows are n
// + 1 words apart.
#include "device.h"

enum { TILE = 16 };

// Tiles (x, d - x) for x = first + blockIdx.x. `match` holds the score of pairing i with j at [i * pitch + j].
extern "C" __global__ void nw(const int32_t *match, int32_t *score, uint32_t pitch, int32_t gap, uint32_t first, uint32_t d)
{
	__shared__ int32_t s[TILE + 1][TILE + 1], m[TILE][TILE];
	uint32_t t = threadIdx.x, tile_x = first + blockIdx.x, tile_y = d - tile_x;
	uint64_t corner = (uint64_t)tile_y * TILE * pitch + tile_x * TILE;

	for (uint32_t y = 0; y < TILE; y++)
		m[y][t] = match[corner + (uint64_t)(y + 1) * pitch + t + 1];
	if (t == 0)
		s[0][0] = score[corner];
	s[0][t + 1] = score[corner + t + 1];
	s[t + 1][0] = score[corner + (uint64_t)(t + 1) * pitch];
	__syncthreads();
#pragma unroll 1
	for (int32_t step = 0; step < 2 * TILE - 1; step++) {
		int32_t x = (int32_t)t, y = step - x;

		if (y >= 0 && y < TILE)
			s[y + 1][x + 1] = max(s[y][x] + m[y][x], max(s[y + 1][x] - gap, s[y][x + 1] - gap));
		__syncthreads();
	}
	for (uint32_t y = 0; y < TILE; y++)
		score[corner + (uint64_t)(y + 1) * pitch + t + 1] = s[y + 1][t + 1];
}
