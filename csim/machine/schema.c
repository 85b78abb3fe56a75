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
static const char *const pin_names[] = {"none", "buffers", NULL};
static const char *const front_names[] = {"none", "mrpb", NULL};
static const char *const prefetch_names[] = {"none", "next-line", NULL};
static const char *const dram_names[] = {"fcfs", "frfcfs", NULL};
static const char *const allocate_names[] = {"fetch-partial", "fetch-always", "fetch-on-read", NULL};
static const char *const l1_allocate_names[] = {"miss", "fill", NULL};
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
		OPT_U32(prefix ".latency", field.latency, 1, 4096, cycles, "CPU cycles", "lookup to use, found in " what)

#define CACHE(prefix, field, what)                                                                                                 \
	U32(prefix ".bytes", field.bytes, 64, MAX_BYTES, "bytes", "size of " what),                                                \
		U32(prefix ".line", field.line, 32, 128, "bytes", "line size of " what),                                           \
		KEY(prefix ".assoc", SCHEMA_U32, field.assoc, 1, 65536, full_names, "ways", "associativity of " what, NULL)
#define HASHED(prefix, field, what)                                                                                                \
	CHOICE(prefix ".index", field.index, index_names, "set index of " what ": plain address bits, or hashed ones"),            \
		U32(prefix ".poly", field.poly, 0, 2047, "",                                                                       \
		    "PRIC polynomial of " what ", a bit a coefficient; degree log2(sets)"),                                        \
		U32(prefix ".addr_bits", field.addr_bits, 0, 64, "bits",                                                           \
		    "lowest address bits that PRIC hashes for " what "; 0: all")
#define MISSES(prefix, field, what)                                                                                                \
	U32(prefix ".mshr_entries", field.mshr_entries, 1, 1024, "lines", "lines on their way to " what ", at most"),              \
		U32(prefix ".mshr_merges", field.mshr_merges, 1, 1024, "requests",                                                 \
		    "requests that an MSHR entry of " what " holds, the first included"),                                          \
		U32(prefix ".miss_queue", field.miss_queue, 1, 1024, "requests",                                                   \
		    "requests that wait to leave " what " for the next level")

#define BYPASS(prefix, field, cycles, what)                                                                                        \
	OPT_CHOICE(prefix ".bypass.policy", field.policy, bypass_names, "none",                                                    \
		   "when loads go past " what ": never, or for a period after one in which hardly any hit"),                       \
		OPT_U32(prefix ".bypass.rate", field.rate, 1, 99, "90", "%",                                                       \
			"miss rate of a period above which " what " is bypassed in the next"),                                     \
		OPT_U32(prefix ".bypass.period", field.period, 100, 1u << 30, "10000", cycles,                                     \
			"period over which " what " counts its misses")

#define ENERGY(key, field, meaning)  OPT_U32("energy." key, energy.field, 0, 1000000000, "0", "fJ", "energy: " meaning)
#define ENERGY5(key, field, meaning) OPT_LIST5("energy." key, energy.field, 0, 1000000000, "0,0,0,0,0", "fJ", "energy: " meaning)
#define POWER(key, field, meaning)   OPT_U32("energy." key, energy.field, 0, 1000000000, "0", "uW", meaning)

const struct schema_key schema_keys[] = {
	TEXT("name", name, "name of the machine, for titles"),
	U32("clock.core", clock.mhz[CLOCK_CORE], 1, 10000, "MHz", "clock of the SMs"),
	U32("clock.net", clock.mhz[CLOCK_NET], 1, 10000, "MHz", "clock of the network"),
	U32("clock.l2", clock.mhz[CLOCK_L2], 1, 10000, "MHz", "clock of the L2 slices"),
	U32("clock.dram", clock.mhz[CLOCK_DRAM], 1, 10000, "MHz", "command clock of the DRAM"),
	OPT_U32("module.count", module.count, 1, MACHINE_MAX_MODULES, "1", "modules", "modules: SMs, memory and a network each"),
	LIST("sm.count", sm.of_module, 1, 256, "SMs", "SMs of a module; of a list, the last number holds for all further modules"),
	U32("sm.warps", sm.warps, 1, 64, "warps", "warps resident on an SM, at most"),
	U32("sm.ctas", sm.ctas, 1, 64, "CTAs", "CTAs resident on an SM, at most"),
	U32("sm.threads", sm.threads, 32, 2048, "threads", "threads resident on an SM, at most"),
	U32("sm.registers", sm.registers, 32, 1u << 24, "registers", "32-bit registers of an SM, for the threads resident on it"),
	U32("sm.register_unit", sm.register_unit, 1, 65536, "registers", "registers are handed to a warp in multiples of this"),
	U32("sm.shared_bytes", sm.shared_bytes, 0, 1u << 24, "bytes", "shared memory of an SM"),
	OPT_U32("sm.shared_reserve", sm.shared_reserve, 0, 65536, "0", "bytes",
		"shared memory that the system takes for each CTA, beside the CTA's own"),
	OPT_U32("sm.unified_bytes", sm.unified_bytes, 0, 1u << 24, "0", "bytes",
		"array that an SM's L1 and shared memory share, divided anew for each launch; 0: each has its own"),
	OPT_LIST("sm.carveouts", sm.carveouts, 0, 1u << 24, "0", "bytes",
		 "shared memory that a launch can have of that array, ascending; it has the first that holds its CTAs"),
	U32("sm.schedulers", sm.schedulers, 1, 8, "schedulers", "warp schedulers of an SM"),
	CHOICE("sm.scheduler", sm.scheduler, scheduler_names,
	       "which ready warp issues: greedy, then the oldest; each in turn; or greedy, then the youngest"),
	OPT_U32("sm.lsu_queue", sm.lsu_queue, 0, 16, "0", "instructions",
		"memory instructions that wait between issue and the load/store unit"),
	OPT_U32("sm.subcores", sm.subcores, 1, 8, "1", "sub-cores",
		"partitions of an SM, each with its share of the schedulers, their warps and the pipelines"),
	OPT_CHOICE("sm.dependences", sm.dependences, dependence_names, "scoreboard",
		   "results of int, fp32 and fp64: known to a scoreboard when written; or the next instruction issues latency.* "
		   "cycles later, whatever pipe.depth, and a later write only has to end later"),
	OPT_BOOL("sm.fold", sm.fold, "false",
		 "what an assembler folds into other instructions is not issued, if the trace says what that is"),
	OPT_BOOL("sm.schedule", sm.schedule, "false",
		 "programs are executed in the order that an assembler gives the instructions of a block: loads early; a "
		 "recorded trace keeps the order that it has"),
	OPT_U32("subcore.queue", subcore.queue, 0, 16, "0", "instructions",
		"of a sub-core that have issued and wait for what all sub-cores share; 0: they issue when that is free"),
	OPT_U32("subcore.interval", subcore.interval, 1, 64, "1", "core cycles",
		"between two instructions that leave a sub-core's queue"),
	OPT_U32("subcore.ldst_interval", subcore.ldst_interval, 1, 64, "1", "core cycles",
		"between two instructions that the load/store unit takes from the queues of all sub-cores"),
	OPT_U32("launch.latency", launch.latency, 0, 1u << 18, "0", "core cycles", "from a launch to its first CTA"),
	OPT_U32("launch.cta_latency", launch.cta_latency, 1, 1u << 16, "1", "core cycles",
		"from the dispatcher's choice of a CTA for an SM with room to the CTA's first cycle there"),
	OPT_U32("launch.concurrent", launch.concurrent, 1, 128, "1", "launches",
		"of a program's streams at the same time, which share SMs; 1: one after another, as they are in any case under "
		"throttles, pins and plans that dispatch CTAs, and with L2 slices at SMs"),
	OPT_CHOICE("throttle.policy", throttle.policy, throttle_names, "none",
		   "which warps may issue: all, a fixed number of each scheduler's, those of a fixed number of CTAs, or a number "
		   "found by sampling; ccws: all, but loads only those that lose locality; pcal: as swt, and loads of a fixed "
		   "number allocate"),
	OPT_U32("throttle.warps", throttle.warps, 1, 64, "64", "warps",
		"swt, pcal: warps of a scheduler that may issue, the oldest, at most"),
	OPT_TEXT("throttle.kernels", throttle.kernels, "none",
		 "the same for kernels of their own, in place of throttle.warps: KERNEL:N with + between them, or none"),
	OPT_U32("throttle.ctas", throttle.ctas, 1, 64, "64", "CTAs",
		"cta: CTAs of an SM whose warps may issue, the oldest, at most"),
	OPT_U32("throttle.tokens", throttle.tokens, 1, 64, "64", "warps",
		"pcal: warps of a scheduler whose loads allocate in the L1, the oldest, at most"),
	OPT_U32("throttle.base", throttle.base, 1, 1u << 20, "100", "", "ccws: a warp's score while it loses nothing"),
	OPT_U32("throttle.k", throttle.k, 1, 1u << 20, "8", "", "ccws: how much lost locality raises a score"),
	OPT_U32("throttle.victims", throttle.victims, 1, 1024, "16", "tags", "ccws: victim tags of a warp"),
	OPT_U32("throttle.ways", throttle.ways, 1, 1024, "8", "ways", "ccws: victim tags of a set"),
	OPT_U32("throttle.period", throttle.period, 16, 1u << 30, "10000", "core cycles", "dwt-cs: of a sampling period"),
	OPT_U32("throttle.n", throttle.n, 1, 15, "2", "periods", "dwt-cs: above the threshold on end before numbers are sampled"),
	OPT_U32("throttle.m", throttle.m, 1, 255, "4", "periods", "dwt-cs: in which each SM keeps its number of warps"),
	OPT_U32("throttle.threshold", throttle.threshold, 0, 65535, "10", "misses",
		"dwt-cs: L1 misses of loads per kilo, see unit"),
	OPT_CHOICE("throttle.unit", throttle.unit, throttle_units, "thread",
		   "dwt-cs: misses per kilo thread instructions, warp instructions or cycles"),
	OPT_CHOICE("throttle.over", throttle.over, throttle_overs, "mean", "dwt-cs: misses of all SMs together, or of any"),
	OPT_U32("throttle.latency", throttle.latency, 1, 4096, "8", "core cycles",
		"dwt-cs: of a message between an SM and the coordinator"),
	OPT_U32("throttle.entries", throttle.entries, 1, 64, "8", "kernels",
		"dwt-cs: that have counters and a winner, the first of the program; others are not limited"),
	OPT_U32("throttle.watchdog", throttle.watchdog, 0, 65535, "256", "periods",
		"dwt-cs: that a limit holds while no warp ends, before one without it; 0: any number"),
	U32("pipe.sp", pipe.sp, 1, 16, "units", "arithmetic pipelines of an SM: int, fp32, fp64"),
	OPT_U32("pipe.int", pipe.integer, 0, 16, "0", "units", "integer pipelines of an SM; 0: the SPs do integers"),
	OPT_U32("pipe.dp", pipe.dp, 0, 16, "0", "units",
		"double-precision pipelines of an SM, fewer than sub-cores: shared by all; 0: none, see pipe.fp64"),
	U32("pipe.sfu", pipe.sfu, 1, 16, "units", "special-function pipelines of an SM"),
	U32("pipe.ldst", pipe.ldst, 1, 1, "units", "load/store pipelines of an SM"),
	OPT_CHOICE("pipe.fp64", pipe.fp64, pipe_names, "sp", "the pipelines that run double precision"),
	OPT_CHOICE("pipe.div", pipe.div, pipe_names, "sp", "the pipelines that run integer and single-precision divisions"),
	OPT_U32("pipe.depth", pipe.depth, 0, 256, "0", "core cycles",
		"stages ahead of and behind execution: added to each latency but a branch's"),
	OPT_U32("pipe.tensor", pipe.tensor, 0, 16, "0", "units",
		"tensor units of an SM, for products of matrices; 0: the other pipelines do these as the multiply-adds that they "
		"are"),
	OPT_LIST5("pipe.tensor_rate", pipe.tensor_rate, 0, 65536, "0,0,0,0,0", "a core cycle",
		  "multiply-adds of a tensor unit: of f16 or bf16, tf32, 8 bits, 4 bits, f64; 0: it has none of these"),
	OPT_U32("operands.banks", operands.banks, 0, 64, "0", "banks",
		"banks of an SM's register file, each of which reads a register a cycle; 0: registers are read as an instruction "
		"issues"),
	OPT_U32("operands.sp", operands.sp, 1, 16, "4", "collectors",
		"instructions for SP units that are collecting their operands"),
	OPT_U32("operands.sfu", operands.sfu, 1, 16, "4", "collectors", "instructions for SFUs that are collecting their operands"),
	OPT_U32("operands.tensor", operands.tensor, 1, 16, "4", "collectors",
		"instructions for tensor units that are collecting their operands"),
	OPT_U32("operands.mem", operands.mem, 1, 16, "2", "collectors", "memory instructions that are collecting their operands"),
	LIST5("latency.int", op.int32.latency, 1, 4096, "core cycles", "integer add, max, mul, mad, div: issue to result"),
	LIST5("latency.int_interval", op.int32.interval, 1, 4096, "core cycles",
	      "integer, the same five: an issue to the next one to the same pipeline"),
	LIST5("latency.fp32", op.fp32.latency, 1, 4096, "core cycles", "single precision add, max, mul, mad, div: issue to result"),
	LIST5("latency.fp32_interval", op.fp32.interval, 1, 4096, "core cycles",
	      "single precision: an issue to the next one to the same pipeline"),
	LIST5("latency.fp64", op.fp64.latency, 1, 4096, "core cycles", "double precision add, max, mul, mad, div: issue to result"),
	LIST5("latency.fp64_interval", op.fp64.interval, 1, 4096, "core cycles",
	      "double precision: an issue to the next one to the same pipeline"),
	U32("latency.sfu", op.sfu, 1, 4096, "core cycles", "special functions: issue to result"),
	U32("latency.sfu_interval", op.sfu_interval, 1, 4096, "core cycles",
	    "special functions: an issue to the next one to the same pipeline"),
	OPT_U32("latency.tensor", op.tensor, 0, 4096, "0", "core cycles",
		"products of matrices: a tensor unit's last multiply-adds to result"),
	U32("latency.branch", op.branch, 1, 4096, "core cycles", "a branch to the warp's next issue"),
	U32("shared.latency", shared.latency, 1, 4096, "core cycles", "shared memory without bank conflicts: issue to result"),
	U32("shared.banks", shared.banks, 1, 32, "banks", "banks of shared memory, 4 bytes wide"),
	BOOL("l1.enabled", l1.enabled, "L1 is used; false: every access goes past it"),
	BOOL("l1.monitor", l1.monitor, "a set monitor block counts each set's index conflicts"),
	CACHE("l1", l1.c, "L1"),
	HASHED("l1", l1.c, "L1"),
	MISSES("l1", l1.c, "L1"),
	U32("l1.latency", l1.latency, 1, 4096, "core cycles", "L1 hit: issue to result"),
	OPT_U32("l1.miss_room", l1.miss_room, 0, 1024, "0", "packets",
		"room in the L1's miss queue that a load needs to miss or merge; 0: for what it sends"),
	OPT_BOOL("l1.store_needs_line", l1.store_needs_line, "false", "a store fails while all ways of its set wait for fills"),
	OPT_U32("l1.sectors", l1.c.sectors, 1, 4, "1", "sectors", "sectors of an L1 line, fetched one by one: 1, 2 or 4"),
	OPT_U32("l1.packet_sectors", l1.packet_sectors, 1, 4, "1", "sectors",
		"sectors of a line that a packet of the L1 asks for, at most"),
	OPT_U32("l1.banks", l1.banks, 1, 32, "1", "banks", "banks of an L1, each of which looks up a line a cycle; a power of two"),
	OPT_U32("l1.bank_bytes", l1.bank_bytes, 0, 128, "0", "bytes",
		"bytes that are side by side in a bank of an L1: a sector, or up to a line, which 0 is"),
	OPT_U32("l1.port_bytes", l1.port_bytes, 0, 1024, "0", "bytes",
		"bytes that an L1's data path moves a cycle, in whole sectors; 0: all that are asked for"),
	OPT_CHOICE("l1.allocate", l1.allocate, l1_allocate_names, "miss",
		   "when a line gets its way: at the miss, or when its data come (no store is written back then)"),
	OPT_CHOICE("l1.write_hit", l1.write_hit, write_hit_names, "evict",
		   "what a store that goes down does to what it hits: evicts it, or writes it too"),
	BYPASS("l1", l1.bypass, "core cycles", "an L1"),
	OPT_CHOICE("l1.front.policy", l1.front.policy, front_names, "none",
		   "what is between coalescer and L1: nothing, or a buffer that sends requests on by warp"),
	OPT_U32("l1.front.depth", l1.front.depth, 1, 1024, "32", "requests", "mrpb: queue of a warp"),
	OPT_BOOL("l1.front.bypass", l1.front.bypass, "true", "mrpb: loads go past the L1 where all ways of their set are reserved"),
	OPT_CHOICE("l1.prefetch.policy", l1.prefetch.policy, prefetch_names, "none",
		   "lines that an L1 fetches before they are asked for: none, or the one after each that missed"),
	OPT_U32("l1.prefetch.mshrs", l1.prefetch.mshrs, 0, 1023, "8", "lines", "MSHR entries of an L1 that prefetches leave free"),
	OPT_U32("l1.prefetch.queue", l1.prefetch.queue, 0, 1023, "2", "requests",
		"entries of an L1's miss queue that prefetches leave free"),
	OPT_CHOICE("l1.pin.policy", l1.pin.policy, pin_names, "none",
		   "lines that an L1 pins, by the block pin_replacement: none, or those of named buffers"),
	OPT_TEXT("l1.pin.hard", l1.pin.hard, "none", "buffers whose lines get a hard pin: names with + between them, or none"),
	OPT_TEXT("l1.pin.soft", l1.pin.soft, "none", "buffers whose lines get a soft pin, likewise"),
	OPT_U32("l1.pin.timer", l1.pin.timer, 1, INT32_MAX, "100000", "core cycles", "from the first pin to the end of all pins"),
	OPT_BOOL("caches.operators", caches.operators, "false",
		 "cache operators of loads and stores (.cg .cs .lu, L1::no_allocate) are honoured; .cv and .volatile always are"),
	OPT_BOOL("caches.locality_classes", caches.locality_classes, "false",
		 "accesses of L1s and L2 slices are counted by locality class, in these caches and in unbounded ones"),
	OPT_U32("fetch.width", fetch.width, 0, 32, "0", "instructions",
		"instructions that a warp's buffer holds and a fetch brings (with l0.bytes: one); 0: they are always there"),
	OPT_U32("fetch.latency", fetch.latency, 1, 200, "2", "core cycles", "fetch to issue, found in the instruction cache"),
	OPT_U32("fetch.inst_bytes", fetch.inst_bytes, 4, 32, "8", "bytes", "bytes of an instruction"),
	OPT_U32("icache.bytes", fetch.cache.bytes, 64, MAX_BYTES, "2K", "bytes", "size of the instruction cache"),
	OPT_U32("icache.line", fetch.cache.line, 32, 128, "128", "bytes", "line size of the instruction cache"),
	OPT_U32("icache.assoc", fetch.cache.assoc, 1, 64, "4", "ways", "associativity of the instruction cache"),
	OPT_U32("icache.mshr_entries", fetch.cache.mshr_entries, 1, 1024, "2", "lines",
		"lines on their way to the instruction cache, at most"),
	OPT_U32("icache.mshr_merges", fetch.cache.mshr_merges, 1, 1024, "32", "requests",
		"requests that an MSHR entry of the instruction cache holds, the first included"),
	OPT_U32("icache.miss_queue", fetch.cache.miss_queue, 1, 1024, "4", "requests",
		"requests that wait to leave the instruction cache for the next level"),
	OPT_U32("l0.bytes", l0.c.bytes, 0, MAX_BYTES, "0", "bytes",
		"size of a scheduler's own instruction cache ahead of the SM's, from which it fetches ahead; 0: none"),
	OPT_U32("l0.assoc", l0.c.assoc, 1, 64, "4", "ways", "associativity of an L0"),
	OPT_U32("l0.stream", l0.stream, 0, 32, "8", "lines", "lines of an L0's stream buffer, which follow a miss; 0: none"),
	OPT_U32("l0.latency", l0.latency, 1, 200, "20", "core cycles",
		"the instruction cache's lookup, or the arrival of what it has not, until the line is in the L0"),
	OPT_U32("gcc.bytes", gcc.c.bytes, 0, MAX_BYTES, "0", "bytes",
		"size of the instruction cache that the SMs of a GPC share, ahead of the L2; 0: none"),
	OPT_U32("gcc.assoc", gcc.c.assoc, 1, 64, "16", "ways", "associativity of a GPC's instruction cache"),
	OPT_U32("gcc.mshr_entries", gcc.c.mshr_entries, 1, 1024, "32", "lines",
		"lines on their way to a GPC's instruction cache, at most"),
	OPT_U32("gcc.mshr_merges", gcc.c.mshr_merges, 1, 1024, "64", "requests",
		"requests that an MSHR entry of a GPC's instruction cache holds, the first included"),
	OPT_U32("gcc.miss_queue", gcc.c.miss_queue, 1, 1024, "32", "requests",
		"requests that wait to leave a GPC's instruction cache for the L2"),
	OPT_U32("gcc.latency", gcc.latency, 1, 4096, "40", "core cycles",
		"a GPC's instruction cache: its lookup, or the arrival of what it has not, until the line is at the SM"),
	OPT_U32("gcc.prefetch", gcc.prefetch, 0, MAX_BYTES, "0", "bytes",
		"bytes of a kernel that a GPC's instruction cache looks up as a launch begins; 0: none"),
	OPT_U32("gcc.count", gcc.count, 1, 64, "1", "GPCs", "GPCs, to which SMs belong in pairs, in turn"),
	CACHE("const", const_cache.c, "the constant cache"),
	MISSES("const", const_cache.c, "the constant cache"),
	U32("const.latency", const_cache.latency, 2, 4096, "core cycles", "constant cache hit: issue to result"),
	U32("net.flit_bytes", net.flit_bytes, 1, 1024, "bytes", "bytes of a flit; a port moves one a net cycle"),
	U32("net.header_bytes", net.header_bytes, 1, 1024, "bytes", "bytes of a packet beside its payload"),
	U32("net.hop", net.hop, 1, 4096, "net cycles", "time from port to port, beside serialisation"),
	U32("net.in_queue", net.in_queue, 1, 1024, "packets", "packets that wait at an input of the crossbar"),
	U32("net.out_queue", net.out_queue, 1, 1024, "packets", "packets that wait at an output of the crossbar"),
	BOOL("l2.enabled", l2.enabled, "L2 is used; false: every request goes to DRAM"),
	CACHE("l2", l2.c, "an L2 slice"),
	HASHED("l2", l2.c, "an L2 slice"),
	MISSES("l2", l2.c, "an L2 slice"),
	OPT_CHOICE("l2.side", l2.side, side_names, "memory",
		   "where L2 slices are: at the memory channels, or at each module's SMs"),
	U32("l2.slices", l2.slices, 1, 16, "slices", "L2 slices of a memory channel, a power of two"),
	U32("l2.latency", l2.latency, 1, 4096, "L2 cycles", "pipe ahead of an L2 slice's tags"),
	OPT_U32("l2.sectors", l2.c.sectors, 1, 4, "1", "sectors",
		"sectors of an L2 line, fetched and written one by one: 1, 2 or 4"),
	CHOICE("l2.write_allocate", l2.write_allocate, allocate_names,
	       "writes that fetch what is not there of their sectors: of a part, all; or none, its next read does"),
	U32("l2.in_queue", l2.in_queue, 1, 1024, "requests", "requests that wait ahead of an L2 slice's pipe"),
	OPT_U32("l2.port_bytes", l2.port_bytes, 0, 1024, "0", "bytes",
		"bytes that an L2 slice's data port moves an L2 cycle; 0: all of a request's"),
	OPT_U32("l2.atomic_bytes", l2.atomic_bytes, 0, 1024, "4", "bytes",
		"bytes of an atomic's operands that an L2 slice does an L2 cycle; 0: all of them"),
	OPT_U32("l2.halves", l2.halves, 1, 2, "1", "parts",
		"parts of the L2, each with half of the SMs and of the channels; 2: each keeps what its SMs read of the other's"),
	OPT_U32("l2.far_latency", l2.far_latency, 1, 4096, "75", "core cycles", "from one half of the L2 to the other"),
	OPT_U32("l2.coalescer", l2.coalescer, 0, 4096, "0", "entries",
		"reads under way in an L2 slice that others of the same sectors may join ahead of it; 0: there is no coalescer"),
	OPT_U32("l2.coalescer_merges", l2.coalescer_merges, 2, 1024, "4", "requests",
		"reads that an entry of an L2 slice's coalescer holds, the first included"),
	BYPASS("l2", l2.bypass, "L2 cycles", "an L2 slice"),
	OPT_LIST("dram.stacks", dram.of_module, 0, MACHINE_MAX_STACKS, "1", "stacks",
		 "stacks of memory of a module, as a list like sm.count; together a power of two"),
	U32("dram.channels", dram.channels, 1, 96, "channels", "memory channels of a stack: 2^k times an odd number up to 15"),
	U32("dram.interleave", dram.interleave, 128, 1u << 20, "bytes", "bytes that go to a channel before the next one's turn"),
	CHOICE("dram.sched", dram.sched, dram_names, "order of requests: as they came, or open rows first"),
	CHOICE("dram.first", dram.first, first_names,
	       "which of two commands ready for a cycle goes: accesses to open rows, or activates"),
	U32("dram.queue", dram.queue, 1, 4096, "requests", "reads that a channel holds, and as many writes"),
	U32("dram.latency", dram.latency, 1, 4096, "core cycles", "pipe ahead of the memory controller"),
	U32("dram.banks", dram.banks, 1, 64, "banks", "banks of a channel"),
	U32("dram.groups", dram.groups, 1, 16, "groups", "bank groups of a channel"),
	CHOICE("dram.group_bits", dram.group_bits, group_names, "which bits of the bank number name its group"),
	CHOICE("dram.command_bus", dram.command_bus, bus_names, "dual: a row and a column command in one cycle (HBM2)"),
	U32("dram.burst_bytes", dram.burst_bytes, 16, 128, "bytes", "bytes of a column access"),
	U32("dram.burst", dram.burst, 1, 16, "DRAM cycles", "time that a column access holds the data bus"),
	U32("dram.row_bytes", dram.row_bytes, 256, 1u << 20, "bytes", "bytes of a row of one bank"),
	TEXT("dram.map", dram.map, "channel-local address below the row, from the top: B bank, C column, S byte of the burst"),
	U32("dram.cl", dram.cl, 1, 1000, "DRAM cycles", "tCL: read to data"),
	U32("dram.rp", dram.rp, 1, 1000, "DRAM cycles", "tRP: precharge to activate"),
	U32("dram.rc", dram.rc, 1, 1000, "DRAM cycles", "tRC: activate to activate, same bank"),
	U32("dram.ras", dram.ras, 1, 1000, "DRAM cycles", "tRAS: activate to precharge"),
	U32("dram.rcd", dram.rcd, 1, 1000, "DRAM cycles", "tRCD: activate to read or write"),
	U32("dram.rrd", dram.rrd, 1, 1000, "DRAM cycles", "tRRD: activate to activate, other bank"),
	U32("dram.rrdl", dram.rrdl, 0, 1000, "DRAM cycles", "tRRDL: activate to activate, same bank group; below tRRD: as that"),
	U32("dram.ccd", dram.ccd, 1, 1000, "DRAM cycles", "tCCD: column to column, other bank group"),
	U32("dram.ccdl", dram.ccdl, 1, 1000, "DRAM cycles", "tCCDL: column to column, same bank group"),
	U32("dram.wl", dram.wl, 1, 1000, "DRAM cycles", "tWL: write to data"),
	U32("dram.cdlr", dram.cdlr, 0, 1000, "DRAM cycles", "tCDLR: end of write data to read"),
	U32("dram.wr", dram.wr, 1, 1000, "DRAM cycles", "tWR: end of write data to precharge"),
	U32("dram.rtp", dram.rtp, 1, 1000, "DRAM cycles", "tRTP: read to precharge"),
	U32("dram.faw", dram.faw, 0, 1000, "DRAM cycles", "tFAW: window of four activates; 0: off"),
	BOOL("dram.refresh", dram.refresh, "refresh all banks every tREFI"),
	U32("dram.refi", dram.refi, 100, 1000000, "DRAM cycles", "tREFI: from refresh to refresh"),
	U32("dram.rfc", dram.rfc, 1, 10000, "DRAM cycles", "tRFC: refresh to activate"),
	OPT_CHOICE("dram.refresh_banks", dram.refresh_banks, refresh_names, "all",
		   "banks that a refresh is of: all of the channel's, or one, the next every tREFI / banks (HBM2)"),
	OPT_U32("dram.rfcsb", dram.rfcsb, 1, 10000, "1", "DRAM cycles", "tRFCSB: refresh of a single bank to its activate"),
	OPT_U32("dram.rrefd", dram.rrefd, 1, 1000, "1", "DRAM cycles",
		"tRREFD: refresh of a single bank to a row command of another"),
	OPT_CHOICE("dram.drain", dram.drain, drain_names, "turns",
		   "writes: reads get as long a turn after each drain; or from write_high to write_low, and when no read waits"),
	U32("dram.write_high", dram.write_high, 1, 4096, "requests", "waiting writes that start a drain"),
	U32("dram.write_low", dram.write_low, 0, 4096, "requests", "waiting writes at which a drain ends"),
	U32("dram.age_cap", dram.age_cap, 0, 1000000, "accesses",
	    "columns that may overtake a request before it goes first; 0: no limit"),
	OPT_BOOL("vm.enabled", vm.enabled, "false", "pages and page tables; false: virtual addresses are physical ones"),
	OPT_BOOL("vm.tlb", vm.tlb, "true", "translation takes time: TLBs, page walks; false: it takes none"),
	OPT_U32("vm.page", vm.page, 4096, 2u << 20, "4K", "bytes", "bytes of a page: 4K, 64K or 2M"),
	OPT_U32("vm.stack_mib", vm.stack_mib, 1, 1u << 20, "4096", "MiB", "memory of a stack"),
	OPT_CHOICE("vm.placement", vm.placement, placement_names, "interleave",
		   "where pages go that a plan leaves open: spread finely, to stacks in turn, to who touches them first"),
	OPT_U32("vm.l1_tlb.entries", vm.l1.entries, 1, 65536, "64", "pages", "pages that an SM's TLB knows"),
	OPT_U32("vm.l1_tlb.ways", vm.l1.ways, 1, 65536, "8", "ways", "associativity of an SM's TLB"),
	OPT_U32("vm.l1_tlb.latency", vm.l1.latency, 0, 1000, "0", "core cycles", "what a hit in an SM's TLB adds to an access"),
	OPT_U32("vm.l1_tlb.pending", vm.l1_pending, 1, 1024, "32", "transactions",
		"transactions of an SM that can wait for translations"),
	OPT_U32("vm.l2_tlb.entries", vm.l2.entries, 1, 1u << 20, "512", "pages", "pages that a module's TLB knows"),
	OPT_U32("vm.l2_tlb.ways", vm.l2.ways, 1, 65536, "16", "ways", "associativity of a module's TLB"),
	OPT_U32("vm.l2_tlb.latency", vm.l2.latency, 2, 1000, "20", "core cycles",
		"a miss in an SM's TLB to its answer, if the module's TLB hits"),
	OPT_U32("vm.walks", vm.walks, 1, 1024, "16", "walks", "walks of page tables that a module has in flight, at most"),
	OPT_U32("vm.walk_cache", vm.walk_cache, 0, 65536, "32", "entries",
		"entries of upper levels of page tables that a module keeps; 0: none"),
	OPT_U32("vm.fault_latency", vm.fault_latency, 1, 1u << 20, "1", "core cycles", "time to map a page at its first touch"),
	OPT_CHOICE("vm.migrate", vm.migrate, migrate_names, "off",
		   "first touches move data: where a buffer's pages are until then, spread finely or page by page; off: nowhere"),
	OPT_U32("vm.migrate_lines", vm.migrate_lines, 1, 1024, "32", "lines", "that a module's page mover has in flight, at most"),
	OPT_U32("clock.cpu", clock.mhz[CLOCK_CPU], 1, 10000, "4000", "MHz", "clock of the CPU's cores"),
	OPT_U32("device.capability", device.capability, 10, 999, "70", "",
		"compute capability that CUDA programs are told; 70: 7.0"),
	OPT_U32("device.memory_mib", device.memory_mib, 1, 1u << 20, "12288", "MiB",
		"device memory that CUDA programs can allocate"),
	OPT_U32("pcie.gbps", pcie.gbps, 1, 1000, "16", "GB/s", "copies between host and device, a direction"),
	OPT_U32("pcie.latency", pcie.latency, 0, 1000000, "10000", "ns", "of a copy between host and device, beside its bytes"),
	OPT_U32("cpu.count", cpu.count, 0, 64, "0", "cores", "cores of the CPU; 0: there is none"),
	OPT_U32("cpu.width", cpu.width, 1, 64, "4", "instructions", "instructions that enter a CPU core, and retire, in a cycle"),
	OPT_U32("cpu.rob", cpu.rob, 1, 1024, "256", "instructions", "instructions that a CPU core holds"),
	OPT_U32("cpu.simd", cpu.simd, 1, 32, "1", "lanes", "lanes of a kernel that one instruction of a CPU core computes"),
	OPT_BOOL("cpu.in_order", cpu.in_order, "false", "an instruction enters only when its operands are there"),
	OPT_CHOICE("cpu.distribute", cpu.distribute, distribute_names, "turns",
		   "CTAs to CPU cores: to the one with room next, or consecutive ones to each"),
	OPT_U32("cpu.ports", cpu.ports, 1, 64, "2", "lookups", "lookups in a CPU core's L1 a cycle"),
	OPT_U32("cpu.store_buffer", cpu.store_buffer, 1, 1024, "64", "lines", "lines of retired stores that a CPU core holds"),
	OPT_LIST5("cpu.int_latency", cpu.int_latency, 1, 4096, "1,1,3,4,20", "CPU cycles",
		  "CPU core, integer add, max, mul, mad, div: begin to result"),
	OPT_LIST5("cpu.fp_latency", cpu.fp_latency, 1, 4096, "4,4,4,4,14", "CPU cycles",
		  "CPU core, float add, max, mul, mad, div: begin to result"),
	OPT_U32("cpu.sfu_latency", cpu.sfu_latency, 1, 4096, "20", "CPU cycles", "CPU core, special functions: begin to result"),
	OPT_U32("cpu.line", cpu.line, 32, 128, "64", "bytes", "line size of the CPU's caches"),
	CPU_CACHE("cpu.l1", cpu.l1, "32K", "8", "4", "a CPU core's L1"),
	CPU_CACHE("cpu.l2", cpu.l2, "512K", "8", "14", "a CPU core's L2"),
	OPT_U32("cpu.mshr", cpu.mshr, 1, 1024, "256", "lines", "lines on their way to a CPU core, at most"),
	CPU_CACHE("cpu.l3", cpu.l3, "4M", "16", "40", "the L3 of the CPU's cores"),
	OPT_U32("cpu.init_insts", cpu.init_insts, 0, 1024, "3", "instructions",
		"instructions beside each store by which the CPU initialises an array (TAFE)"),
	OPT_BOOL("cpu.value_insts", cpu.value_insts, "true",
		 "the instructions that the program states for a stored value are run too (TAFE)"),
	OPT_U32("cpu.l3.mshr", cpu.l3_mshr, 1, 65536, "2048", "lines", "lines on their way to the L3, at most"),
	OPT_U32("group_dispatch.latency", group_dispatch.latency, 1, 100000, "200", "core cycles",
		"time to read an entry of the groups of CTAs in memory (PAVER)"),
	OPT_CHOICE("link.topology", link.topology, topology_names, "tree", "how the modules are joined"),
	OPT_LIST("link.fanout", link.fanout, 1, MACHINE_MAX_MODULES, "2", "modules",
		 "tree: modules below one; of a list, the first number is that of the root"),
	OPT_THOUSANDTHS("link.gbps", link.mbps, 10, 100000000, "64", "GB/s", "bandwidth of a link, each direction"),
	OPT_U32("link.latency", link.latency, 1, 100000, "32", "core cycles", "time over a link, beside serialisation"),
	OPT_U32("link.queue", link.queue, 1, 4096, "256", "packets", "packets that wait at a link's far end, for each way on"),
	OPT_TEXT("link.list", link.list, "none", "topology list: A-B, A-B:GBPS, A-B:GBPS:LATENCY; modules 0.., switches s0.., cpu"),
	OPT_THOUSANDTHS("link.cpu", link.cpu_mbps, 0, 100000000, "0", "GB/s",
			"bandwidth of the CPU's link to each module, each direction; 0: none"),
	OPT_U32("link.cpu_latency", link.cpu_latency, 1, 100000, "32", "core cycles",
		"time over the CPU's links, beside serialisation"),
	OPT_U32("store_tracker.entries", store_tracker.entries, 2, 8, "2", "arrays",
		"arrays that the CPU's tracking hardware (TAFE) watches at a time: 2, 4 or 8"),
	OPT_U32("store_tracker.latency", store_tracker.latency, 1, 4096, "14", "CPU cycles",
		"time until a line of TAFE's metadata is there"),
	OPT_U32("store_tracker.call_insts", store_tracker.call_insts, 0, 4096, "20", "instructions",
		"instructions of a call of TAFE's interface, beside its loads and stores"),
	OPT_U32("map.fgp_lsb", map.fgp_lsb, 0, 20, "0", "bit",
		"lowest address bit that names the stack of fine-grained pages; 0: the highest bits of the page offset"),
	OPT_BOOL("map.hash_channel", map.hash_channel, "false",
		 "XOR the channel's k lower bits with those above them, of odd * 2^k channels"),
	OPT_BOOL("map.hash_bank", map.hash_bank, "false", "XOR the bank's bits with the lowest of the row"),
	ENERGY("issue", issue, "to fetch, decode and issue an instruction of a warp"),
	ENERGY5("int", int32, "integer add, max, mul, mad, div: a lane"),
	ENERGY5("fp32", fp32, "single precision add, max, mul, mad, div: a lane"),
	ENERGY5("fp64", fp64, "double precision add, max, mul, mad, div: a lane"),
	ENERGY("sfu", sfu, "a special function: a lane"),
	ENERGY5("tensor", tensor, "products of matrices of f16 or bf16, tf32, 8 bits, 4 bits, f64: a multiply-add; 0: as a lane's"),
	ENERGY("memory", memory, "a load, store or atomic beside its accesses: a lane"),
	ENERGY("register", reg, "a register operand, read or written: a lane"),
	ENERGY("shared", shared, "an access of shared memory: a warp's instruction"),
	ENERGY("const", const_cache, "an access of the constant cache"),
	ENERGY("l1_tag", l1_tag, "an access's look at the tags of an L1"),
	ENERGY("l1_data", l1_data, "a line read from the data of an L1, or written to them"),
	ENERGY("l2_tag", l2_tag, "a request's look at the tags of an L2 slice"),
	ENERGY("l2_byte", l2_byte, "a byte read from the data of an L2 slice, or written to them"),
	ENERGY("flit", flit, "a flit through a crossbar"),
	ENERGY("link_byte", link_byte, "a byte over a link"),
	ENERGY("dram_activate", activate, "a row activated and precharged"),
	ENERGY("dram_read", read, "a column read, inside the DRAM"),
	ENERGY("dram_write", write, "a column written, inside the DRAM"),
	ENERGY("dram_io_byte", io_byte, "a byte between DRAM and controller"),
	ENERGY("dram_refresh", refresh, "a refresh of all banks of a channel"),
	POWER("sm_static", sm_static, "static power of an SM"),
	POWER("channel_static", channel_static, "static power of the DRAM of a channel"),
	{NULL, SCHEMA_U32, 0, 0, 0, NULL, NULL, NULL, NULL},
};
