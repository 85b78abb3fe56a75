/* Virtual memory of the whole GPU: page tables, an MMU a module, the pager, and the queues between them and the SMs. */
#ifndef CSIM_RUN_GPU_VM_H
#define CSIM_RUN_GPU_VM_H

#include <stdbool.h>

#include "base/stats.h"
#include "sm/lsu/translate.h"
#include "base/audit.h"
#include "memsys/loop.h"
#include "vm/mmu.h"
#include "vm/pager.h"
#include "vm/pages.h"

struct gpu;

struct gpu_vm {
	bool on;
	struct pages pages;
	uint32_t modules;
	struct mmu *mmu;			  /* by module */
	struct mmu_request_queue *request;	  /* by SM */
	struct mmu_answer_queue *answer;	  /* likewise */
	struct mmu_fault_queue *fault, *resolved; /* by module */
	struct pager pager;
	struct mover *mover; /* by module; NULL without vm.migrate */
	struct mover_job_queue *job;
	struct mover_done_queue *done;
};

/* Parts that gpu_vm_build adds to the run loop. */
uint32_t gpu_vm_parts(const struct machine *m);

/* Maps the trace's buffers as the plan has them, and local memory, which begins at local_base; builds the parts. wake:
 * of the SMs. A machine without virtual memory has nothing of this. Fails when memory is too small or an address too
 * wide. */
/* Of local memory, of all SMs' warps. */
uint64_t gpu_local_bytes(const struct gpu *g);

int gpu_vm_build(struct gpu *g, uint64_t local_base, const struct queue_end *sm, const struct hw_binder *binder, struct err *e);
void gpu_vm_free(struct gpu_vm *v);

/* An SM's end of the queues. */
struct translate_ports gpu_vm_ports(const struct gpu_vm *v, uint32_t sm);

/* metrics_vm.c: rows of the table; invariants, those of a run's end with `ended`. Nothing without virtual memory. */
struct gpu_counts;
void gpu_vm_count(const struct gpu *g, struct gpu_counts *c); /* fills in what is of virtual memory, but for the SMs'
							       * TLBs */
void gpu_vm_report(const struct gpu *g, const struct gpu_counts *c, struct stats *to);
void gpu_vm_audit(const struct gpu *g, const struct gpu_counts *c, bool ended, struct audit *a);

#endif
