/* Zones of a NUMA machine: which CTAs run and which data is in which: Algorithm 2 (ldesc, section 4.6).
 *
 * A structure is spread over the stacks by log2(stacks) consecutive bits of its addresses, of which the lowest is 7 to
 * 16, or page by page. All candidates are tried for the first descriptor; a candidate's zones of CTAs follow from it
 * (numa_part: a C-tile goes to the zone that holds most of its D-tile's bytes), and for each other descriptor the
 * candidate is taken that leaves most of its accesses local. A descriptor's utility is weight x local / (local +
 * remote), its weight N for the first of N, N - 1 for the second and so on; each CTA accesses its whole D-tile. The
 * candidate with the highest sum wins, the first of equal ones.
 *
 * Where the text needs a decision (docs/studies/ldesc.md): C-tiles are split as in Algorithm 1 until there are as many
 * as SMs; a tie between zones goes to the one with the fewest CTAs for its SMs; a candidate whose fullest zone holds
 * more than 5/4 of its share is discarded (or more than the share rounded up, if that is more); if none is left, or no
 * access would be local, CTAs are split evenly and a hash of the address spreads the data. Whole pages of the first
 * descriptor are in equal runs of consecutive ones; those of another are where most of their accesses come from.
 */
#ifndef CSIM_LDESC_LDESC_ZONES_H
#define CSIM_LDESC_LDESC_ZONES_H

#include "base/arena.h"
#include "ldesc/ldesc.h"

enum { LDESC_BIT_LOW = 7, LDESC_BIT_HIGH = 16, LDESC_PAGES = 17, LDESC_XOR = 18, LDESC_UNPLACED = 0 };
enum { LDESC_CANDIDATES = LDESC_PAGES - LDESC_BIT_LOW + 1 };

struct ldesc_numa {
	uint32_t n_sms, n_zones, n_stacks; /* stacks: a power of two */
	uint32_t page;			   /* bytes */
	const uint32_t *sms;		   /* of each zone */
	const uint16_t *zone_of_stack;
};

struct ldesc_map {
	uint8_t bit;	  /* the lowest one, LDESC_PAGES, LDESC_XOR (nothing survived) or LDESC_UNPLACED */
	uint32_t n_pages; /* LDESC_PAGES: from the page of the structure's first byte on */
	uint16_t *zone;	  /* of each */
};

struct ldesc_zones {
	uint16_t *zone;	       /* of each CTA */
	struct ldesc_map *map; /* of each descriptor */
	double *utility;       /* of each descriptor, at most its weight */
	double total;
	/* what each of the first descriptor leads to; below 0: discarded, or not tried */
	double candidate[LDESC_CANDIDATES];
};

/* set: at least one descriptor, checked against the launch; of different structures. fixed: maps that are decided
 * already, NULL for one that is not; NULL: none is. */
void ldesc_find_zones(struct ldesc_zones *z, const struct ldesc_set *set, const struct ldesc_launch *at, const struct ldesc_numa *m,
		      const struct ldesc_map *const *fixed, struct arena *a);

/* Consecutive CTAs to each zone, as many as its share of the SMs. */
void ldesc_split_evenly(const struct ldesc_numa *m, uint32_t n_ctas, uint16_t *zone);

#endif
