/* Gathers what the CTAs of a launch read and makes reader sets of it (locality/reader_sets.h).
 *
 * While a CTA is collected, its reads are bits of a map of memory, one bit a granule; when it ends, the runs of set
 * bits become pairs of events (where the run begins, where it ends), and the bits are cleared. At the end the events of
 * all CTAs are sorted by position and swept once: between two positions the set of readers stays the same. So the cost
 * goes with the runs and not with the elements, and with the memory that is touched and not with the size of the
 * buffers.
 */
#ifndef CSIM_LOCALITY_LOCALITY_COLLECT_H
#define CSIM_LOCALITY_LOCALITY_COLLECT_H

#include "locality/reader_sets.h"

struct collect;

enum { COLLECT_MAX_CTAS = 1 << 24 };

/* granule: bytes of a bit, a power of two that divides every access. lines: the unit is the granule; else the narrowest
 * access of the buffer. */
struct collect *collect_new(uint32_t n_ctas, uint32_t n_buffers, uint32_t granule, bool lines);
/* CTA `cta` reads [offset, offset + bytes) of a buffer by loads of `width` bytes a lane. CTAs come one after
 * another. */
void collect_read(struct collect *c, uint32_t buffer, uint64_t offset, uint64_t bytes, uint32_t width);
void collect_cta_end(struct collect *c, uint32_t cta);
/* Fills all of r but r->loads, and frees c. */
void collect_finish(struct collect *c, struct locality_readers *r);

#endif
