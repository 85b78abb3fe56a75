/* What pages.c (the tree) and pages_placement.c (where a page goes) share and no one else sees. */
#ifndef CSIM_VM_PAGES_IMPL_H
#define CSIM_VM_PAGES_IMPL_H

#include "vm/pages.h"

/* The tree has no room for it. */
static inline bool pages_too_wide(const struct pages *p, uint64_t page)
{
	return page >> (PAGES_ADDRESS_BITS - p->page_bits) != 0;
}

/* Writes the page's entry, and the nodes above it that are missing. The page is not mapped; the frame is taken. */
int pages_map(struct pages *p, uint64_t page, uint64_t frame, uint8_t mode, struct err *e);

/* The range that the page belongs to, NULL: none. */
const struct pages_range *pages_range_of(const struct pages *p, uint64_t page);

/* pages_move.c: where the data of a range's page are and go, NULL: none have an origin; takes an origin for a page; the
 * frame of a page whose first touch is for `stack`: its origin, or a new one in place of it. */
struct pages_data *pages_data_of(const struct pages *p, const struct pages_range *r, uint64_t page);
int pages_take_origin(struct pages *p, const struct pages_range *r, uint64_t page, struct err *e);
uint64_t pages_touched_frame(struct pages *p, const struct pages_range *r, uint64_t page, uint32_t stack);

/* Remembers that the page got mapped at this tick; depth: of its path before. */
void pages_born(struct pages *p, uint64_t page, uint32_t depth, struct ticks now);

/* The error of memory that is full; stack: the one that is, or PAGES_FGP_ANYWHERE. Returns -1. */
#define PAGES_FGP_ANYWHERE UINT32_MAX
int pages_no_room(const struct pages *p, const char *what, uint32_t stack, struct err *e);

#endif
