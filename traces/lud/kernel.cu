// lud: LU decomposition in place, without pivots, in 16x16 tiles. For each tile of the diagonal three launches: the
// tile itself, the tiles to its right and below (half of a warp each), and the square that is left.
#include "device.h"

enum { TILE = 16 };

// One CTA of 16 threads; the tile's upper left corner is (at, at).
extern "C" __global__ void lud_diagonal(float *a, uint32_t n, uint32_t at)
{
	__shared__ float s[TILE][TILE];
	uint32_t t = threadIdx.x;
	float *corner = a + (uint64_t)at * n + at;

	for (uint32_t i = 0; i < TILE; i++)
		s[i][t] = corner[(uint64_t)i * n + t];
	__syncthreads();
#pragma unroll 1
	for (uint32_t i = 0; i + 1 < TILE; i++) {
		if (t > i) {
			s[t][i] /= s[i][i];
			for (uint32_t j = i + 1; j < TILE; j++)
				s[t][j] -= s[t][i] * s[i][j];
		}
		__syncthreads();
	}
	for (uint32_t i = 0; i < TILE; i++)
		corner[(uint64_t)i * n + t] = s[i][t];
}

// A CTA of 32 threads takes the tile blockIdx.x + 1 to the right and the one as far below: a column of the first and a
// row of the second a thread.
extern "C" __global__ void lud_perimeter(float *a, uint32_t n, uint32_t at)
{
	__shared__ float diagonal[TILE][TILE], row[TILE][TILE], column[TILE][TILE];
	uint32_t t = threadIdx.x % TILE, away = (blockIdx.x + 1) * TILE;
	float *corner = a + (uint64_t)at * n + at, *right = corner + away, *below = corner + (uint64_t)away * n;

	if (threadIdx.x < TILE) {
		for (uint32_t i = 0; i < TILE; i++)
			row[i][t] = right[(uint64_t)i * n + t];
		for (uint32_t i = 0; i < TILE / 2; i++)
			diagonal[i][t] = corner[(uint64_t)i * n + t];
	} else {
		for (uint32_t i = 0; i < TILE; i++)
			column[i][t] = below[(uint64_t)i * n + t];
		for (uint32_t i = TILE / 2; i < TILE; i++)
			diagonal[i][t] = corner[(uint64_t)i * n + t];
	}
	__syncthreads();
	if (threadIdx.x < TILE) {
#pragma unroll 1
		for (uint32_t i = 1; i < TILE; i++)
			for (uint32_t j = 0; j < i; j++)
				row[i][t] -= diagonal[i][j] * row[j][t];
	} else {
#pragma unroll 1
		for (uint32_t i = 0; i < TILE; i++) {
			for (uint32_t j = 0; j < i; j++)
				column[t][i] -= column[t][j] * diagonal[j][i];
			column[t][i] /= diagonal[i][i];
		}
	}
	__syncthreads();
	if (threadIdx.x < TILE) {
		for (uint32_t i = 0; i < TILE; i++)
			right[(uint64_t)i * n + t] = row[i][t];
	} else {
		for (uint32_t i = 0; i < TILE; i++)
			below[(uint64_t)i * n + t] = column[i][t];
	}
}

// Blocks of (16,16) over the tiles right of and below the diagonal's.
extern "C" __global__ void lud_internal(float *a, uint32_t n, uint32_t at)
{
	__shared__ float row[TILE][TILE], column[TILE][TILE];
	uint32_t tx = threadIdx.x, ty = threadIdx.y;
	uint32_t x = at + (blockIdx.x + 1) * TILE + tx, y = at + (blockIdx.y + 1) * TILE + ty;
	float sum = 0;

	row[ty][tx] = a[(uint64_t)(at + ty) * n + x];
	column[ty][tx] = a[(uint64_t)y * n + at + tx];
	__syncthreads();
#pragma unroll
	for (uint32_t k = 0; k < TILE; k++)
		sum += column[ty][k] * row[k][tx];
	a[(uint64_t)y * n + x] -= sum;
}
