/* Who made an access: the lanes of a warp, for the locality classes (cache/locality_classes.h). An accessor travels
 * with a request from its SM to the lookup in an L2 slice, which has the SM's number from the request itself. */
#ifndef CSIM_NOC_ACCESSOR_H
#define CSIM_NOC_ACCESSOR_H

#include <stdbool.h>
#include <stdint.h>

struct accessor {
	uint32_t cta;	      /* within its launch */
	uint32_t lanes;	      /* those that touch the line */
	uint32_t launch : 25; /* of the trace */
	uint32_t warp : 6;    /* within its CTA */
	bool is_thread : 1;   /* false: a page walker, the CPU, or nobody; the rest is 0 */
};

enum { ACCESSOR_MAX_LAUNCHES = 1 << 25 };

#endif
