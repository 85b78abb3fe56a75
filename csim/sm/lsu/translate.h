/* Translation in an SM: its L1 TLB, and the transactions that wait for their pages.
 *
 * A transaction is translated after coalescing and before the L1, which sees physical addresses only. One is looked up
 * in a cycle:
 *     hit      it goes to the L1 vm.l1_tlb.latency cycles later (0: in the same cycle), in order with other hits
 *     merged   its page is on its way for another transaction of this SM: it waits with that one
 *     miss     the module's MMU is asked (vm/mmu.h); it waits
 *     full     vm.l1_tlb.pending transactions wait already: it stays at the head of the load/store unit, with all
 *              behind it
 * Waiting transactions are out of the load/store unit, which goes on. When the page's entry has come they are *due*:
 * they go to the L1 ahead of the unit's head, oldest first, vm.l1_tlb.latency cycles after the entry came (they pass
 * the TLB again).
 *
 * With vm.tlb=false a page that is mapped is there at once; only one that is not yet mapped is waited for.
 *
 * Units: core cycles. Source: our choice; docs/explanation/virtual-memory.md.
 */
#ifndef CSIM_SM_LSU_TRANSLATE_H
#define CSIM_SM_LSU_TRANSLATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/queue.h"
#include "cache/l1.h"
#include "vm/mmu.h"
#include "vm/pages.h"
#include "vm/tlb.h"

struct translate_ports {
	const struct pages *pages;	   /* NULL: virtual addresses are physical ones, nothing of this file is used */
	struct mmu_request_queue *request; /* to the MMU */
	struct mmu_answer_queue *answer;   /* from it */
};

struct translate_item {		 /* a transaction on its way to the L1 */
	struct l1_access access; /* line: virtual while it waits, physical when it is due */
	uint64_t ready;		 /* due: the cycle from which on the L1 can have it */
	bool constant;		 /* for the constant cache */
};

struct translate_stats { /* lookups = hits + merged + misses */
	uint64_t lookups, hits, merged, misses;
	uint64_t answers;     /* pages that came */
	uint64_t full_cycles; /* the head waited because too many waited already */
};

enum translate_result { TRANSLATE_HIT, TRANSLATE_WAITS, TRANSLATE_FULL };

struct translate {
	struct translate_ports port;
	bool timed;
	uint32_t page_bits, latency, pending;
	uint64_t period; /* ticks a core cycle */
	struct tlb tlb;
	struct translate_item *wait; /* oldest first */
	uint32_t n_wait;
	struct translate_item *due; /* a ring of a power of two of slots */
	uint32_t due_mask;
	uint32_t due_head, due_tail; /* counted up indefinitely */
	bool full;		     /* the last lookup found no room ... */
	uint64_t since;		     /* ... in this cycle */
	struct translate_stats stats;
};

void translate_init(struct translate *t, struct arena *a, const struct machine *m, const struct translate_ports *port);

static inline bool translate_on(const struct translate *t)
{
	return t->port.pages != NULL;
}

/* Looks a transaction up in cycle `now`. On a hit access->line and access->mode are physical; they are left alone
 * otherwise. */
enum translate_result translate_look_up(struct translate *t, uint64_t now, struct l1_access *access, bool constant);

/* For prefetches: makes a virtual address physical if its page is in the TLB, whose order stays as it is, or, with
 * vm.tlb=false, mapped. As struct l1_translator wants it. */
bool translate_without_wait(void *translate, uint64_t now, uint64_t *addr, uint8_t *mode);

/* Takes the entries that have come by cycle `now`; what waited for them is due. */
void translate_take_answers(struct translate *t, uint64_t now);

/* A hit that takes its time (vm.l1_tlb.latency > 0). */
void translate_push_due(struct translate *t, uint64_t now, const struct l1_access *access, bool constant);

static inline uint32_t translate_n_due(const struct translate *t)
{
	return t->due_tail - t->due_head;
}
/* The oldest of those that are due, NULL: none. */
static inline const struct translate_item *translate_front(const struct translate *t)
{
	return t->due_head == t->due_tail ? NULL : &t->due[t->due_head & t->due_mask];
}
/* Whether it should have had the L1 by now. */
static inline bool translate_is_overdue(const struct translate *t, uint64_t now)
{
	const struct translate_item *d = translate_front(t);

	return d && d->ready <= now;
}
static inline void translate_pop_due(struct translate *t)
{
	t->due_head++;
}

/* Counts the wait of a head that still waits, up to cycle `now`: at the end of a run. */
void translate_finish(struct translate *t, uint64_t now);

#endif
