/* What is below the CPU's cores: the run loop, their L3, the way to the machine's memory, and where pages are.
 *
 * Shared by runs of kernels on the CPU (run/cpu_run.h) and by the tracking phase (tracking/phase.h). Pages are placed
 * by the plan, or as the machine does by default; one that waits for its first touch goes to the stacks in turn,
 * because no stack is the CPU's. A CPU core's translations take no time.
 */
#ifndef CSIM_CPU_CPU_MEMORY_H
#define CSIM_CPU_CPU_MEMORY_H

#include "cpu/l3.h"
#include "memsys/page_placement.h"
#include "memsys/loop.h"
#include "hw/port.h"
#include "memsys/memsys.h"

struct cpu_memory {
	const struct machine *m;
	struct trace *trace;
	struct loop loop;
	struct memsys *memsys;
	struct cpu_l3 l3;
	struct cpu_l3_port *port; /* to memory */
	struct pages pages;	  /* with virtual memory */
	struct err fault;	  /* a page could not be had; the run ends */
	struct queue_end l3_end;
};

struct cpu_memory_config {
	const struct machine *machine;
	struct trace *trace;
	const struct hw_binder *binder; /* of the memory system's blocks */
	const struct plan *plan;	/* or NULL */
	const struct pages_scratch *scratch;
	uint32_t parts; /* of the loop, beside the L3 */
	bool reverse;
};

/* Fails on a machine without CPU cores or without links to them. cpu_memory_free() is due in any case. b must stay
 * where it is. */
int cpu_memory_build(struct cpu_memory *b, struct arena *a, const struct cpu_memory_config *c, struct err *e);
void cpu_memory_free(struct cpu_memory *b);

#endif
