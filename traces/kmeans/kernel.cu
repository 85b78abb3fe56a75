// kmeans: nearest of some centres, a point a thread, over points with tens of features. The features of a point stand
// side by side, so that neighbouring lanes are 4 * features bytes apart. Either a launch before it lays them out
// feature by feature, or each thread walks along its own point, once for each centre.
#include "device.h"

enum { CENTRES = 5, MAX_FEATURES = 64 };

// Centre c's feature f at [c * features + f]; the host fills it.
__constant__ float kmeans_centre[CENTRES * MAX_FEATURES];

extern "C" __global__ void kmeans_transpose(const float *point, float *by_feature, uint32_t n, uint32_t features)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	for (uint32_t f = 0; f < features; f++)
		by_feature[(uint64_t)f * n + i] = point[(uint64_t)i * features + f];
}

extern "C" __global__ void kmeans_nearest(const float *by_feature, uint32_t *nearest, uint32_t n, uint32_t features)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
	float best_distance = 3.402823466e38f;

	if (i >= n)
		return;
	for (uint32_t c = 0; c < CENTRES; c++) {
		float distance = 0;

		for (uint32_t f = 0; f < features; f++) {
			float d = by_feature[(uint64_t)f * n + i] - kmeans_centre[c * features + f];

			distance += d * d;
		}
		if (distance < best_distance) {
			best_distance = distance;
			best = c;
		}
	}
	nearest[i] = best;
}

// The points as they stand: a load of a warp touches a line a lane, and the lines of its 32 points, 4 * features bytes
// a lane, are touched anew for each centre. Centre c's feature f at [c * features + f].
extern "C" __global__ void kmeans_nearest_by_point(const float *point, const float *centre, uint32_t *nearest, uint32_t n,
						   uint32_t features)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
	float best_distance = 3.402823466e38f;

	if (i >= n)
		return;
#pragma unroll 1
	for (uint32_t c = 0; c < CENTRES; c++) {
		float distance = 0;

#pragma unroll 1
		for (uint32_t f = 0; f < features; f++) {
			float d = point[(uint64_t)i * features + f] - centre[c * features + f];

			distance += d * d;
		}
		if (distance < best_distance) {
			best_distance = distance;
			best = c;
		}
	}
	nearest[i] = best;
}
