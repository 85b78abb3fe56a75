/* How sparsely a CTA's indices lie between the least and the largest, for relations that take them from another array's
 * values (INDIR; tafe, section 6.1):
 *
 *     value sparsity = 1 - indices accessed / (largest index - least index)
 *
 * Each index counts once; those outside the array are nobody's. The paper prints an average "across indirectly
 * accessed array indices" and not of what; here it is the mean over CTAs, since extents are kept a CTA. A CTA with
 * fewer than two indices has none. By the formula as printed a gapless range is a little below 0.
 */
#ifndef CSIM_TAF_TAF_SPARSITY_H
#define CSIM_TAF_TAF_SPARSITY_H

#include "taf/taf_memory.h"

struct taf_sparsity {
	double sum;    /* of the CTAs' sparsities */
	uint32_t ctas; /* that have one */
};

/* entry: of an INDIR relation that is ready; m: the extents of all primary arrays. */
struct taf_sparsity taf_sparsity_of(const struct taf *t, const struct taf_memory *m, int entry);

#endif
