/* What an SM counts, as one struct of counters (base/metrics.h), and the tables of the metrics that are made of it: in
 * the order in which a run prints them. */
#ifndef CSIM_SM_SM_METRICS_H
#define CSIM_SM_SM_METRICS_H

#include "base/metrics.h"
#include "cache/locality_classes.h"
#include "sm/sm.h"

struct sm_counts {
	uint64_t elapsed;	/* core cycles of the run or launch: of all SMs together */
	uint64_t cycles, slots; /* core cycles of SMs; of their schedulers */
	uint64_t tensor_slots;	/* of their tensor units */
	uint64_t warp_slots;	/* of their warp slots, while an SM has a warp */
	uint64_t lane_slots;	/* lanes that the warp instructions could have had */
	struct sm_stats sm;
	struct lsu_stats lsu;
	struct load_counts load;
	struct l1_counts l1, const_cache, icache;
	struct operands_stats operands;
	struct l1_stats l1_stats, const_cache_stats, icache_stats;
	struct l0_stats l0; /* of all L0s */
	struct translate_stats tlb;
	struct locality_counts locality;
	struct warp_throttle_counts throttle;
	struct mrpb_stats mrpb;
	uint64_t policy_bypasses, policy_tag_hits; /* of the L1 (cache/load_policy.h) */
	uint64_t pin_ends, pin_full;		   /* of the L1 (cache/replacement.h) */
	uint64_t index_conflicts;		   /* by the set monitor, once it has been read out */
	struct class_counts classes;		   /* of the L1 (cache/locality_classes.h) */
};

/* The counters of an SM in core cycle `cycles`: at the end of a run, or at any other cycle in which it has no CTA.
 * elapsed is 0. */
struct sm_counts sm_count(const struct sm *sm, uint64_t cycles);

enum sm_has {
	SM_HAS_MODULES = 1,
	SM_HAS_MONITOR = 2,
	SM_HAS_VM = 4,
	SM_HAS_THROTTLE = 8,
	SM_HAS_BYPASS = 16,
	SM_HAS_PREFETCH = 32,
	SM_HAS_LOCALITY = 64,
	SM_HAS_PINS = 128,
	SM_HAS_CLASSES = 256,
	SM_HAS_CCWS = 512,
	SM_HAS_MRPB = 1024,
	SM_HAS_FETCH = 2048,
	SM_HAS_OPERANDS = 4096,
	SM_HAS_SECTORS = 8192,
	SM_HAS_PRODUCTS = 16384,     /* of matrices, in the program */
	SM_HAS_TENSOR_UNITS = 32768, /* and in the machine */
	SM_HAS_PORTS = 65536,
	SM_HAS_FOLDS = 1 << 20,
	SM_HAS_L0 = 1 << 21,
	SM_HAS_WAITS = 1 << 23,	  /* something in the trace orders warps */
	SM_HAS_BRANCHES = 1 << 22 /* the trace has the lanes of branches, not only of those that are taken */
};

extern const struct metric_table sm_issue_metrics, sm_cta_metrics, sm_memory_metrics; /* of struct sm_counts */

/* The detail rows of an SM, "sm.3.l1.hits", and of its schedulers. */
void sm_detail(const struct sm *sm, uint64_t cycles, unsigned has, struct stats *to);

/* Of an array: "buffer.A.l1.hits". c: its part of `l1` and `load`; period: of the core clock. */
void sm_array_rows(const char *array, const struct sm_counts *c, uint64_t period, struct stats *to);

#endif
