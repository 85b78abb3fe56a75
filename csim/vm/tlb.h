/* A translation lookaside buffer: the page-table entries of the pages that were used last.
 *
 * Set-associative with true LRU (cache/tags.h), looked up by page number; the set is its lowest bits. An entry is what
 * is in the last level of the page table (vm/pages.h), mode included. Entries never go stale: a page that is mapped
 * stays where it is for the run. The page-walk cache is one too, of entries of upper levels.
 */
#ifndef CSIM_VM_TLB_H
#define CSIM_VM_TLB_H

#include "cache/tags.h"

struct tlb {
	struct tags tags;
	uint64_t *entry; /* by slot */
};

/* entries: ways times a power of two. */
void tlb_init(struct tlb *t, struct arena *a, uint32_t entries, uint32_t ways);

/* The page's entry, which becomes the set's most recently used one; 0: it is not there. */
uint64_t tlb_lookup(struct tlb *t, uint64_t page);

/* Likewise, and nothing changes. */
uint64_t tlb_peek(const struct tlb *t, uint64_t page);

/* The page is not there. Takes the place of the least recently used one of the set. */
void tlb_fill(struct tlb *t, uint64_t page, uint64_t entry);

#endif
