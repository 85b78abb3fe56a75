// dwt2d: the 5/3 wavelet transform of an image, a level a launch, in whole numbers.
//
// dwt2d_split takes the three colours apart. In dwt2d_level a CTA slides a window of 8 rows down a strip of 192
// columns: the rows are staged in shared memory with a rim, transformed along x, and then each thread goes down its
// column, with the last row and the last difference of the window above in registers. Sums go to one half, differences
// to the other, along x and along y.
#include "device.h"

enum : uint32_t { PIXELS = 256, STRIP = 192, PAIRS = STRIP / 2, WINDOW = 8, RIM = 3 };

extern "C" __global__ void dwt2d_split(const uint8_t *rgb, int32_t *red, int32_t *green, int32_t *blue, uint32_t pixels)
{
	__shared__ uint8_t s[3 * PIXELS];
	uint32_t t = threadIdx.x, first = blockIdx.x * PIXELS, bytes = 3 * min(PIXELS, pixels - first);

#pragma unroll
	for (uint32_t i = 0; i < 3; i++)
		if (i * PIXELS + t < bytes)
			s[i * PIXELS + t] = rgb[3 * first + i * PIXELS + t];
	__syncthreads();
	if (first + t >= pixels)
		return;
	red[first + t] = s[3 * t] - 128;
	green[first + t] = s[3 * t + 1] - 128;
	blue[first + t] = s[3 * t + 2] - 128;
}

// Beyond its ends a line goes on as its mirror image; far beyond, where nothing is needed, anything inside will do.
static __device__ __forceinline__ uint32_t mirror(int32_t i, uint32_t n)
{
	int32_t last = (int32_t)n - 1, folded = i < 0 ? -i : i;

	return (uint32_t)max(folded > last ? 2 * last - folded : folded, 0);
}

static __device__ __forceinline__ int32_t difference(int32_t before, int32_t here, int32_t after)
{
	return here - ((before + after) >> 1);
}

static __device__ __forceinline__ int32_t sum(int32_t before, int32_t here, int32_t after)
{
	return here + ((before + after + 2) >> 2);
}

struct image {
	int32_t *at;
	uint32_t pitch;
};

// Rows y to y + rows - 1 of the strip, transformed along x, into `band`: sums, then differences.
static __device__ __forceinline__ void stage(image in, uint32_t cols, uint32_t height, int32_t y, uint32_t rows,
					     int32_t (*raw)[STRIP + RIM], int32_t (*band)[STRIP])
{
	uint32_t t = threadIdx.x, pair = t % PAIRS;
	int32_t left = (int32_t)(blockIdx.x * STRIP) - 2;
	uint32_t x = mirror(left + (int32_t)t, cols), x_rim = mirror(left + (int32_t)(STRIP + t), cols);

	for (uint32_t r = 0; r < rows; r++) {
		const int32_t *line = in.at + mirror(y + (int32_t)r, height) * in.pitch;

		raw[r][t] = line[x];
		if (t < RIM)
			raw[r][STRIP + t] = line[x_rim];
	}
	__syncthreads();
	for (uint32_t r = t / PAIRS; r < rows; r += 2) {
		const int32_t *a = &raw[r][2 * pair];
		int32_t before = difference(a[0], a[1], a[2]), after = difference(a[2], a[3], a[4]);

		band[r][pair] = sum(before, a[2], after);
		band[r][PAIRS + pair] = after;
	}
	__syncthreads();
}

// `low` takes what is a sum along both x and y, `out` the rest.
extern "C" __global__ void dwt2d_level(image in, image low, image out, uint32_t cols, uint32_t rows, uint32_t windows)
{
	__shared__ int32_t raw[WINDOW][STRIP + RIM], band[WINDOW][STRIP];
	uint32_t t = threadIdx.x, y = blockIdx.y * windows * WINDOW, x = blockIdx.x * PAIRS + t % PAIRS;
	bool is_sum = t < PAIRS, inside = x < cols / 2;
	image sums = is_sum ? low : out;
	uint32_t column = is_sum ? x : cols / 2 + x;
	int32_t here, before;

	stage(in, cols, rows, (int32_t)y - 2, 3, raw, band);
	before = difference(band[0][t], band[1][t], band[2][t]);
	here = band[2][t];
	__syncthreads();
#pragma unroll 1
	for (uint32_t w = 0; w < windows && y < rows; w++, y += WINDOW) {
		stage(in, cols, rows, (int32_t)y + 1, WINDOW, raw, band);
#pragma unroll
		for (uint32_t i = 0; i < WINDOW; i += 2) {
			int32_t next = band[i + 1][t], after = difference(here, band[i][t], next);
			uint32_t row = (y + i) / 2;

			if (inside && y + i < rows) {
				sums.at[row * sums.pitch + column] = sum(before, here, after);
				out.at[(rows / 2 + row) * out.pitch + column] = after;
			}
			here = next;
			before = after;
		}
		__syncthreads();
	}
}
