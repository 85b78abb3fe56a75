#include "cpu/core_metrics.h"

#define C(field) METRIC_OF(struct cpu_core_counts, field)

/* clang-format off */
#define CAUSES(X)                                                                          \
	X("entered", CPU_ENTERED, "an instruction entered the reorder buffer")            \
	X("computes", CPU_COMPUTES, "no entry or operand: the oldest instruction computes") \
	X("memory", CPU_MEMORY, "no entry or operand: the oldest instruction is a load")  \
	X("store_buffer", CPU_STORES, "no entry: the oldest instruction is a store, the store buffer is full") \
	X("drains", CPU_DRAINS, "no further instruction; the last ones are on their way") \
	X("idle", CPU_IDLE, "no work")

#define PERCENT(name, cause, meaning) {name, "%", meaning, METRIC_PERCENT, OF_RUN, .a = C(core.stalls[cause]), .b = C(cycles)},
#define CYCLES(name, cause, meaning) {name, "cycles", meaning, METRIC_COUNT, OF_SM, .a = C(core.stalls[cause])},

static const struct metric stalls[] = {CAUSES(PERCENT)};

static const struct metric insts[] = {
	{"insts", "", "instructions of the cores", METRIC_COUNT, OF_RUN, .a = C(core.insts)},
	{"loads", "", "of these load", METRIC_COUNT, OF_RUN, .a = C(core.loads)},
	{"stores", "", "of these store", METRIC_COUNT, OF_RUN, .a = C(core.stores)},
	{"ipc", "a cycle", "instructions, all cores", METRIC_RATIO, OF_RUN, .a = C(core.insts), .b = C(elapsed)},
};

static const struct metric caches[] = {
	{"l1.accesses", "lines", "looked up by loads and stores", METRIC_COUNT, OF_RUN, .a = C(cache.l1_accesses)},
	{"l1.hits", "lines", "were there", METRIC_COUNT, OF_RUN, .a = C(cache.l1_hits)},
	{"l1.hit_rate", "%", "lines that were present, of the lookups", METRIC_PERCENT, OF_RUN, .a = C(cache.l1_hits), .b = C(cache.l1_accesses)},
	{"l1.miss_rate", "%", "of the lookups", METRIC_PERCENT, OF_RUN, .a = C(cache.l2_accesses), .b = C(cache.l1_accesses)},
	{"l1.refused", "times", "that a lookup had to wait for a reply", METRIC_COUNT, OF_RUN, .a = C(core.refused)},
	{"l1.write_backs", "lines", "dirty ones that went to the L2", METRIC_COUNT, OF_RUN, .a = C(cache.l1_write_backs)},
	{"l2.hits", "lines", "were not in the L1 but in the L2", METRIC_COUNT, OF_RUN, .a = C(cache.l2_hits)},
	{"l2.hits_reserved", "lines", "were on their way to the L2", METRIC_COUNT, OF_RUN, .a = C(cache.l2_reserved)},
	{"l2.misses", "lines", "asked of the L3", METRIC_COUNT, OF_RUN, .a = C(cache.l2_misses)},
	{"l2.hit_rate", "%", "lines that were present, of what was not in the L1", METRIC_PERCENT, OF_RUN, .a = C(cache.l2_hits), .b = C(cache.l2_accesses)},
	{"l2.miss_rate", "%", "of what was not in the L1", METRIC_PERCENT, OF_RUN, .a = C(cache.l2_misses), .b = C(cache.l2_accesses)},
	{"l2.write_backs", "lines", "dirty ones that went to the L3", METRIC_COUNT, OF_RUN, .a = C(cache.l2_write_backs)},
};

static const struct metric detail[] = {
	{"insts", "", "instructions of the core", METRIC_COUNT, OF_SM, .a = C(core.insts)},
	{"ctas", "", "thread blocks", METRIC_COUNT, OF_SM, .a = C(core.pieces)},
	{"l1.accesses", "lines", "looked up by loads and stores", METRIC_COUNT, OF_SM, .a = C(cache.l1_accesses)},
	{"l1.hits", "lines", "were there", METRIC_COUNT, OF_SM, .a = C(cache.l1_hits)},
	{"l2.misses", "lines", "asked of the L3", METRIC_COUNT, OF_SM, .a = C(cache.l2_misses)},
	CAUSES(CYCLES)
};
/* clang-format on */

const struct metric_table cpu_stall_metrics = METRIC_TABLE(stalls), cpu_inst_metrics = METRIC_TABLE(insts),
			  cpu_cache_metrics = METRIC_TABLE(caches), cpu_detail_metrics = METRIC_TABLE(detail);
