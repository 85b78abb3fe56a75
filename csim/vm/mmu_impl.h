/* What mmu.c (requests, the L2 TLB, answers) and walker.c (walks) share and no one else sees. */
#ifndef CSIM_VM_MMU_IMPL_H
#define CSIM_VM_MMU_IMPL_H

#include "vm/mmu.h"

#define MMU_NOBODY UINT32_MAX

/* A miss waits for a walker. */
void mmu_walk_later(struct mmu *u, uint32_t miss);
/* Takes what memory has sent back. */
void mmu_take_replies(struct mmu *u, struct ticks now);
/* Begins walks as long as there are walkers and misses, sends a read. */
void mmu_begin_walks(struct mmu *u, struct ticks now);
void mmu_send(struct mmu *u, struct ticks now);

/* The walk found the page's entry; or found that there is none. */
void mmu_resolve(struct mmu *u, uint32_t miss, uint64_t entry, struct ticks now);
void mmu_fault(struct mmu *u, uint32_t miss, struct ticks now);

#endif
