/* Who shares what is read: the read accesses of a launch by how many warps and CTAs read the same data.
 *
 * An access is a warp's load of one element (or line of 128 bytes): lanes that read the same one together count once.
 * Each access belongs to the class of its element.
 *
 * Source: PAVER, section 2.2, Figure 2.
 */
#ifndef CSIM_LOCALITY_LOCALITY_SHARES_H
#define CSIM_LOCALITY_LOCALITY_SHARES_H

#include <stdbool.h>

#include "trace/trace.h"

struct locality_shares { /* read accesses to data that is read by */
	double unshared; /* one warp */
	double intra;	 /* several warps of one CTA */
	double inter;	 /* several CTAs, in each of them one warp */
	double both;	 /* several CTAs, in one of them several warps */
	double total;
};

int locality_shares(struct locality_shares *s, struct trace *t, uint32_t launch, bool lines, struct err *e);

/* "high", "low" or "none" (Figure 2): by the part of the read accesses that go to data of several CTAs. */
const char *locality_class(const struct locality_shares *s);

#endif
