/* Which elements of an array a CTA reads, as ranges of indices: the relations of taf.h, evaluated without visiting
 * every thread.
 *
 * TID_DEP is exact. The threads' three dimensions and the loop are four counters with a stride each; those whose steps
 * touch join into ranges (a row-major tile is a range a row, a whole row of threads and a loop over the row one range),
 * the others are stepped. A data-dependent array is known by the extents of the CTA's set: INDIR is m * v + c for every
 * v in an extent, INDIR_RANGE with Ps = Pe runs to where the next set with an extent begins, at the last to the array's
 * end (section 4.2), with Ps and Pe different to the largest end in the extents of Pe. Sets that take CTAs out of order
 * have no next one: they run to the array's end.
 *
 * Ranges are within the array and come in no particular order; they may overlap. An entry that is not ready has none.
 */
#ifndef CSIM_TAF_TAF_WALK_H
#define CSIM_TAF_TAF_WALK_H

#include "taf/taf_memory.h"

struct taf_range {
	uint32_t first, last; /* indices of elements, both within */
};

struct taf_walk { /* for taf_walk.c to look into */
	const struct taf *taf;
	const struct taf_memory *memory;
	const struct taf_array *array;
	uint64_t elements, extent, last_extent; /* INDIR: the next extent, and the one behind the last */
	uint32_t at;				/* where the next range begins */
	uint64_t length;			/* of each range */
	struct taf_counter {
		uint32_t n, i, stride;
	} counter[4];
	unsigned n_counters;
	bool more;	       /* the counters have not gone round */
	struct taf_range rest; /* of a range that wraps */
	bool has_rest;
};

/* memory: the extents; TID_DEP needs none. a: an entry of t. */
void taf_walk_begin(struct taf_walk *w, const struct taf *t, const struct taf_memory *memory, const struct taf_array *a,
		    uint32_t cta);
bool taf_walk_next(struct taf_walk *w, struct taf_range *out);

#endif
