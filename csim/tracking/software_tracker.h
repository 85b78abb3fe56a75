/* The CPU reads a primary array again, to find the extents of its values (tafe, section 4.2).
 *
 * By CTA, it goes through the elements that the CTA reads (taf_walk.h): of a data-dependent array it loads the extents
 * that say which first. Each element takes SOFTWARE_TRACKER_INSTS non-memory instructions (index, bound, branch), a
 * load, and two that use what it loads, the minimum and the maximum so far. When the next CTA's extents are in another
 * line, the line is stored.
 */
#ifndef CSIM_TRACKING_SOFTWARE_TRACKER_H
#define CSIM_TRACKING_SOFTWARE_TRACKER_H

#include "base/arena.h"
#include "cpu/loop_stream.h"
#include "taf/taf_walk.h"

enum { SOFTWARE_TRACKER_INSTS = 3, SOFTWARE_TRACKER_CTA_INSTS = 4 /* of a CTA: where its elements begin and end */ };

struct software_tracker {
	const struct taf *taf;
	const struct taf_memory *memory; /* extents of arrays that were read before */
	uint64_t scratch;		 /* where the core's accesses to the metadata go, in place of TAF_BASE */
	struct taf_array array;
	uint32_t cta;
	bool walking, in_range;
	bool *seen; /* by set: a data-dependent array is read once for all CTAs of a set */
	struct taf_walk walk;
	struct taf_range range;
	uint64_t element;
	uint16_t carry; /* non-memory instructions that wait for an access */
	struct stream_step queue[2 + 8 * (1 + TAF_MAX_EXTENTS / TAF_EXTENTS_A_LINE + 2)];
	unsigned n_queue, at_queue;
	uint64_t elements; /* read, of all arrays */
};

void software_tracker_init(struct software_tracker *r, struct arena *a, const struct taf *t, const struct taf_memory *memory,
			   uint64_t scratch);
void software_tracker_begin(struct software_tracker *r, const struct taf_array *array);
bool software_tracker_next(struct software_tracker *r, struct stream_step *out); /* false: the array has been read */

#endif
