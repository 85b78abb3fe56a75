// chase: a chain of dependent loads. A cell of the buffer holds the device address of the next cell, so that a step is
// one load whose address is the last one's result, and nothing else. Sixteen steps stand in a row; the loop's own three
// instructions do not depend on them and fit under the last load's latency.
//
// Sixteen rather than all: the code stays small; rather than one: what else is issued cannot be seen even by a cache of
// one cycle.
#include "device.h"

// A cell in global memory, so that the load is ld.global and not a generic one.
typedef __attribute__((address_space(1))) const uint64_t cell;

extern "C" __global__ void chase(uint64_t first, uint64_t *last, uint32_t steps)
{
	uint64_t p = first;

#pragma unroll 1
	for (uint32_t i = 0; i < steps; i += 16) {
#pragma unroll
		for (uint32_t j = 0; j < 16; j++)
			p = *(cell *)p;
	}
	last[threadIdx.x] = p;
}
