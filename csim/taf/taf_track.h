/* The software tracker: fills the extent tables from what the primary arrays hold (tafe, section 4.2, "re-reading").
 *
 * For each set of CTAs, the elements that it reads of a primary array by any of the array's entries (taf_walk.h) are
 * read from the array as it is behind the last store, and each value is put into the set's extents. Arrays that others'
 * relations name come first, at any depth. Entries that are not ready contribute nothing.
 *
 * With one extent a set it is the least and the largest value. With k, a value that is in none of the k intervals
 * becomes one of its own, or widens a neighbour that it touches; when that makes k + 1, the two that are closest (of
 * equal gaps the lowest) become one. Values come in the order of CTAs, entries and ranges, and ascending elements.
 * Intervals are in ascending order. A value that does not fit into 32 bits makes its extent 0 to 2^32 - 1, the only one
 * of the set.
 */
#ifndef CSIM_TAF_TAF_TRACK_H
#define CSIM_TAF_TAF_TRACK_H

#include "taf/taf_memory.h"

struct taf_track_counts {
	uint64_t reads;	    /* of elements of primary arrays */
	uint64_t saturated; /* of these, values over 32 bits */
};

/* Initialises m, writes directory and tables. counts may be NULL. */
void taf_track(struct taf_memory *m, const struct taf *t, struct taf_track_counts *counts);

#endif
