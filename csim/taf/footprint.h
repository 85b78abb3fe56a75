/* Footprints: which elements of the registered arrays a CTA reads, and the other way round: who reads an element, an
 * address, a page (tafe, sections 3 and 5).
 *
 * An array is named by the address of its first byte. It may be registered several times, and all its relations
 * contribute. CTAs that share extents have the same footprint in data-dependent arrays. What is not ready, or of a CTA
 * without values, is not in it.
 */
#ifndef CSIM_TAF_FOOTPRINT_H
#define CSIM_TAF_FOOTPRINT_H

#include "taf/taf_walk.h"

struct taf_footprint {		 /* zero-initialise; used again it keeps its memory */
	struct taf_range *range; /* ascending, with a gap between any two */
	uint64_t n, cap;
};

void taf_footprint_free(struct taf_footprint *f);
void taf_footprint_clear(struct taf_footprint *f);
/* Ranges in any order, overlapping or not, and then what makes them a footprint. */
void taf_footprint_add(struct taf_footprint *f, uint32_t first, uint32_t last);
void taf_footprint_settle(struct taf_footprint *f);

/* Of a CTA in the array at `base`. */
void taf_footprint_of(struct taf_footprint *f, const struct taf *t, const struct taf_memory *m, uint64_t base, uint32_t cta);

uint64_t taf_footprint_elements(const struct taf_footprint *f);
bool taf_footprint_has(const struct taf_footprint *f, uint32_t index);
/* Elements that both have. */
uint64_t taf_footprint_common(const struct taf_footprint *a, const struct taf_footprint *b);

/* The first entry of the registered array that holds an address, or of one that begins at `base`; NULL if there is
 * none. */
const struct taf_array *taf_array_at(const struct taf *t, uint64_t address);

/* Whether entry i is in use, and the first of its array. */
bool taf_is_first_entry(const struct taf *t, int i);

/* Visits, in ascending order, the CTAs that read something of the bytes [from, to): of an element, a page, all of an
 * array. */
typedef void taf_visit(void *ctx, uint32_t cta);
void taf_readers(const struct taf *t, const struct taf_memory *m, uint64_t from, uint64_t to, taf_visit *visit, void *ctx);

/* Who reads each page of the array at `base`, by units of CTAs such as modules: bit u of users[i] is set if a CTA of
 * unit u < 64 reads of page base / page + i. unit: of each CTA. users: zero at first, or to be added to. */
void taf_page_users(const struct taf *t, const struct taf_memory *m, uint64_t base, uint32_t page, const uint16_t *unit,
		    uint64_t *users);

#endif
