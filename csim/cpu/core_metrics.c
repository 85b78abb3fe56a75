#include "cpu/core_metrics.h"

#define C(field) METRIC_OF(struct cpu_core_counts, field)

/* clang-format off */
#define CAUSES(X)                                                                          \
	X("entered", CPU_ENTERED, "CPU cycles in which an instruction entered the reorder buffer")            \
	X("computes", CPU_COMPUTES, "CPU cycles stalled on the oldest instruction, which is computing") \
	X("memory", CPU_MEMORY, "CPU cycles stalled on the oldest instruction, which is a load")  \
	X("store_buffer", CPU_STORES, "CPU cycles stalled on the oldest instruction, a store, because the store buffer is full") \
	X("drains", CPU_DRAINS, "CPU cycles in which only the last instructions were in flight") \
	X("idle", CPU_IDLE, "CPU cycles without work")

#define PERCENT(name, cause, meaning) {name, "%", meaning, METRIC_PERCENT, OF_RUN, .a = C(core.stalls[cause]), .b = C(cycles)},
#define CYCLES(name, cause, meaning) {name, "cycles", meaning, METRIC_COUNT, OF_SM, .a = C(core.stalls[cause])},

static const struct metric stalls[] = {CAUSES(PERCENT)};

static const struct metric insts[] = {
	{"insts", "", "instructions of the CPU cores", METRIC_COUNT, OF_RUN, .a = C(core.insts)},
	{"loads", "", "load instructions of the CPU cores", METRIC_COUNT, OF_RUN, .a = C(core.loads)},
	{"stores", "", "store instructions of the CPU cores", METRIC_COUNT, OF_RUN, .a = C(core.stores)},
	{"ipc", "per cycle", "CPU instructions per cycle, all cores", METRIC_RATIO, OF_RUN, .a = C(core.insts), .b = C(elapsed)},
};

static const struct metric caches[] = {
	{"l1.accesses", "lines", "lines looked up in the CPU L1s by loads and stores", METRIC_COUNT, OF_RUN, .a = C(cache.l1_accesses)},
	{"l1.hits", "lines", "lines found in the CPU L1s", METRIC_COUNT, OF_RUN, .a = C(cache.l1_hits)},
	{"l1.hit_rate", "%", "L1 hits / lines looked up by loads and stores of the CPU", METRIC_PERCENT, OF_RUN, .a = C(cache.l1_hits), .b = C(cache.l1_accesses)},
	{"l1.miss_rate", "%", "L1 misses / lines looked up by loads and stores of the CPU", METRIC_PERCENT, OF_RUN, .a = C(cache.l2_accesses), .b = C(cache.l1_accesses)},
	{"l1.refused", "times", "cycles in which an L1 lookup had to wait for a reply", METRIC_COUNT, OF_RUN, .a = C(core.refused)},
	{"l1.write_backs", "lines", "dirty lines written back from the CPU L1s to the L2s", METRIC_COUNT, OF_RUN, .a = C(cache.l1_write_backs)},
	{"l2.hits", "lines", "lines missed in a CPU L1 and found in its L2", METRIC_COUNT, OF_RUN, .a = C(cache.l2_hits)},
	{"l2.hits_reserved", "lines", "lines missed in a CPU L1 and in flight to its L2", METRIC_COUNT, OF_RUN, .a = C(cache.l2_reserved)},
	{"l2.misses", "lines", "lines requested from the L3", METRIC_COUNT, OF_RUN, .a = C(cache.l2_misses)},
	{"l2.hit_rate", "%", "L2 hits / lines missed in the CPU L1s", METRIC_PERCENT, OF_RUN, .a = C(cache.l2_hits), .b = C(cache.l2_accesses)},
	{"l2.miss_rate", "%", "L2 misses / lines missed in the CPU L1s", METRIC_PERCENT, OF_RUN, .a = C(cache.l2_misses), .b = C(cache.l2_accesses)},
	{"l2.write_backs", "lines", "dirty lines written back from the CPU L2s to the L3", METRIC_COUNT, OF_RUN, .a = C(cache.l2_write_backs)},
};

static const struct metric detail[] = {
	{"insts", "", "instructions of this CPU core", METRIC_COUNT, OF_SM, .a = C(core.insts)},
	{"ctas", "", "CTAs (thread blocks) of this CPU core", METRIC_COUNT, OF_SM, .a = C(core.pieces)},
	{"l1.accesses", "lines", "lines looked up in the CPU L1s by loads and stores", METRIC_COUNT, OF_SM, .a = C(cache.l1_accesses)},
	{"l1.hits", "lines", "lines found in the CPU L1s", METRIC_COUNT, OF_SM, .a = C(cache.l1_hits)},
	{"l2.misses", "lines", "lines requested from the L3", METRIC_COUNT, OF_SM, .a = C(cache.l2_misses)},
	CAUSES(CYCLES)
};
/* clang-format on */

const struct metric_table cpu_stall_metrics = METRIC_TABLE(stalls), cpu_inst_metrics = METRIC_TABLE(insts),
			  cpu_cache_metrics = METRIC_TABLE(caches), cpu_detail_metrics = METRIC_TABLE(detail);
