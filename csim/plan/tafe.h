/* The two halves of TAFE's planners: the order of CTAs, and pages by who reads them.
 *
 * Source: tafe (Punniyamurthy and Gerstlauer), section 5; docs/studies/tafe.md.
 */
#ifndef CSIM_PLAN_TAFE_H
#define CSIM_PLAN_TAFE_H

#include "plan/cta_modules.h"

/* ---- CTAs (section 5.1) ---- */

/* Grid dimensions, the one along which neighbours follow one another first: x first is row-major order, y column, z
 * depth. */
struct tafe_order {
	uint8_t dim[3];
};

/* By the steps through the array that was registered first: the smallest step of ctaid.x, y, z (0: neighbours read the
 * same) first, of equal ones x before y before z, dimensions without neighbours last. x, y, z if that array is no
 * TID_DEP one. */
struct tafe_order tafe_order_of(const struct taf *t);

/* The CTA at a position of the order. */
uint32_t tafe_order_cta(const struct tafe_order *o, const uint32_t grid[3], uint32_t position);

/* The SM of a position: n CTAs are split evenly over SMs, in order. */
static inline uint32_t tafe_order_sm(uint32_t position, uint32_t n, uint32_t sms)
{
	return (uint32_t)((uint64_t)position * sms / n);
}

/* Lists for all launches. Those with another grid than TAFE's take their own grid in the same order of dimensions. */
void tafe_place_ctas(struct plan *p, const struct planner_request *req, const struct tafe_order *o);

/* ---- pages (section 5.2) ---- */

/* What becomes of a page that several modules read. */
enum tafe_shared {
	TAFE_NEAREST, /* to the module with the fewest links to all of them, summed up */
	TAFE_IN_TURN, /* to each of them in turn */
};

struct tafe_pages {
	const struct plan_module_maps *modules; /* of the CTAs of TAFE's grid; a page's users are those by any of the
						 * maps */
	bool only_tid;				/* data-dependent arrays count as read by all modules (TAFE-TID) */
	enum tafe_shared shared;
};

int tafe_place_pages(struct plan *p, const struct planner_request *req, const struct tafe_pages *how, struct err *e);

/* ---- what is registered ---- */

/* The relations by which TAFE knows what is in a buffer, in words; NULL: nothing of it is registered. */
const char *tafe_patterns(const struct taf *t, const struct trace_buffer *b);
/* Whether one of the array's relations depends on data. */
bool tafe_by_data(const struct taf *t, uint64_t base);
/* Modules that are estimated to touch each page of the array, as bits (taf/footprint.h), by any of the maps. */
void tafe_page_users(const struct planner_request *req, uint64_t base, const struct plan_module_maps *modules, uint64_t *users);

#endif
