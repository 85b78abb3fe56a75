/* Rings have a power of two of places, so that an ever growing count finds its place by a mask instead of a
 * division. */
#ifndef CSIM_BASE_RING_H
#define CSIM_BASE_RING_H

#include <stdint.h>

/* The places of a ring that holds n; one at least. The mask is one less. */
static inline uint64_t ring_places(uint64_t n)
{
	uint64_t places = 1;

	while (places < n)
		places *= 2;
	return places;
}

#endif
