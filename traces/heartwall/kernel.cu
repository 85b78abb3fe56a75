// heartwall: points on a moving wall are followed from frame to frame, a CTA a point. Each has a template of what is
// around it.
//
// heartwall_begin takes the templates from the first frame. heartwall_follow goes through phases with barriers between:
// the template goes to shared memory; the window in which the point may now be is copied out of the frame; running sums
// of its squares are made down its columns and then along its rows, a thread each; each thread compares the template
// with the window at one or two places; the best is found in shared memory; the template is blended with what is there
// now. Windows of neighbouring points overlap.
#include "device.h"

enum : uint32_t { THREADS = 256, TEMPLATE_MAX = 51 };

struct wall {
	const uint8_t *frame;
	uint32_t *pattern;	    // a template a point
	uint32_t *window, *squares; // for each point what the phases pass on
	uint32_t *x, *y;	    // of the points
	uint32_t cols, rows, radius, search, reach; // radius of templates and of windows; how far a point moves in a
						    // frame
};

static __device__ __forceinline__ uint32_t pixel(const wall &w, int32_t x, int32_t y)
{
	x = min(max(x, 0), (int32_t)w.cols - 1);
	y = min(max(y, 0), (int32_t)w.rows - 1);
	return w.frame[(uint32_t)y * w.cols + (uint32_t)x];
}

// The square of side 2 * radius + 1 around a point.
static __device__ __forceinline__ void cut_out(const wall &w, uint32_t radius, uint32_t *to)
{
	uint32_t side = 2 * radius + 1;
	int32_t left = (int32_t)(w.x[blockIdx.x] - radius), top = (int32_t)(w.y[blockIdx.x] - radius);

#pragma unroll 1
	for (uint32_t i = threadIdx.x; i < side * side; i += THREADS)
		to[i] = pixel(w, left + (int32_t)(i % side), top + (int32_t)(i / side));
}

extern "C" __global__ void heartwall_begin(wall w)
{
	uint32_t side = 2 * w.radius + 1;

	cut_out(w, w.radius, w.pattern + blockIdx.x * side * side);
}

// The sum of squares of a template's size, with its upper left corner at (x, y) of the window; sums[y][x] is that of
// all up to (x, y).
static __device__ __forceinline__ uint32_t sum_of_squares(const uint32_t *sums, uint32_t side, uint32_t x, uint32_t y, uint32_t size)
{
	uint32_t right = x + size - 1, bottom = y + size - 1, sum = sums[bottom * side + right];

	if (x > 0)
		sum -= sums[bottom * side + x - 1];
	if (y > 0)
		sum -= sums[(y - 1) * side + right];
	if (x > 0 && y > 0)
		sum += sums[(y - 1) * side + x - 1];
	return sum;
}

// moved: the place among (2 reach + 1)^2 to which each point went.
extern "C" __global__ void heartwall_follow(wall w, uint32_t *moved)
{
	__shared__ uint32_t pattern[TEMPLATE_MAX * TEMPLATE_MAX], best_place[THREADS];
	__shared__ int32_t best[THREADS];
	uint32_t t = threadIdx.x, size = 2 * w.radius + 1, side = 2 * w.search + 1, places = 2 * w.reach + 1;
	uint32_t *mine = w.pattern + blockIdx.x * size * size, corner = w.search - w.radius - w.reach;
	uint32_t *window = w.window + blockIdx.x * side * side, *squares = w.squares + blockIdx.x * side * side, at;
	int32_t least = 0x7fffffff;
	uint32_t least_place = 0;

#pragma unroll 1
	for (uint32_t i = t; i < size * size; i += THREADS)
		pattern[i] = mine[i];
	cut_out(w, w.search, window);
	__syncthreads();

	if (t < side) {
		uint32_t sum = 0;

#pragma unroll 1
		for (uint32_t y = 0; y < side; y++) {
			sum += window[y * side + t] * window[y * side + t];
			squares[y * side + t] = sum;
		}
	}
	__syncthreads();
	if (t < side) {
		uint32_t sum = 0;

#pragma unroll 1
		for (uint32_t x = 0; x < side; x++) {
			sum += squares[t * side + x];
			squares[t * side + x] = sum;
		}
	}
	__syncthreads();

	// The sum of squared differences, less the template's own squares, which are the same everywhere.
#pragma unroll 1
	for (uint32_t place = t; place < places * places; place += THREADS) {
		uint32_t x = corner + place % places, y = corner + place / places, product = 0;
		int32_t difference;

#pragma unroll 1
		for (uint32_t row = 0; row < size; row++)
#pragma unroll 1
			for (uint32_t col = 0; col < size; col++)
				product += pattern[row * size + col] * window[(y + row) * side + x + col];
		difference = (int32_t)sum_of_squares(squares, side, x, y, size) - 2 * (int32_t)product;
		if (difference < least) {
			least = difference;
			least_place = place;
		}
	}
	best[t] = least;
	best_place[t] = least_place;
#pragma unroll 1
	for (uint32_t half = THREADS / 2; half > 0; half /= 2) {
		__syncthreads();
		// Of equals the first place counts.
		if (t < half && (best[t + half] < best[t] || (best[t + half] == best[t] && best_place[t + half] < best_place[t]))) {
			best[t] = best[t + half];
			best_place[t] = best_place[t + half];
		}
	}
	__syncthreads();

	at = (corner + best_place[0] / places) * side + corner + best_place[0] % places;
#pragma unroll 1
	for (uint32_t i = t; i < size * size; i += THREADS)
		mine[i] = (7 * pattern[i] + window[at + i / size * side + i % size] + 4) / 8;
	if (t == 0) {
		w.x[blockIdx.x] += best_place[0] % places - w.reach;
		w.y[blockIdx.x] += best_place[0] / places - w.reach;
		moved[blockIdx.x] = best_place[0];
	}
}
