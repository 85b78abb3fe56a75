/* The instruction caches of the GPCs of the whole GPU (gpc/gcc.h), and their ends of the SMs' queues and the network's.
 * Nothing of it without gcc.bytes, or where instructions are always there. */
#ifndef CSIM_RUN_GPU_GCC_H
#define CSIM_RUN_GPU_GCC_H

#include "base/audit.h"
#include "gpc/gcc.h"
#include "sm/sm.h"

struct gpu;
struct gpu_counts;

struct gpu_gccs {
	uint32_t n;
	struct gcc *gcc;		/* by GPC */
	struct code_begin_queue *begin; /* by GPC; NULL without gcc.prefetch */
	struct gcc_code *code;		/* likewise, by kernel */
};

/* Ahead of all, what the dispatcher refers to. */
void gpu_gccs_prepare(struct gpu *g);

/* Adds as many parts to the run loop as there are. own: of the SMs; dispatch: of the dispatcher. Fails as the binder
 * does. */
int gpu_gccs_build(struct gpu *g, const struct queue_end *own, struct queue_end dispatch, const struct hw_binder *binder,
		   struct err *e);

/* Where a kernel's instructions are. */
void gpu_gccs_place(struct gpu *g, uint32_t kernel, uint64_t at, uint64_t bytes);

/* An SM's ports for instructions. */
void gpu_gccs_ports(const struct gpu *g, uint32_t sm, struct sm_ports *port);

void gpu_gccs_count(const struct gpu *g, struct gpu_counts *c);
extern const struct metric_table gpu_gcc_metrics; /* of struct gcc_counts */

/* Invariants; those of a run's end with `ended`. */
void gpu_gccs_audit(const struct gpu *g, const struct gpu_counts *c, bool ended, struct audit *a);

#endif
