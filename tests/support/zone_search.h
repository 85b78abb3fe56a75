/* The zones of a NUMA machine (ldesc, Algorithm 2) by a search that tries every combination of maps and looks at every
 * element, worked out anew from the definitions; and made-up cases for it. */
#ifndef TESTS_SUPPORT_ZONE_SEARCH_H
#define TESTS_SUPPORT_ZONE_SEARCH_H

#include "ldesc/ldesc_zones.h"

enum { ZONE_MAX_CTAS = 256, ZONE_MAX_ZONES = 4 };

struct zone_case {
	struct ldesc_launch at;
	struct ldesc_numa m;
	uint32_t sms[ZONE_MAX_ZONES], n, ctas;
	uint16_t zone_of_stack[2 * ZONE_MAX_ZONES];
	struct ldesc l[3];
};

/* Draws a case of one to three descriptors. It points into itself. */
void zone_case_make_up(struct zone_case *r, uint64_t *seed);

struct zone_answer {
	double total;
	unsigned bit[3];
	uint16_t zone[ZONE_MAX_CTAS];
};
/* total is 0 if no combination is balanced and has local accesses; the rest is then of no meaning. */
void zone_search(const struct zone_case *r, struct zone_answer *best);

#endif
