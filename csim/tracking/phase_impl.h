/* What phase.c, phase_report.c and init_traffic.c share and no one else sees. */
#ifndef CSIM_TRACKING_PHASE_IMPL_H
#define CSIM_TRACKING_PHASE_IMPL_H

#include "cpu/core.h"
#include "cpu/cpu_memory.h"
#include "cpu/store_tracker.h"
#include "tracking/initial_stores.h"
#include "tracking/phase.h"

struct phase { /* one run of the CPU's initialisation */
	struct store_tracker_commands commands;
	const struct tracking_phase_config *config;
	struct arena arena;
	struct hw_binder golden;
	struct cpu_memory below;
	struct cpu_core core;
	struct loop_stream loop;
	struct initial_stores init;
	const struct plan *plan; /* where pages are; NULL: where the machine puts them */
	bool flush;		 /* the caches are written back behind the last store */
	struct store_tracker tracker;
	bool tracked; /* it is there */
	struct cta_start_queue start;
	struct cta_done_queue done;
	struct taf_memory memory; /* what the hardware writes */
	struct ticks end;
	uint64_t cycles; /* of the CPU */
};

/* software: the tables that the software tracker finds. p->plan and p->flush are set, the rest is zero. phase_free() is
 * due in any case. */
int phase_build(struct phase *p, const struct tracking_phase_config *c, const struct taf_memory *software, struct err *e);
int phase_simulate(struct phase *p, struct err *e);
void phase_free(struct phase *p);

struct phase_tables {		      /* of primary arrays; arrays with several relations count once */
	uint64_t extents, differ;     /* in all; that are not what software finds */
	uint64_t exact, exact_differ; /* arrays that the hardware must have right; their extents that differ */
};

struct phase_outcome {
	const struct taf_memory *software, *memory; /* tables: what software finds, what the tracker left */
	uint64_t baseline_cycles, gpu_cycles;	    /* of the CPU; without a tracker; of the kernels of sw-gpu */
	uint64_t gpu_invariants;		    /* that these broke */
	struct phase_tables tables;
};

/* init_traffic.c: the invariants of a phase with `flush`. */
void init_traffic_audit(const struct phase *p, struct audit *a);

/* phase_report.c */
struct phase_tables phase_compare(const struct phase *p, const struct phase_outcome *o);
void phase_collect(const struct phase *p, const struct phase_outcome *o, struct stats *to);
/* name: of the phase. Cycles, stores, and that nothing is left in flight. */
void phase_audit_core(const struct phase *p, const char *name, struct audit *a);
void phase_audit(const struct phase *p, const struct phase_outcome *o, struct audit *a);

#endif
