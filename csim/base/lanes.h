/* Lanes: spans of time that may overlap, put one after another onto the lowest lane that is free. So the spans of a
 * lane never overlap, and there are as many lanes as there are spans at a time. Spans come in the order of their
 * begins. */
#ifndef CSIM_BASE_LANES_H
#define CSIM_BASE_LANES_H

#include <stdint.h>

struct lanes {
	uint32_t n;
	uint64_t *free_at; /* by lane: the end of its last span */
};

/* The lane of a span [begin, end); one that is new has the number that lanes.n was. A zeroed struct has no lanes. */
uint32_t lanes_take(struct lanes *l, uint64_t begin, uint64_t end);
void lanes_free(struct lanes *l);

#endif
