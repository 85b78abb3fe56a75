/* The pager: what the operating system does about a page that is touched and not mapped.
 *
 * A component on queues: modules send it the pages that their walks did not find; it maps a page by its placement
 * (vm/pages.h) and sends the entry back, `vm.fault_latency` core cycles later. A page that was mapped meanwhile is just
 * sent back. Of faults that arrive in one cycle, that of the lowest port comes first: so a page that two modules touch
 * at once belongs to the lower one, and the order in which the modules are stepped plays no part.
 *
 * A page that goes to its first toucher goes to the stacks of that module, in turn if it has several; a module without
 * stacks has those of the nearest module that has some (whoever builds the pager says which).
 *
 * With `vm.migrate` the page of a buffer has its data elsewhere: then the first touch makes the toucher's page mover
 * (vm/mover.h) copy them, and the page is mapped, and all that touched it meanwhile answered, when it has.
 */
#ifndef CSIM_VM_PAGER_H
#define CSIM_VM_PAGER_H

#include "base/queue.h"
#include "vm/mmu.h"
#include "vm/mover.h"
#include "vm/pages.h"

struct pager_module {		      /* of a port's touches */
	uint32_t first, stacks, turn; /* stacks first .. first + stacks - 1, the next one in turn */
};

struct pager_wait { /* a fault whose page's data are on their way */
	struct mmu_fault fault;
	struct ticks since;
	uint32_t port;
};

struct pager_counts {
	uint64_t moved, kept; /* pages whose data were copied; that were in the toucher's stack already */
	uint64_t waited;      /* faults for pages whose data were on their way */
	struct ticks wait;    /* of these, from the fault to its page's map */
};

struct pager {
	struct pages *pages;
	struct ticks latency;
	uint64_t period; /* of the core clock */
	uint32_t ports;
	struct mmu_fault_queue *fault, *resolved; /* by port */
	struct pager_module *module;		  /* by port */
	uint64_t faults, mapped;		  /* that came; pages that they mapped */
	struct mover_job_queue *job;		  /* by port; NULL: nothing moves */
	struct mover_done_queue *done;		  /* likewise */
	struct pager_wait *waiting;		  /* room for all faults that can be at a time */
	uint32_t n_waiting;
	struct pager_counts count;
	struct err error; /* memory is full: the run must end */
};

struct ticks pager_step(struct pager *p, struct ticks now);

#endif
