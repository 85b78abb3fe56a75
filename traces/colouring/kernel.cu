// colouring: the rounds of Jones and Plassmann, a thread a vertex, two launches a round. Every vertex has a number of
// its own.
//
// colouring_rival: the greatest number among a vertex's neighbours that have no colour yet, for each vertex that has
// none. colouring_paint: whoever is above all its rivals takes the colour of the round; two neighbours never do.
#include "device.h"

extern "C" __global__ void colouring_rival(const uint32_t *row, const uint32_t *edge, const uint32_t *number, const uint32_t *colour,
					   uint32_t *rival, uint32_t n)
{
	uint32_t v = blockIdx.x * blockDim.x + threadIdx.x, end, greatest = 0;

	if (v >= n || colour[v])
		return;
	end = row[v + 1];
	for (uint32_t i = row[v]; i < end; i++) {
		uint32_t to = edge[i];

		if (!colour[to])
			greatest = max(greatest, number[to]);
	}
	rival[v] = greatest;
}

extern "C" __global__ void colouring_paint(const uint32_t *number, const uint32_t *rival, uint32_t *colour, uint32_t *go_on,
					   uint32_t round, uint32_t n)
{
	uint32_t v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= n || colour[v])
		return;
	if (number[v] > rival[v])
		colour[v] = round;
	else
		*go_on = 1;
}
