/* Whether an element determines its CTA: what TAFE's hardware, which sees a store's address alone, needs to find the
 * extent that the software tracker would (tafe, section 4.2: the inverse relation).
 */
#ifndef CSIM_TAF_TAF_INVERT_H
#define CSIM_TAF_TAF_INVERT_H

#include "taf/taf_memory.h"

/* No element is read by two CTAs through the relation of entry `entry`, and, TID_DEP, the threads of a CTA read
 * neighbouring elements in each iteration. memory: the extents, of which an INDIR_RANGE array needs those of its
 * primary array. Visits every CTA. */
bool taf_invertible(const struct taf *t, const struct taf_memory *memory, uint32_t entry);

#endif
