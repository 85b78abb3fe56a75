/* Translation in a module: its L2 TLB, and the walkers of the page table.
 *
 *   SM's L1 TLB --request--> one a cycle -> pipe -> L2 TLB --hit--> answer
 *                                               |  ^
 *                                         miss  v  | fills
 *                                         walkers <-> memory system (reads of 8 bytes)
 *                                               |  ^
 *                                    not mapped v  |
 *                                               pager (vm/pager.h)
 *
 * A page that misses is noted once, however many SMs ask for it while it is on its way (they merge), and is answered to
 * all of them at once. Misses wait, in order, for one of `vm.walks` walkers. A walk reads an entry of each level from
 * the top, each a real request to the memory system, the next one in the cycle in which the one before has come back;
 * levels whose entries the page-walk cache holds are skipped. The walk of a page that is not mapped ends at the first
 * absent entry; the pager maps the page and sends its entry.
 *
 * Times, in core cycles. An L1 TLB that misses in cycle c gets an answer
 *     hit    in cycle c + vm.l2_tlb.latency (a cycle on the way, latency - 2 in the pipe, a cycle back)
 *     miss   in cycle c + vm.l2_tlb.latency + the sum of the walk's reads, each from being sent to being taken
 * with nothing in its way. One request is taken in a cycle (SMs in turn), one read leaves in a cycle, all replies are
 * taken. With vm.tlb=false all this is left out: SMs see the page table as it is, and come here for pages that are not
 * mapped only.
 */
#ifndef CSIM_VM_MMU_H
#define CSIM_VM_MMU_H

#include <stdbool.h>
#include <stdint.h>

#include "base/queue.h"
#include "machine/machine.h"
#include "noc/route.h"
#include "noc/crossbar.h"
#include "vm/pages.h"
#include "vm/tlb.h"

struct mmu_request { /* SM to MMU */
	uint64_t page;
};
QUEUE_OF(mmu_request);

struct mmu_answer { /* MMU to SM */
	uint64_t page, entry;
};
QUEUE_OF(mmu_answer);

struct mmu_fault { /* MMU to pager, and back with the entry */
	uint64_t page, entry;
	uint32_t token;
};
QUEUE_OF(mmu_fault);

struct mmu_ports {
	uint32_t module, sms;		   /* its number; its SMs */
	struct mmu_request_queue *request; /* by SM */
	struct mmu_answer_queue *answer;   /* likewise */
	struct mmu_fault_queue *fault, *resolved;
	struct net_link out;	  /* to the memory system; unused with vm.tlb=false */
	struct mem_req_queue *in; /* its replies */
	struct route route;	  /* which way the reads go; unused likewise */
	uint16_t requester;	  /* in the memory system */
};

struct mmu_stats {
	uint64_t lookups, hits, merged, misses; /* of the L2 TLB; merged: on a page that is on its way */
	uint64_t walks, walked;			/* begun, ended (answered by memory, or passed to the pager) */
	uint64_t reads, replies;		/* of page-table entries */
	uint64_t skipped, absent;		/* levels that the page-walk cache held; that were below an absent
						 * entry */
	uint64_t faults, resolved;		/* to the pager, back */
	uint64_t asked, answered;		/* by and to SMs */
	struct ticks walk, wait;		/* of ended walks: from begin to end; from miss to begin */
};

struct mmu_pipe { /* a stage of the pipe */
	uint64_t page;
	struct ticks ready;
	uint32_t sm;
};

struct mmu_miss { /* a page on its way */
	uint64_t page;
	struct ticks since;
	uint32_t next; /* free, or waiting for a walker */
	uint32_t open; /* its index in mmu.open */
};

struct mmu_walk {
	uint32_t miss, level;
	uint64_t at; /* physical address of the level's entry */
	struct ticks began;
	uint32_t next; /* free, or waiting to send */
};

struct mmu_list { /* of misses or walks, first in first out, linked by their `next` */
	uint32_t first, last;
};

struct mmu {
	const struct pages *pages;
	struct mmu_ports port;
	uint64_t period;
	bool tlb_on;
	uint32_t turn; /* the SM whose request is looked for first */

	struct mmu_pipe *pipe; /* a ring */
	uint32_t pipe_cap;
	struct ticks pipe_delay;
	uint64_t pipe_head, pipe_tail;

	struct tlb tlb, walk_cache;
	struct mmu_miss *miss;
	uint32_t misses, free_miss;
	uint32_t *open, n_open; /* misses that are in use, ... */
	uint64_t *open_page;	/* ... and their pages, side by side */
	uint64_t *waiter;	/* bits of SMs, waiter_words a miss */
	uint32_t waiter_words;
	struct mmu_list queue; /* of misses, for a walker */

	struct mmu_walk *walk;
	uint32_t walks, free_walk;
	struct mmu_list send; /* of walks, for the port */
	struct ticks send_at;

	struct mmu_stats stats;
};

/* Sized so that every request of an SM that keeps to vm.l1_tlb.pending finds room. */
void mmu_init(struct mmu *u, struct arena *a, const struct machine *m, const struct pages *pages, const struct mmu_ports *port);

/* Acts at `now`, an edge of the core clock; returns the next tick at which there is something to do. */
struct ticks mmu_step(struct mmu *u, struct ticks now);

/* Requests of SMs, reads and faults that have not been answered. */
uint64_t mmu_in_flight(const struct mmu *u);

#endif
