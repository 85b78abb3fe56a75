/* The pager: what the operating system does about a page that is touched and not mapped.
 *
 * A component on queues: modules send it the pages that their walks did not find; it maps a page by its placement
 * (vm/pages.h) and sends the entry back, `vm.fault_latency` core cycles later. A page that was mapped meanwhile is just
 * sent back. Of faults that arrive in one cycle, that of the lowest port comes first: so a page that two modules touch
 * at once belongs to the lower one, and the order in which the modules are stepped plays no part.
 *
 * A page that goes to its first toucher goes to the stacks of that module, in turn if it has several; a module without
 * stacks has those of the nearest module that has some (whoever builds the pager says which).
 */
#ifndef CSIM_VM_PAGER_H
#define CSIM_VM_PAGER_H

#include "base/queue.h"
#include "vm/mmu.h"
#include "vm/pages.h"

struct pager_module {		      /* of a port's touches */
	uint32_t first, stacks, turn; /* stacks first .. first + stacks - 1, the next one in turn */
};

struct pager {
	struct pages *pages;
	struct ticks latency;
	uint32_t ports;
	struct mmu_fault_queue *fault, *resolved; /* by port */
	struct pager_module *module;		  /* by port */
	uint64_t faults, mapped;		  /* that came; pages that they mapped */
	struct err error;			  /* memory is full: the run must end */
};

struct ticks pager_step(struct pager *p, struct ticks now);

#endif
