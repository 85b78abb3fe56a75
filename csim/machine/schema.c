#include "machine/schema.h"

static const char *const index_names[] = {"linear", "pric", NULL};
static const char *const full_names[] = {"full", NULL}; /* of a number, a word that stands for 0 */
static const char *const scheduler_names[] = {"gto", "lrr", "gty", NULL};
static const char *const dependence_names[] = {"scoreboard", "fixed", NULL};
static const char *const pipe_names[] = {"sp", "sfu", NULL};
static const char *const throttle_names[] = {"none", "swt", "cta", "dwt-cs", "ccws", "pcal", NULL};
static const char *const throttle_units[] = {"thread", "warp", "cycles", NULL};
static const char *const throttle_overs[] = {"mean", "any", NULL};
static const char *const bypass_names[] = {"none", "streaming", NULL};
static const char *const front_names[] = {"none", "mrpb", NULL};
static const char *const prefetch_names[] = {"none", "next-line", NULL};
static const char *const dram_names[] = {"fcfs", "frfcfs", NULL};
static const char *const allocate_names[] = {"fetch-partial", "fetch-always", "fetch-on-read", NULL};
static const char *const l1_allocate_names[] = {"miss", "fill", NULL};
static const char *const l1_replacement_names[] = {"lru", "fifo", "random", "srrip", "pin", NULL};
static const char *const l2_replacement_names[] = {"lru", "fifo", "random", "srrip", NULL};
static const char *const write_hit_names[] = {"evict", "update", NULL};
static const char *const group_names[] = {"high", "low", NULL};
static const char *const placement_names[] = {"interleave", "pages", "first-touch", NULL};
static const char *const migrate_names[] = {"off", "interleave", "pages", NULL};
static const char *const refresh_names[] = {"all", "single", NULL};
static const char *const drain_names[] = {"turns", "watermarks", NULL};
static const char *const first_names[] = {"column", "activate", NULL};
static const char *const side_names[] = {"memory", "sm", NULL};
static const char *const topology_names[] = {"tree", "ring", "full", "p2p", "list", NULL};
static const char *const distribute_names[] = {"turns", "blocks", NULL};
static const char *const bus_names[] = {"single", "dual", NULL};

#define MAX_BYTES (1u << 30)
/* A key that a machine must give; and, with OPT_, one that it may leave out, with the value that it has then. */
#define KEY(key, type, field, lo, hi, choices, unit, meaning, fallback)                                                            \
	{                                                                                                                          \
		key, type, offsetof(struct machine, field), lo, hi, choices, unit, meaning, fallback                               \
	}
#define OPT_U32(key, field, lo, hi, fallback, unit, meaning) KEY(key, SCHEMA_U32, field, lo, hi, NULL, unit, meaning, fallback)
#define OPT_THOUSANDTHS(key, field, lo, hi, fallback, unit, meaning)                                                               \
	KEY(key, SCHEMA_THOUSANDTHS, field, lo, hi, NULL, unit, meaning, fallback)
#define OPT_BOOL(key, field, fallback, meaning)		      KEY(key, SCHEMA_BOOL, field, 0, 1, NULL, "", meaning, fallback)
#define OPT_CHOICE(key, field, names, fallback, meaning)      KEY(key, SCHEMA_CHOICE, field, 0, 0, names, "", meaning, fallback)
#define OPT_LIST(key, field, lo, hi, fallback, unit, meaning) KEY(key, SCHEMA_LIST, field, lo, hi, NULL, unit, meaning, fallback)
#define OPT_TEXT(key, field, fallback, meaning)                                                                                    \
	KEY(key, SCHEMA_TEXT, field, 0, sizeof((struct machine *)0)->field, NULL, "", meaning, fallback)
#define U32(key, field, lo, hi, unit, meaning)		       OPT_U32(key, field, lo, hi, NULL, unit, meaning)
#define BOOL(key, field, meaning)			       OPT_BOOL(key, field, NULL, meaning)
#define CHOICE(key, field, names, meaning)		       OPT_CHOICE(key, field, names, NULL, meaning)
#define TEXT(key, field, meaning)			       OPT_TEXT(key, field, NULL, meaning)
#define LIST(key, field, lo, hi, unit, meaning)		       OPT_LIST(key, field, lo, hi, NULL, unit, meaning)
#define OPT_LIST5(key, field, lo, hi, fallback, unit, meaning) KEY(key, SCHEMA_LIST5, field, lo, hi, NULL, unit, meaning, fallback)
#define LIST5(key, field, lo, hi, unit, meaning)	       OPT_LIST5(key, field, lo, hi, NULL, unit, meaning)
#define CPU_CACHE(prefix, field, size, assoc, cycles, what)                                                                        \
	OPT_U32(prefix ".bytes", field.bytes, 64, MAX_BYTES, size, "bytes", "size of " what),                                      \
		OPT_U32(prefix ".ways", field.ways, 1, 64, assoc, "ways", "associativity of " what),                               \
		OPT_U32(prefix ".latency", field.latency, 1, 4096, cycles, "CPU cycles",                                           \
			"latency of a hit in " what ": lookup to use")

#define CACHE(prefix, field, what)                                                                                                 \
	U32(prefix ".bytes", field.bytes, 64, MAX_BYTES, "bytes", "size of " what),                                                \
		U32(prefix ".line", field.line, 32, 128, "bytes", "line size of " what),                                           \
		KEY(prefix ".assoc", SCHEMA_U32, field.assoc, 1, 65536, full_names, "ways", "associativity of " what, NULL)
#define HASHED(prefix, field, what)                                                                                                \
	CHOICE(prefix ".index", field.index, index_names, "set index of " what ": linear (address bits) or pric (hashed)"),        \
		U32(prefix ".poly", field.poly, 0, 2047, "",                                                                       \
		    "PRIC polynomial of " what "; bit i is the coefficient of x^i, the degree is log2(sets)"),                     \
		U32(prefix ".addr_bits", field.addr_bits, 0, 64, "bits",                                                           \
		    "number of low address bits that PRIC hashes for " what "; 0: all")
#define MISSES(prefix, field, what)                                                                                                \
	U32(prefix ".mshr_entries", field.mshr_entries, 1, 1024, "lines", "maximum number of lines in flight to " what),           \
		U32(prefix ".mshr_merges", field.mshr_merges, 1, 1024, "requests",                                                 \
		    "requests per MSHR entry of " what ", the first included"),                                                    \
		U32(prefix ".miss_queue", field.miss_queue, 1, 1024, "requests",                                                   \
		    "requests queued from " what " to the next level")

#define BYPASS(prefix, field, cycles, what)                                                                                        \
	OPT_CHOICE(prefix ".bypass.policy", field.policy, bypass_names, "none",                                                    \
		   "loads that bypass " what ": none, or streaming (all, in the period after one with few hits)"),                 \
		OPT_U32(prefix ".bypass.rate", field.rate, 1, 99, "90", "%",                                                       \
			"miss rate of a period above which loads bypass " what " in the next one"),                                \
		OPT_U32(prefix ".bypass.period", field.period, 100, 1u << 30, "10000", cycles,                                     \
			"length of a period in which the misses of " what " are counted")

#define ENERGY(key, field, meaning)  OPT_U32("energy." key, energy.field, 0, 1000000000, "0", "fJ", "energy: " meaning)
#define ENERGY5(key, field, meaning) OPT_LIST5("energy." key, energy.field, 0, 1000000000, "0,0,0,0,0", "fJ", "energy: " meaning)
#define POWER(key, field, meaning)   OPT_U32("energy." key, energy.field, 0, 1000000000, "0", "uW", meaning)

const struct schema_key schema_keys[] = {
	TEXT("name", name, "name of the machine, shown in titles"),
	U32("clock.core", clock.mhz[CLOCK_CORE], 1, 10000, "MHz", "clock of the SMs"),
	U32("clock.net", clock.mhz[CLOCK_NET], 1, 10000, "MHz", "clock of the network"),
	U32("clock.l2", clock.mhz[CLOCK_L2], 1, 10000, "MHz", "clock of the L2 slices"),
	U32("clock.dram", clock.mhz[CLOCK_DRAM], 1, 10000, "MHz", "command clock of the DRAM"),
	OPT_U32("module.count", module.count, 1, MACHINE_MAX_MODULES, "1", "modules",
		"modules of the machine, each with SMs, memory and a network"),
	LIST("sm.count", sm.of_module, 1, 256, "SMs",
	     "SMs per module; a list gives one number per module, its last number all further ones"),
	U32("sm.warps", sm.warps, 1, 64, "warps", "maximum number of resident warps per SM"),
	U32("sm.ctas", sm.ctas, 1, 64, "CTAs", "maximum number of resident CTAs per SM"),
	U32("sm.threads", sm.threads, 32, 2048, "threads", "maximum number of resident threads per SM"),
	U32("sm.registers", sm.registers, 32, 1u << 24, "registers", "32-bit registers per SM, shared by the resident threads"),
	U32("sm.register_unit", sm.register_unit, 1, 65536, "registers",
	    "registers are allocated to a warp in multiples of this number"),
	U32("sm.shared_bytes", sm.shared_bytes, 0, 1u << 24, "bytes", "shared memory per SM"),
	OPT_U32("sm.shared_reserve", sm.shared_reserve, 0, 65536, "0", "bytes",
		"shared memory that the system reserves per CTA, in addition to the CTA's own"),
	OPT_U32("sm.unified_bytes", sm.unified_bytes, 0, 1u << 24, "0", "bytes",
		"array shared by an SM's L1 and shared memory, divided anew for each launch; 0: two separate arrays"),
	OPT_LIST("sm.carveouts", sm.carveouts, 0, 1u << 24, "0", "bytes",
		 "shared-memory sizes that a launch can get from sm.unified_bytes, ascending; the first that holds its CTAs is "
		 "used"),
	U32("sm.schedulers", sm.schedulers, 1, 8, "schedulers", "warp schedulers per SM"),
	CHOICE("sm.scheduler", sm.scheduler, scheduler_names,
	       "warp scheduler: gto (greedy, then oldest), lrr (round robin) or gty (greedy, then youngest)"),
	OPT_U32("sm.lsu_queue", sm.lsu_queue, 0, 16, "0", "instructions",
		"memory instructions queued between issue and the load/store unit"),
	OPT_U32("sm.subcores", sm.subcores, 1, 8, "1", "sub-cores",
		"sub-cores per SM; they divide the schedulers, warps and pipelines among them"),
	OPT_CHOICE("sm.dependences", sm.dependences, dependence_names, "scoreboard",
		   "dependences of int, fp32 and fp64 results: scoreboard (released when written) or fixed (the dependent "
		   "instruction issues latency.* cycles later, regardless of pipe.depth; a later write must only end later)"),
	OPT_BOOL("sm.independent_lanes", sm.independent_lanes, "false",
		 "diverged lanes of a warp take turns where they wait for one another, as on Volta and later"),
	OPT_BOOL("sm.fold", sm.fold, "false",
		 "do not issue instructions that the trace marks as folded into others by the assembler"),
	OPT_BOOL("sm.schedule", sm.schedule, "false",
		 "execute each basic block in an assembler's order (loads early); recorded traces keep their order"),
	OPT_U32("subcore.queue", subcore.queue, 0, 16, "0", "instructions",
		"issued instructions per sub-core that can wait for units shared by all sub-cores; 0: issue only when the unit is "
		"free"),
	OPT_U32("subcore.interval", subcore.interval, 1, 64, "1", "core cycles",
		"minimum time between two instructions leaving a sub-core's queue"),
	OPT_U32("subcore.ldst_interval", subcore.ldst_interval, 1, 64, "1", "core cycles",
		"minimum time between two instructions that the load/store unit takes from the sub-core queues"),
	OPT_U32("launch.latency", launch.latency, 0, 1u << 18, "0", "core cycles", "time from a launch to its first CTA"),
	OPT_U32("launch.cta_latency", launch.cta_latency, 1, 1u << 16, "1", "core cycles",
		"time from dispatching a CTA to an SM with room until the CTA's first cycle"),
	OPT_U32("launch.concurrent", launch.concurrent, 1, 128, "1", "launches",
		"maximum number of launches of a program's streams that share the SMs at a time; 1: one after another, as always "
		"with throttles, pins, plans that dispatch CTAs and L2 slices at the SMs"),
	OPT_CHOICE("throttle.policy", throttle.policy, throttle_names, "none",
		   "limit on issuing warps: none, swt (fixed number per scheduler), cta (those of a fixed number of CTAs), dwt-cs "
		   "(number found by sampling), ccws (only warps that lose locality may load) or pcal (as swt; only a fixed number "
		   "of warps allocate in the L1)"),
	OPT_U32("throttle.warps", throttle.warps, 1, 64, "64", "warps",
		"swt, pcal: maximum number of warps per scheduler that may issue (the oldest ones)"),
	OPT_TEXT("throttle.kernels", throttle.kernels, "none",
		 "swt, pcal: throttle.warps of single kernels, as KERNEL:N joined by +, or none"),
	OPT_U32("throttle.ctas", throttle.ctas, 1, 64, "64", "CTAs",
		"cta: maximum number of CTAs per SM whose warps may issue (the oldest ones)"),
	OPT_U32("throttle.tokens", throttle.tokens, 1, 64, "64", "warps",
		"pcal: maximum number of warps per scheduler whose loads allocate in the L1 (the oldest ones)"),
	OPT_U32("throttle.base", throttle.base, 1, 1u << 20, "100", "", "ccws: score of a warp that has lost no locality"),
	OPT_U32("throttle.k", throttle.k, 1, 1u << 20, "8", "", "ccws: factor by which lost locality raises a warp's score"),
	OPT_U32("throttle.victims", throttle.victims, 1, 1024, "16", "tags", "ccws: victim tags per warp"),
	OPT_U32("throttle.ways", throttle.ways, 1, 1024, "8", "ways", "ccws: ways per set of the victim tags"),
	OPT_U32("throttle.period", throttle.period, 16, 1u << 30, "10000", "core cycles", "dwt-cs: length of a sampling period"),
	OPT_U32("throttle.n", throttle.n, 1, 15, "2", "periods",
		"dwt-cs: consecutive periods above the threshold before sampling starts"),
	OPT_U32("throttle.m", throttle.m, 1, 255, "4", "periods",
		"dwt-cs: periods for which each SM keeps its sampled number of warps"),
	OPT_U32("throttle.threshold", throttle.threshold, 0, 65535, "10", "misses",
		"dwt-cs: threshold of L1 load misses per 1000 units of throttle.unit"),
	OPT_CHOICE("throttle.unit", throttle.unit, throttle_units, "thread",
		   "dwt-cs: unit of the miss rate: 1000 thread instructions, warp instructions or cycles"),
	OPT_CHOICE("throttle.over", throttle.over, throttle_overs, "mean",
		   "dwt-cs: compare the threshold with the misses of all SMs together (mean) or of each SM (any)"),
	OPT_U32("throttle.latency", throttle.latency, 1, 4096, "8", "core cycles",
		"dwt-cs: latency of a message between an SM and the coordinator"),
	OPT_U32("throttle.entries", throttle.entries, 1, 64, "8", "kernels",
		"dwt-cs: kernels that have counters and a selected number (the program's first ones); others are not limited"),
	OPT_U32("throttle.watchdog", throttle.watchdog, 0, 65535, "256", "periods",
		"dwt-cs: periods without an ended warp after which the limit is lifted for one period; 0: never"),
	U32("pipe.sp", pipe.sp, 1, 16, "units", "arithmetic pipelines per SM (int, fp32, fp64)"),
	OPT_U32("pipe.int", pipe.integer, 0, 16, "0", "units",
		"integer pipelines per SM; 0: the SP pipelines execute integer instructions"),
	OPT_U32("pipe.dp", pipe.dp, 0, 16, "0", "units",
		"double-precision pipelines per SM (if fewer than the sub-cores, shared by all); 0: none, see pipe.fp64"),
	U32("pipe.sfu", pipe.sfu, 1, 16, "units", "special-function pipelines per SM"),
	U32("pipe.ldst", pipe.ldst, 1, 1, "units", "load/store pipelines per SM"),
	OPT_CHOICE("pipe.fp64", pipe.fp64, pipe_names, "sp", "pipelines that execute double-precision instructions"),
	OPT_CHOICE("pipe.div", pipe.div, pipe_names, "sp", "pipelines that execute integer and single-precision divisions"),
	OPT_U32("pipe.depth", pipe.depth, 0, 256, "0", "core cycles",
		"pipeline stages before and after execution, added to every latency except a branch's"),
	OPT_U32("pipe.tensor", pipe.tensor, 0, 16, "0", "units",
		"tensor units per SM; 0: other pipelines execute matrix multiplies as separate multiply-adds"),
	OPT_LIST5("pipe.tensor_rate", pipe.tensor_rate, 0, 65536, "0,0,0,0,0", "per core cycle",
		  "multiply-adds of a tensor unit per core cycle, for f16 or bf16, tf32, 8-bit, 4-bit and f64 data; 0: not "
		  "supported"),
	OPT_U32("operands.banks", operands.banks, 0, 64, "0", "banks",
		"register-file banks per SM, each reading one register per cycle; 0: operands are read at issue"),
	OPT_U32("operands.sp", operands.sp, 1, 16, "4", "collectors", "operand collectors for SP instructions, per SM"),
	OPT_U32("operands.sfu", operands.sfu, 1, 16, "4", "collectors", "operand collectors for SFU instructions, per SM"),
	OPT_U32("operands.tensor", operands.tensor, 1, 16, "4", "collectors", "operand collectors for tensor instructions, per SM"),
	OPT_U32("operands.mem", operands.mem, 1, 16, "2", "collectors", "operand collectors for memory instructions, per SM"),
	LIST5("latency.int", op.int32.latency, 1, 4096, "core cycles",
	      "latency of integer add, max, mul, mad, div: issue to result"),
	LIST5("latency.int_interval", op.int32.interval, 1, 4096, "core cycles",
	      "integer add, max, mul, mad, div: issue to next issue in the same pipeline"),
	LIST5("latency.fp32", op.fp32.latency, 1, 4096, "core cycles",
	      "latency of single-precision add, max, mul, mad, div: issue to result"),
	LIST5("latency.fp32_interval", op.fp32.interval, 1, 4096, "core cycles",
	      "single-precision add, max, mul, mad, div: issue to next issue in the same pipeline"),
	LIST5("latency.fp64", op.fp64.latency, 1, 4096, "core cycles",
	      "latency of double-precision add, max, mul, mad, div: issue to result"),
	LIST5("latency.fp64_interval", op.fp64.interval, 1, 4096, "core cycles",
	      "double-precision add, max, mul, mad, div: issue to next issue in the same pipeline"),
	U32("latency.sfu", op.sfu, 1, 4096, "core cycles", "latency of special functions: issue to result"),
	U32("latency.sfu_interval", op.sfu_interval, 1, 4096, "core cycles",
	    "special functions: issue to next issue in the same pipeline"),
	OPT_U32("latency.tensor", op.tensor, 0, 4096, "0", "core cycles",
		"matrix multiplies: latency from a tensor unit's last multiply-adds to the result"),
	U32("latency.branch", op.branch, 1, 4096, "core cycles", "latency from a branch to the next issue of the warp"),
	U32("shared.latency", shared.latency, 1, 4096, "core cycles",
	    "latency of shared memory without bank conflicts: issue to result"),
	U32("shared.banks", shared.banks, 1, 32, "banks", "banks of shared memory, 4 bytes wide"),
	BOOL("l1.enabled", l1.enabled, "use the L1; false: every access bypasses it"),
	BOOL("l1.monitor", l1.monitor, "count each set's index conflicts with the set_monitor block"),
	CACHE("l1", l1.c, "L1"),
	HASHED("l1", l1.c, "L1"),
	MISSES("l1", l1.c, "L1"),
	U32("l1.latency", l1.latency, 1, 4096, "core cycles", "latency of an L1 hit: issue to result"),
	OPT_U32("l1.miss_room", l1.miss_room, 0, 1024, "0", "packets",
		"free packets that the L1's miss queue must have for a load to miss or merge; 0: as many as the load sends"),
	OPT_BOOL("l1.store_needs_line", l1.store_needs_line, "false",
		 "make a store fail while every way of its L1 set waits for a fill"),
	OPT_U32("l1.sectors", l1.c.sectors, 1, 4, "1", "sectors", "sectors per L1 line, fetched separately: 1, 2 or 4"),
	OPT_U32("l1.packet_sectors", l1.packet_sectors, 1, 4, "1", "sectors",
		"maximum number of sectors that one L1 packet requests"),
	OPT_U32("l1.banks", l1.banks, 1, 32, "1", "banks", "banks per L1, each looking up one line per cycle; a power of two"),
	OPT_U32("l1.bank_bytes", l1.bank_bytes, 0, 128, "0", "bytes",
		"adjacent bytes in an L1 bank: from a sector to a line; 0: a line"),
	OPT_U32("l1.port_bytes", l1.port_bytes, 0, 1024, "0", "bytes",
		"bytes that the L1 data path moves per cycle, in whole sectors; 0: all requested bytes"),
	OPT_CHOICE("l1.replacement", l1.replacement, l1_replacement_names, "lru",
		   "victim in an L1 set: least recently used, first in, random, by re-reference interval (srrip), or by the "
		   "pin_replacement block, which keeps pinned lines (pin)"),
	OPT_U32("l1.seed", l1.seed, 0, UINT32_MAX, "1", "", "seed of random replacement in L1s"),
	OPT_CHOICE("l1.allocate", l1.allocate, l1_allocate_names, "miss",
		   "allocate an L1 line's way at the miss, or at the fill (then stores are not written back)"),
	OPT_CHOICE("l1.write_hit", l1.write_hit, write_hit_names, "evict",
		   "treatment of an L1 line hit by a write-through store: evict it, or update it"),
	BYPASS("l1", l1.bypass, "core cycles", "an L1"),
	OPT_CHOICE("l1.front.policy", l1.front.policy, front_names, "none",
		   "stage between the coalescer and the L1: none, or mrpb (a buffer that reorders requests by warp)"),
	OPT_U32("l1.front.depth", l1.front.depth, 1, 1024, "32", "requests", "mrpb: queue entries per warp"),
	OPT_BOOL("l1.front.bypass", l1.front.bypass, "true", "mrpb: loads bypass the L1 when every way of their set is reserved"),
	OPT_CHOICE("l1.prefetch.policy", l1.prefetch.policy, prefetch_names, "none",
		   "L1 prefetcher: none, or next-line (the line after each miss)"),
	OPT_U32("l1.prefetch.mshrs", l1.prefetch.mshrs, 0, 1023, "8", "lines", "L1 MSHR entries that prefetches leave free"),
	OPT_U32("l1.prefetch.queue", l1.prefetch.queue, 0, 1023, "2", "requests",
		"L1 miss-queue entries that prefetches leave free"),
	OPT_TEXT("l1.pin.hard", l1.pin.hard, "none", "buffers whose L1 lines get a hard pin: names joined by +, or none"),
	OPT_TEXT("l1.pin.soft", l1.pin.soft, "none", "buffers whose L1 lines get a soft pin: names joined by +, or none"),
	OPT_U32("l1.pin.timer", l1.pin.timer, 1, INT32_MAX, "100000", "core cycles",
		"time from the first pin until all pins are released"),
	OPT_BOOL("caches.operators", caches.operators, "false",
		 "honour cache operators of loads and stores (.cg .cs .lu, L1::no_allocate); .cv and .volatile always are"),
	OPT_BOOL("caches.locality_classes", caches.locality_classes, "false",
		 "count accesses to L1s and L2 slices by locality class, in these caches and in unbounded ones"),
	OPT_U32("fetch.width", fetch.width, 0, 32, "0", "instructions",
		"instructions per fetch and per warp buffer (with l0.bytes: one); 0: ideal instruction fetch"),
	OPT_U32("fetch.latency", fetch.latency, 1, 200, "2", "core cycles", "latency of an instruction-cache hit: fetch to issue"),
	OPT_U32("fetch.inst_bytes", fetch.inst_bytes, 4, 32, "8", "bytes", "size of an instruction"),
	OPT_U32("icache.bytes", fetch.cache.bytes, 64, MAX_BYTES, "2K", "bytes", "size of the instruction cache"),
	OPT_U32("icache.line", fetch.cache.line, 32, 128, "128", "bytes", "line size of the instruction cache"),
	OPT_U32("icache.assoc", fetch.cache.assoc, 1, 64, "4", "ways", "associativity of the instruction cache"),
	OPT_U32("icache.mshr_entries", fetch.cache.mshr_entries, 1, 1024, "2", "lines",
		"maximum number of lines in flight to the instruction cache"),
	OPT_U32("icache.mshr_merges", fetch.cache.mshr_merges, 1, 1024, "32", "requests",
		"requests per MSHR entry of the instruction cache, the first included"),
	OPT_U32("icache.miss_queue", fetch.cache.miss_queue, 1, 1024, "4", "requests",
		"requests queued from the instruction cache to the next level"),
	OPT_U32("l0.bytes", l0.c.bytes, 0, MAX_BYTES, "0", "bytes",
		"size of a scheduler's L0 instruction cache with a stream buffer; 0: no L0"),
	OPT_U32("l0.assoc", l0.c.assoc, 1, 64, "4", "ways", "associativity of an L0"),
	OPT_U32("l0.stream", l0.stream, 0, 32, "8", "lines",
		"lines of the L0 stream buffer, prefetched after a miss; 0: no stream buffer"),
	OPT_U32("l0.latency", l0.latency, 1, 200, "20", "core cycles",
		"time from the instruction cache's lookup or fill until the line is in the L0"),
	OPT_U32("gcc.bytes", gcc.c.bytes, 0, MAX_BYTES, "0", "bytes",
		"size of the instruction cache shared by the SMs of a GPC, between them and the L2; 0: none"),
	OPT_U32("gcc.assoc", gcc.c.assoc, 1, 64, "16", "ways", "associativity of a GPC's instruction cache"),
	OPT_U32("gcc.mshr_entries", gcc.c.mshr_entries, 1, 1024, "32", "lines",
		"maximum number of lines in flight to a GPC's instruction cache"),
	OPT_U32("gcc.mshr_merges", gcc.c.mshr_merges, 1, 1024, "64", "requests",
		"requests per MSHR entry of a GPC's instruction cache, the first included"),
	OPT_U32("gcc.miss_queue", gcc.c.miss_queue, 1, 1024, "32", "requests",
		"requests queued from a GPC's instruction cache to the L2"),
	OPT_U32("gcc.latency", gcc.latency, 1, 4096, "40", "core cycles",
		"time from the lookup or fill of a GPC's instruction cache until the line is at the SM"),
	OPT_U32("gcc.prefetch", gcc.prefetch, 0, MAX_BYTES, "0", "bytes",
		"bytes of a kernel that a GPC's instruction cache looks up when a launch begins; 0: none"),
	OPT_U32("gcc.count", gcc.count, 1, 64, "1", "GPCs", "number of GPCs; pairs of SMs are assigned to them in turn"),
	CACHE("const", const_cache.c, "the constant cache"),
	MISSES("const", const_cache.c, "the constant cache"),
	U32("const.latency", const_cache.latency, 2, 4096, "core cycles", "latency of a constant-cache hit: issue to result"),
	U32("net.flit_bytes", net.flit_bytes, 1, 1024, "bytes", "size of a flit; a port moves one flit per network cycle"),
	U32("net.header_bytes", net.header_bytes, 1, 1024, "bytes", "size of a packet without its payload"),
	U32("net.hop", net.hop, 1, 4096, "net cycles", "latency from port to port, in addition to serialisation"),
	U32("net.in_queue", net.in_queue, 1, 1024, "packets", "packets queued per crossbar input"),
	U32("net.out_queue", net.out_queue, 1, 1024, "packets", "packets queued per crossbar output"),
	BOOL("l2.enabled", l2.enabled, "use the L2; false: every request goes to DRAM"),
	CACHE("l2", l2.c, "an L2 slice"),
	HASHED("l2", l2.c, "an L2 slice"),
	MISSES("l2", l2.c, "an L2 slice"),
	OPT_CHOICE("l2.side", l2.side, side_names, "memory",
		   "location of the L2 slices: at the memory channels, or at each module's SMs"),
	U32("l2.slices", l2.slices, 1, 16, "slices", "L2 slices per memory channel, a power of two"),
	U32("l2.latency", l2.latency, 1, 4096, "L2 cycles", "pipeline latency before an L2 slice's tags"),
	OPT_U32("l2.sectors", l2.c.sectors, 1, 4, "1", "sectors", "sectors per L2 line, fetched and written separately: 1, 2 or 4"),
	CHOICE("l2.write_allocate", l2.write_allocate, allocate_names,
	       "L2 write misses fetch missing sectors: if partially written (fetch-partial), always (fetch-always) or at the next "
	       "read (fetch-on-read)"),
	OPT_CHOICE("l2.replacement", l2.replacement, l2_replacement_names, "lru",
		   "victim in an L2 set: least recently used, first in, random, or by re-reference interval (srrip)"),
	OPT_U32("l2.seed", l2.seed, 0, UINT32_MAX, "1", "", "seed of random replacement in L2 slices"),
	U32("l2.in_queue", l2.in_queue, 1, 1024, "requests", "requests queued at the input of an L2 slice"),
	OPT_U32("l2.port_bytes", l2.port_bytes, 0, 1024, "0", "bytes",
		"bytes that an L2 slice's data port moves per L2 cycle; 0: all bytes of a request"),
	OPT_U32("l2.atomic_bytes", l2.atomic_bytes, 0, 1024, "4", "bytes",
		"operand bytes of atomics that an L2 slice processes per L2 cycle; 0: all of them"),
	OPT_U32("l2.halves", l2.halves, 1, 2, "1", "parts",
		"parts of the L2, each with half of the SMs and channels; 2: each caches what its SMs read from the other"),
	OPT_U32("l2.far_latency", l2.far_latency, 1, 4096, "75", "core cycles", "latency from one half of the L2 to the other"),
	OPT_U32("l2.coalescer", l2.coalescer, 0, 4096, "0", "entries",
		"reads in flight per L2 slice that reads of the same sectors can merge with; 0: no coalescer"),
	OPT_U32("l2.coalescer_merges", l2.coalescer_merges, 2, 1024, "4", "requests",
		"reads per coalescer entry of an L2 slice, the first included"),
	BYPASS("l2", l2.bypass, "L2 cycles", "an L2 slice"),
	OPT_LIST("dram.stacks", dram.of_module, 0, MACHINE_MAX_STACKS, "1", "stacks",
		 "memory stacks per module, a list like sm.count; their sum is a power of two"),
	U32("dram.channels", dram.channels, 1, 96, "channels", "memory channels per stack: 2^k times an odd number up to 15"),
	U32("dram.interleave", dram.interleave, 128, 1u << 20, "bytes", "consecutive bytes mapped to one channel before the next"),
	CHOICE("dram.sched", dram.sched, dram_names,
	       "DRAM scheduling: fcfs (in order of arrival) or frfcfs (requests to open rows first)"),
	CHOICE("dram.first", dram.first, first_names,
	       "command with priority when two are ready: a column access to an open row, or an activate"),
	U32("dram.queue", dram.queue, 1, 4096, "requests", "read requests queued per channel, and as many write requests"),
	U32("dram.latency", dram.latency, 1, 4096, "core cycles", "pipeline latency before the memory controller"),
	U32("dram.banks", dram.banks, 1, 64, "banks", "banks per channel"),
	U32("dram.groups", dram.groups, 1, 16, "groups", "bank groups per channel"),
	CHOICE("dram.group_bits", dram.group_bits, group_names, "bits of the bank number that select the bank group"),
	CHOICE("dram.command_bus", dram.command_bus, bus_names,
	       "command bus: single, or dual (a row and a column command in the same cycle, HBM2)"),
	U32("dram.burst_bytes", dram.burst_bytes, 16, 128, "bytes", "bytes per column access"),
	U32("dram.burst", dram.burst, 1, 16, "DRAM cycles", "time that a column access occupies the data bus"),
	U32("dram.row_bytes", dram.row_bytes, 256, 1u << 20, "bytes", "bytes per row of one bank"),
	TEXT("dram.map", dram.map, "channel-local address bits below the row, from the top: B bank, C column, S byte of the burst"),
	U32("dram.cl", dram.cl, 1, 1000, "DRAM cycles", "tCL: read to data"),
	U32("dram.rp", dram.rp, 1, 1000, "DRAM cycles", "tRP: precharge to activate"),
	U32("dram.rc", dram.rc, 1, 1000, "DRAM cycles", "tRC: activate to activate, same bank"),
	U32("dram.ras", dram.ras, 1, 1000, "DRAM cycles", "tRAS: activate to precharge"),
	U32("dram.rcd", dram.rcd, 1, 1000, "DRAM cycles", "tRCD: activate to read or write"),
	U32("dram.rrd", dram.rrd, 1, 1000, "DRAM cycles", "tRRD: activate to activate, other bank"),
	U32("dram.rrdl", dram.rrdl, 0, 1000, "DRAM cycles",
	    "tRRDL: activate to activate, same bank group; a value below tRRD has no effect"),
	U32("dram.ccd", dram.ccd, 1, 1000, "DRAM cycles", "tCCD: column to column, other bank group"),
	U32("dram.ccdl", dram.ccdl, 1, 1000, "DRAM cycles", "tCCDL: column to column, same bank group"),
	U32("dram.wl", dram.wl, 1, 1000, "DRAM cycles", "tWL: write to data"),
	U32("dram.cdlr", dram.cdlr, 0, 1000, "DRAM cycles", "tCDLR: end of write data to read"),
	U32("dram.wr", dram.wr, 1, 1000, "DRAM cycles", "tWR: end of write data to precharge"),
	U32("dram.rtp", dram.rtp, 1, 1000, "DRAM cycles", "tRTP: read to precharge"),
	U32("dram.faw", dram.faw, 0, 1000, "DRAM cycles", "tFAW: window for four activates; 0: no limit"),
	BOOL("dram.refresh", dram.refresh, "refresh all banks every tREFI; false: no refresh"),
	U32("dram.refi", dram.refi, 100, 1000000, "DRAM cycles", "tREFI: from refresh to refresh"),
	U32("dram.rfc", dram.rfc, 1, 10000, "DRAM cycles", "tRFC: refresh to activate"),
	OPT_CHOICE("dram.refresh_banks", dram.refresh_banks, refresh_names, "all",
		   "banks refreshed at a time: all of a channel, or a single one every tREFI / banks (HBM2)"),
	OPT_U32("dram.rfcsb", dram.rfcsb, 1, 10000, "1", "DRAM cycles", "tRFCSB: single-bank refresh to activate of that bank"),
	OPT_U32("dram.rrefd", dram.rrefd, 1, 1000, "1", "DRAM cycles",
		"tRREFD: single-bank refresh to a row command of another bank"),
	OPT_CHOICE("dram.drain", dram.drain, drain_names, "turns",
		   "write drain: turns (reads then get an equally long turn) or watermarks (from write_high to write_low, and "
		   "while no read waits)"),
	U32("dram.write_high", dram.write_high, 1, 4096, "requests", "queued writes that start a drain"),
	U32("dram.write_low", dram.write_low, 0, 4096, "requests", "queued writes at which a drain ends"),
	U32("dram.age_cap", dram.age_cap, 0, 1000000, "accesses",
	    "column accesses that may overtake a request before it has priority; 0: no limit"),
	OPT_BOOL("vm.enabled", vm.enabled, "false",
		 "use virtual memory with pages and page tables; false: virtual addresses are physical ones"),
	OPT_BOOL("vm.tlb", vm.tlb, "true", "model translation time (TLBs, page walks); false: translation takes no time"),
	OPT_U32("vm.page", vm.page, 4096, 2u << 20, "4K", "bytes", "page size: 4K, 64K or 2M"),
	OPT_U32("vm.stack_mib", vm.stack_mib, 1, 1u << 20, "4096", "MiB", "memory per stack"),
	OPT_CHOICE("vm.placement", vm.placement, placement_names, "interleave",
		   "placement of pages that a plan leaves open: interleave (finely over stacks), pages (stacks in turn) or "
		   "first-touch"),
	OPT_U32("vm.l1_tlb.entries", vm.l1.entries, 1, 65536, "64", "pages", "entries of an SM's TLB"),
	OPT_U32("vm.l1_tlb.ways", vm.l1.ways, 1, 65536, "8", "ways", "associativity of an SM's TLB"),
	OPT_U32("vm.l1_tlb.latency", vm.l1.latency, 0, 1000, "0", "core cycles",
		"latency that a hit in an SM's TLB adds to an access"),
	OPT_U32("vm.l1_tlb.pending", vm.l1_pending, 1, 1024, "32", "transactions",
		"transactions per SM that can wait for a translation"),
	OPT_U32("vm.l2_tlb.entries", vm.l2.entries, 1, 1u << 20, "512", "pages", "entries of a module's TLB"),
	OPT_U32("vm.l2_tlb.ways", vm.l2.ways, 1, 65536, "16", "ways", "associativity of a module's TLB"),
	OPT_U32("vm.l2_tlb.latency", vm.l2.latency, 2, 1000, "20", "core cycles",
		"latency from a miss in an SM's TLB to its reply, when the module's TLB hits"),
	OPT_U32("vm.walks", vm.walks, 1, 1024, "16", "walks", "maximum number of page walks in flight per module"),
	OPT_U32("vm.walk_cache", vm.walk_cache, 0, 65536, "32", "entries",
		"entries of upper page-table levels cached per module; 0: no page-walk cache"),
	OPT_U32("vm.fault_latency", vm.fault_latency, 1, 1u << 20, "1", "core cycles", "time to map a page at its first access"),
	OPT_CHOICE("vm.migrate", vm.migrate, migrate_names, "off",
		   "placement of a buffer's pages until their first access migrates them: interleave (finely) or pages (page by "
		   "page); off: no migration"),
	OPT_U32("vm.migrate_lines", vm.migrate_lines, 1, 1024, "32", "lines",
		"maximum number of lines that a module's page mover has in flight"),
	OPT_U32("clock.cpu", clock.mhz[CLOCK_CPU], 1, 10000, "4000", "MHz", "clock of the CPU's cores"),
	OPT_U32("device.capability", device.capability, 10, 999, "70", "",
		"compute capability reported to CUDA programs; 70 is 7.0"),
	OPT_U32("device.memory_mib", device.memory_mib, 1, 1u << 20, "12288", "MiB", "device memory available to CUDA programs"),
	OPT_U32("pcie.gbps", pcie.gbps, 1, 1000, "16", "GB/s", "bandwidth of copies between host and device, per direction"),
	OPT_U32("pcie.latency", pcie.latency, 0, 1000000, "10000", "ns",
		"latency of a copy between host and device, in addition to its transfer time"),
	OPT_U32("cpu.count", cpu.count, 0, 64, "0", "cores", "number of CPU cores; 0: no CPU"),
	OPT_U32("cpu.width", cpu.width, 1, 64, "4", "instructions",
		"instructions that enter a CPU core, and that retire, per cycle"),
	OPT_U32("cpu.rob", cpu.rob, 1, 1024, "256", "instructions", "reorder-buffer entries of a CPU core"),
	OPT_U32("cpu.simd", cpu.simd, 1, 32, "1", "lanes", "kernel lanes computed by one CPU instruction"),
	OPT_BOOL("cpu.in_order", cpu.in_order, "false", "in-order core: an instruction enters only when its operands are ready"),
	OPT_CHOICE("cpu.distribute", cpu.distribute, distribute_names, "turns",
		   "assignment of CTAs to CPU cores: turns (next core with room) or blocks (consecutive CTAs per core)"),
	OPT_U32("cpu.ports", cpu.ports, 1, 64, "2", "lookups", "lookups per cycle in a CPU core's L1"),
	OPT_U32("cpu.store_buffer", cpu.store_buffer, 1, 1024, "64", "lines", "lines of retired stores that a CPU core buffers"),
	OPT_LIST5("cpu.int_latency", cpu.int_latency, 1, 4096, "1,1,3,4,20", "CPU cycles",
		  "CPU latency of integer add, max, mul, mad, div: start to result"),
	OPT_LIST5("cpu.fp_latency", cpu.fp_latency, 1, 4096, "4,4,4,4,14", "CPU cycles",
		  "CPU latency of float add, max, mul, mad, div: start to result"),
	OPT_U32("cpu.sfu_latency", cpu.sfu_latency, 1, 4096, "20", "CPU cycles",
		"CPU latency of special functions: start to result"),
	OPT_U32("cpu.line", cpu.line, 32, 128, "64", "bytes", "line size of the CPU's caches"),
	CPU_CACHE("cpu.l1", cpu.l1, "32K", "8", "4", "a CPU core's L1"),
	CPU_CACHE("cpu.l2", cpu.l2, "512K", "8", "14", "a CPU core's L2"),
	OPT_U32("cpu.mshr", cpu.mshr, 1, 1024, "256", "lines", "maximum number of lines in flight to a CPU core"),
	CPU_CACHE("cpu.l3", cpu.l3, "4M", "16", "40", "the L3 of the CPU's cores"),
	OPT_U32("cpu.init_insts", cpu.init_insts, 0, 1024, "3", "instructions",
		"extra instructions per store when the CPU initialises an array (TAFE)"),
	OPT_BOOL("cpu.value_insts", cpu.value_insts, "true",
		 "also execute the instructions that the program states for a stored value (TAFE)"),
	OPT_U32("cpu.l3.mshr", cpu.l3_mshr, 1, 65536, "2048", "lines", "maximum number of lines in flight to the L3"),
	OPT_U32("group_dispatch.latency", group_dispatch.latency, 1, 100000, "200", "core cycles",
		"time to read an entry of the CTA groups from memory (PAVER)"),
	OPT_CHOICE("link.topology", link.topology, topology_names, "tree", "topology of the links between modules"),
	OPT_LIST("link.fanout", link.fanout, 1, MACHINE_MAX_MODULES, "2", "modules",
		 "tree: children per module; in a list, the first number is the root's"),
	OPT_THOUSANDTHS("link.gbps", link.mbps, 10, 100000000, "64", "GB/s", "bandwidth of a link, per direction"),
	OPT_U32("link.latency", link.latency, 1, 100000, "32", "core cycles", "latency of a link, in addition to serialisation"),
	OPT_U32("link.queue", link.queue, 1, 4096, "256", "packets", "packets queued at a link's receiving end, per output"),
	OPT_TEXT("link.list", link.list, "none", "topology list: A-B, A-B:GBPS, A-B:GBPS:LATENCY; modules 0.., switches s0.., cpu"),
	OPT_THOUSANDTHS("link.cpu", link.cpu_mbps, 0, 100000000, "0", "GB/s",
			"bandwidth of the CPU's link to each module, per direction; 0: no link"),
	OPT_U32("link.cpu_latency", link.cpu_latency, 1, 100000, "32", "core cycles",
		"latency of the CPU's links, in addition to serialisation"),
	OPT_U32("store_tracker.entries", store_tracker.entries, 2, 8, "2", "arrays",
		"arrays that the CPU's tracking hardware (TAFE) tracks at a time: 2, 4 or 8"),
	OPT_U32("store_tracker.latency", store_tracker.latency, 1, 4096, "14", "CPU cycles",
		"latency of reading a line of TAFE's metadata"),
	OPT_U32("store_tracker.call_insts", store_tracker.call_insts, 0, 4096, "20", "instructions",
		"instructions per call of TAFE's interface, without its loads and stores"),
	OPT_U32("map.fgp_lsb", map.fgp_lsb, 0, 20, "0", "bit",
		"lowest address bit that selects the stack of fine-grained pages; 0: the highest bits of the page offset"),
	OPT_BOOL("map.hash_channel", map.hash_channel, "false",
		 "with odd * 2^k channels, XOR the channel's k lower bits with the address bits above them"),
	OPT_BOOL("map.hash_bank", map.hash_bank, "false", "XOR the bank bits with the lowest row bits"),
	ENERGY("issue", issue, "per warp instruction fetched, decoded and issued"),
	ENERGY5("int", int32, "per lane of integer add, max, mul, mad, div"),
	ENERGY5("fp32", fp32, "per lane of single-precision add, max, mul, mad, div"),
	ENERGY5("fp64", fp64, "per lane of double-precision add, max, mul, mad, div"),
	ENERGY("sfu", sfu, "per lane of a special function"),
	ENERGY5("tensor", tensor,
		"per multiply-add of a tensor unit, for f16 or bf16, tf32, 8-bit, 4-bit and f64 data; 0: as a lane's"),
	ENERGY("memory", memory, "per lane of a load, store or atomic, without its cache and DRAM accesses"),
	ENERGY("register", reg, "per lane of a register operand read or written"),
	ENERGY("shared", shared, "per shared-memory instruction of a warp"),
	ENERGY("const", const_cache, "per constant-cache access"),
	ENERGY("l1_tag", l1_tag, "per L1 tag lookup"),
	ENERGY("l1_data", l1_data, "per line read from or written to the data of an L1"),
	ENERGY("l2_tag", l2_tag, "per L2 tag lookup"),
	ENERGY("l2_byte", l2_byte, "per byte read from or written to the data of an L2 slice"),
	ENERGY("flit", flit, "per flit through a crossbar"),
	ENERGY("link_byte", link_byte, "per byte over a link"),
	ENERGY("dram_activate", activate, "per DRAM row activated and precharged"),
	ENERGY("dram_read", read, "per column read, inside the DRAM"),
	ENERGY("dram_write", write, "per column written, inside the DRAM"),
	ENERGY("dram_io_byte", io_byte, "per byte between DRAM and controller"),
	ENERGY("dram_refresh", refresh, "per refresh of all banks of a channel"),
	POWER("sm_static", sm_static, "static power per SM"),
	POWER("channel_static", channel_static, "static power of the DRAM per channel"),
	{NULL, SCHEMA_U32, 0, 0, 0, NULL, NULL, NULL, NULL},
};
