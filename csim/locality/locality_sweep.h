/* From events to reader sets: the sweep behind locality/locality_collect.h.
 *
 * An event is a position in the map and a CTA, position << SWEEP_CTA_BITS | cta: from this position on the CTA reads if
 * it did not, or does not if it did. Positions count granules through the pages of locality/sparse.h; at the end of a
 * page nobody reads.
 */
#ifndef CSIM_LOCALITY_LOCALITY_SWEEP_H
#define CSIM_LOCALITY_LOCALITY_SWEEP_H

#include "locality/reader_sets.h"
#include "locality/sparse.h"

enum { SWEEP_CTA_BITS = 24 };

/* Sorts `event` and fills all of r but r->loads. unit: granules of an element, by page. */
void sweep(struct locality_readers *r, uint32_t n_ctas, uint64_t *event, uint64_t n, const uint32_t *unit, uint32_t n_pages);

#endif
