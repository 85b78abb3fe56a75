/* Rings have a power of two of slots, so that an ever growing count finds its slot by a mask instead of a
 * division. */
#ifndef CSIM_BASE_RING_H
#define CSIM_BASE_RING_H

#include <stdint.h>

/* The slots of a ring that holds n; one at least. The mask is one less. */
static inline uint64_t ring_slots(uint64_t n)
{
	uint64_t slots = 1;

	while (slots < n)
		slots *= 2;
	return slots;
}

#endif
