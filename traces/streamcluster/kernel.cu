// streamcluster: what opening one more centre would save. A point a thread; coordinates stand dimension by dimension,
// so that a point's are 4 n bytes apart; points are records of 12 bytes.
#include "device.h"

struct point {
	float weight;
	uint32_t centre; // number of the candidate that it belongs to
	float cost;	 // weight times the square of its distance to that centre
};

// Points that would be nearer to the candidate are marked in `moves`. saved: a row a point of centres + 1: for the
// others, what they would lose by moving, in the column of their centre; for those marked, what they gain, in the last
// column.
extern "C" __global__ void streamcluster(const float *coordinate, const point *points, const uint32_t *column_of, uint32_t *moves,
					 float *saved, uint32_t n, uint32_t dimensions, uint32_t candidate, uint32_t centres)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
	float distance = 0, cost;
	float *row = saved + (uint64_t)i * (centres + 1);
	const float *mine = coordinate + i, *its = coordinate + candidate;

	if (i >= n)
		return;
#pragma unroll 1
	for (uint32_t d = 0; d < dimensions; d++, mine += n, its += n)
		distance += (*mine - *its) * (*mine - *its);
	cost = distance * points[i].weight;
	if (cost < points[i].cost) {
		moves[i] = 1;
		row[centres] += cost - points[i].cost;
	} else {
		row[column_of[points[i].centre]] += points[i].cost - cost;
	}
}
