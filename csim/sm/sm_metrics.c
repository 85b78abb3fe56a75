#include "sm/sm_metrics.h"

#include <string.h>

#include "cache/l1_classes.h"
#include "sm/waits.h"

#define C(field)	  METRIC_OF(struct sm_counts, field)
#define FROM(first, last) METRIC_FROM(struct sm_counts, first, last)

enum {
	RUN = OF_RUN | OF_LAUNCH,
	EACH = OF_RUN | OF_LAUNCH | OF_SM,
	ALL = OF_RUN | OF_LAUNCH | OF_SM | OF_ARRAY,
	POWERS = OF_RUN_DETAIL | OF_LAUNCH | OF_ARRAY
};

/* clang-format off */
#define OP(name, op) {"mix.class." name, "", "warp instructions of this class", METRIC_COUNT, OF_RUN_DETAIL, .a = C(sm.mix[op])}
#define PRODUCT(name, op) {"mix.class.tensor_" name, "", "warp instructions of this class", METRIC_COUNT, OF_RUN_DETAIL, .a = C(sm.mix[op]), .needs = SM_HAS_PRODUCTS}

static const struct metric issue[] = {
	{"warp_insts", "", "warp instructions issued by all SMs", METRIC_COUNT, EACH, .a = C(sm.warp_insts)},
	{"thread_insts", "", "thread instructions executed (active lanes of warp instructions)", METRIC_COUNT, EACH, .a = C(sm.lanes)},
	{"folded_insts", "", "trace instructions folded into others, and so not issued", METRIC_COUNT, EACH, .a = C(sm.folded),
	 .needs = SM_HAS_FOLDS},
	{"wait.insts", "", "warp instructions of repeated waits: attempts, after the first, to see a value in memory; not in warp_insts", METRIC_COUNT, EACH,
	 .a = C(sm.wait.insts), .needs = SM_HAS_WAITS},
	{"wait.cycles", "cycles", "cycles of warps in repeated waits, from their first failed attempt on", METRIC_COUNT, EACH, .a = C(sm.wait.cycles),
	 .needs = SM_HAS_WAITS},
	{"ipc.warp", "per cycle", "warp instructions issued per core cycle, all SMs", METRIC_RATIO, RUN, .a = C(sm.warp_insts), .b = C(elapsed)},
	{"ipc.thread", "per cycle", "thread instructions per core cycle, all SMs", METRIC_RATIO, RUN, .a = C(sm.lanes), .b = C(elapsed)},
	{"simd.efficiency", "%", "active lanes of warp instructions, as a share of 32", METRIC_PERCENT, EACH, .a = C(sm.lanes), .b = C(lane_slots)},
#define WIDTH(n) {"simd.w" #n, "", "warp instructions issued with this many active lanes", METRIC_COUNT, OF_RUN_DETAIL, .a = C(sm.width[n])}
	WIDTH(0), WIDTH(1), WIDTH(2), WIDTH(3), WIDTH(4), WIDTH(5), WIDTH(6), WIDTH(7), WIDTH(8), WIDTH(9), WIDTH(10), WIDTH(11),
	WIDTH(12), WIDTH(13), WIDTH(14), WIDTH(15), WIDTH(16), WIDTH(17), WIDTH(18), WIDTH(19), WIDTH(20), WIDTH(21), WIDTH(22),
	WIDTH(23), WIDTH(24), WIDTH(25), WIDTH(26), WIDTH(27), WIDTH(28), WIDTH(29), WIDTH(30), WIDTH(31), WIDTH(32),
	{"branch.diverged", "", "branches and calls at which the lanes of a warp diverged", METRIC_COUNT, EACH, .a = C(sm.diverged),
	 .needs = SM_HAS_BRANCHES},
	{"mix.int", "", "integer and move instructions (warp instructions)", METRIC_COUNT, OF_RUN, .a = FROM(sm.mix[OP_INT_ADD], sm.mix[OP_INT_DIV])},
	{"mix.fp32", "", "single-precision instructions (warp instructions)", METRIC_COUNT, OF_RUN, .a = FROM(sm.mix[OP_FP32_ADD], sm.mix[OP_FP32_DIV])},
	{"mix.fp64", "", "double-precision instructions (warp instructions)", METRIC_COUNT, OF_RUN, .a = FROM(sm.mix[OP_FP64_ADD], sm.mix[OP_FP64_DIV])},
	{"mix.sfu", "", "special-function instructions (warp instructions)", METRIC_COUNT, OF_RUN, .a = C(sm.mix[OP_SFU])},
	{"mix.tensor", "", "matrix-multiply instructions (warp instructions)", METRIC_COUNT, OF_RUN, .a = FROM(sm.mix[OP_TENSOR_F16], sm.mix[OP_TENSOR_F64]),
	 .needs = SM_HAS_PRODUCTS},
	{"mix.load", "", "load instructions, all memory spaces (warp instructions)", METRIC_COUNT, OF_RUN, .a = C(sm.mix[OP_LOAD])},
	{"mix.store", "", "store instructions, all memory spaces (warp instructions)", METRIC_COUNT, OF_RUN, .a = C(sm.mix[OP_STORE])},
	{"mix.atomic", "", "atomics and reductions (warp instructions)", METRIC_COUNT, OF_RUN, .a = C(sm.mix[OP_ATOM])},
	{"mix.sync", "", "barriers and memory fences (warp instructions)", METRIC_COUNT, OF_RUN, .a = FROM(sm.mix[OP_BARRIER], sm.mix[OP_MEMBAR])},
	{"mix.control", "", "branches, exits and nops (warp instructions)", METRIC_COUNT, OF_RUN, .a = FROM(sm.mix[OP_BRANCH], sm.mix[OP_NOP])},
	OP("int_add", OP_INT_ADD), OP("int_max", OP_INT_MAX), OP("int_mul", OP_INT_MUL), OP("int_mad", OP_INT_MAD),
	OP("int_div", OP_INT_DIV), OP("fp32_add", OP_FP32_ADD), OP("fp32_max", OP_FP32_MAX), OP("fp32_mul", OP_FP32_MUL),
	OP("fp32_mad", OP_FP32_MAD), OP("fp32_div", OP_FP32_DIV), OP("fp64_add", OP_FP64_ADD), OP("fp64_max", OP_FP64_MAX),
	OP("fp64_mul", OP_FP64_MUL), OP("fp64_mad", OP_FP64_MAD), OP("fp64_div", OP_FP64_DIV), OP("sfu", OP_SFU),
	OP("load", OP_LOAD), OP("store", OP_STORE), OP("atom", OP_ATOM), OP("barrier", OP_BARRIER), OP("membar", OP_MEMBAR),
	OP("branch", OP_BRANCH), OP("exit", OP_EXIT), OP("nop", OP_NOP),
	PRODUCT("f16", OP_TENSOR_F16), PRODUCT("tf32", OP_TENSOR_TF32), PRODUCT("8bit", OP_TENSOR_8BIT),
	PRODUCT("4bit", OP_TENSOR_4BIT), PRODUCT("f64", OP_TENSOR_F64),
	{"tensor.macs", "", "multiply-adds of matrix-multiply instructions", METRIC_COUNT, EACH,
	 .a = FROM(sm.macs[0], sm.macs[TRACE_TENSOR_CLASSES - 1]), .needs = SM_HAS_PRODUCTS},
	{"tensor.rate", "per cycle", "multiply-adds of matrix-multiply instructions per core cycle, all SMs", METRIC_RATIO, RUN,
	 .a = FROM(sm.macs[0], sm.macs[TRACE_TENSOR_CLASSES - 1]), .b = C(elapsed), .needs = SM_HAS_PRODUCTS},
	{"tensor.held", "%", "cycles in which tensor units were occupied / all their cycles", METRIC_PERCENT, EACH, .a = C(sm.tensor_held),
	 .b = C(tensor_slots), .needs = SM_HAS_TENSOR_UNITS},
};

static const struct metric ctas[] = {
	{"ctas", "", "CTAs (thread blocks) completed", METRIC_COUNT, EACH, .a = C(sm.ctas_retired)},
	{"barriers", "", "barriers that all warps of a CTA reached", METRIC_COUNT, RUN, .a = C(sm.barriers)},
	{"occupancy", "warps", "mean number of running warps per SM, over all cycles", METRIC_RATIO, RUN, .a = C(sm.warp_cycles), .b = C(cycles)},
	{"occupancy.achieved", "%", "running warps / warp slots, over the cycles in which an SM has a warp", METRIC_PERCENT, EACH, .a = C(sm.warp_cycles),
	 .b = C(warp_slots)},
	{"warp_cycles", "cycles", "sum of running warps over all cycles", METRIC_COUNT, OF_SM, .a = C(sm.warp_cycles)},
};

/* A cause of the stall breakdown, of all schedulers, and of one. */
#define STALLS(cause) {METRIC_AT(struct sm_counts, sm.stalls[cause][0]), SM_MAX_SCHEDULERS, 1}
#define CAUSE_IF(has, name, cause, meaning)                                                                                                \
	{"sched." name, "%", meaning, METRIC_PERCENT, RUN, .a = STALLS(cause), .b = C(slots), .needs = has},                              \
	{"sched." name ".cycles", "cycles", "scheduler cycles of this kind, all schedulers", METRIC_COUNT, OF_RUN_DETAIL, .a = STALLS(cause), .needs = has},            \
	{name, "cycles", meaning, METRIC_COUNT, OF_SCHEDULER, .a = STALLS(cause), .needs = has}
#define CAUSE(name, cause, meaning) CAUSE_IF(0, name, cause, meaning)

static const struct metric memory[] = {
	CAUSE("issued", STALL_ISSUED, "scheduler cycles in which an instruction was issued"),
	CAUSE("pipeline", STALL_PIPELINE, "scheduler stall: operands ready, but the arithmetic pipeline is occupied"),
	CAUSE("mem_busy", STALL_MEM_BUSY, "scheduler stall: operands ready, but the load/store unit is busy or in bank conflicts"),
	CAUSE("mem_line", STALL_MEM_LINE, "scheduler stall: operands ready, but every way of the L1 set is reserved"),
	CAUSE("mem_entry", STALL_MEM_ENTRY, "scheduler stall: operands ready, but no L1 MSHR entry is free"),
	CAUSE("mem_merge", STALL_MEM_MERGE, "scheduler stall: operands ready, but the line's L1 MSHR entry is full"),
	CAUSE("mem_queue", STALL_MEM_QUEUE, "scheduler stall: operands ready, but the L1 miss queue is full"),
	CAUSE("mem_network", STALL_MEM_NET, "scheduler stall: operands ready, but the network input is full"),
	CAUSE_IF(SM_HAS_VM, "mem_tlb", STALL_MEM_TLB, "scheduler stall: operands ready, but the load/store unit waits for address translations"),
	CAUSE_IF(SM_HAS_THROTTLE, "throttled", STALL_THROTTLED, "scheduler stall: operands ready, but the throttle does not let the warp issue"),
	CAUSE("arithmetic", STALL_ARITHMETIC, "scheduler stall: all warps wait; the nearest to ready waits for an arithmetic result or a branch"),
	CAUSE_IF(SM_HAS_OPERANDS, "operands", STALL_OPERANDS,
		 "scheduler stall: no operand collector is free, or the nearest warp waits for one"),
	CAUSE_IF(SM_HAS_FETCH, "fetch", STALL_FETCH, "scheduler stall: all warps wait; the nearest to ready waits for instruction fetch"),
	CAUSE("memory", STALL_MEMORY, "scheduler stall: all warps wait; the nearest to ready waits for memory data or a fence"),
	CAUSE_IF(SM_HAS_WAITS, "wait", STALL_WAIT,
		 "scheduler cycles of repeated waits and sleeps: an instruction of such a wait was issued, or all warps wait so, sleep, or are at barriers"),
	CAUSE("barrier", STALL_BARRIER, "scheduler stall: all warps wait at a barrier"),
	CAUSE("idle", STALL_IDLE, "scheduler stall: no warp is resident"),
	{"l1.accesses", "", "L1 transactions", METRIC_COUNT, ALL, .a = C(l1.accesses)},
	{"l1.hits", "", "load transactions that found their line in the L1", METRIC_COUNT, ALL, .a = C(l1.hits)},
	{"l1.hits_reserved", "", "load transactions that found their line in flight to the L1", METRIC_COUNT, ALL, .a = C(l1.reserved)},
	{"l1.misses", "", "load transactions that allocated their line in the L1", METRIC_COUNT, ALL, .a = C(l1.misses)},
	{"l1.sectors", "sectors", "sectors requested by L1 misses and prefetches", METRIC_COUNT, EACH, .a = C(l1_stats.sectors.asked), .needs = SM_HAS_SECTORS},
	{"l1.load_sectors", "sectors", "sectors accessed by loads, L1 bypasses included", METRIC_COUNT, EACH, .a = C(l1_stats.sectors.loaded),
	 .needs = SM_HAS_SECTORS},
	{"l1.partial_misses", "", "L1 load misses of a sector whose line was present or in flight", METRIC_COUNT, EACH,
	 .a = C(l1_stats.sectors.partial), .needs = SM_HAS_SECTORS},
	{"l1.bypasses", "", "L1 transactions that bypassed the L1: volatile loads, atomics, loads of a bypass policy", METRIC_COUNT, ALL, .a = C(l1.bypasses)},
	{"l1.bypass.loads", "", "loads that the policy made bypass the L1", METRIC_COUNT, EACH, .a = C(policy_bypasses), .needs = SM_HAS_BYPASS},
	{"l1.bypass.tag_hits", "", "bypassing loads that would have hit in an L1 in use", METRIC_COUNT, EACH, .a = C(policy_tag_hits),
	 .needs = SM_HAS_BYPASS},
	{"l1.writes", "", "store transactions of the L1", METRIC_COUNT, ALL, .a = C(l1.writes)},
	{"l1.hit_rate", "%", "L1 hits / cached loads; l1.hits_reserved are neither hits nor misses", METRIC_PERCENT, RUN, .a = C(l1.hits),
	 .b = FROM(l1.hits, l1.misses)},
	{"l1.miss_rate", "%", "L1 misses / cached loads", METRIC_PERCENT, RUN, .a = C(l1.misses), .b = FROM(l1.hits, l1.misses)},
	{"l1.per_instruction", "", "L1 transactions per memory instruction", METRIC_RATIO, RUN, .a = C(lsu.transactions), .b = C(lsu.instructions)},
	{"l1.bank_conflicts", "cycles", "cycles in which a transaction waited for its L1 bank", METRIC_COUNT, EACH, .a = C(lsu.bank_conflicts), .needs = SM_HAS_PORTS},
	{"l1.path_cycles", "cycles", "cycles in which a transaction waited for the L1 data path", METRIC_COUNT, EACH, .a = C(lsu.path_cycles), .needs = SM_HAS_PORTS},
	{"l1.load_latency", "core cycles", "mean latency of a warp's global load, from issue to its last lane's data", METRIC_RATIO, OF_RUN,
	 .a = C(load.cycles), .b = C(load.loads), .needs = SM_HAS_MODULES},
	{"l1.write_hits", "", "stores that hit a line in the L1", METRIC_COUNT, OF_RUN, .a = C(l1_stats.write_hits)},
	{"l1.evictions", "lines", "valid lines replaced in the L1", METRIC_COUNT, RUN, .a = C(l1_stats.evictions)},
	{"l1.write_backs", "lines", "dirty lines of local memory that the L1 wrote back", METRIC_COUNT, RUN, .a = C(l1_stats.write_backs)},
#define CCWS(name, unit, field, meaning) {"ccws." name, unit, meaning, METRIC_COUNT, EACH, .a = C(throttle.field), .needs = SM_HAS_CCWS}
	CCWS("lost", "", lost, "loads that missed in the L1 and hit in their warp's victim tags (lost locality)"),
	CCWS("victims", "lines", victims, "L1 lines replaced by loads and recorded in victim tags"),
	CCWS("limited", "cycles", limited, "SM cycles in which some warps could not load"),
	{"ccws.loaders", "warps", "mean number of warps that could load per SM, over ccws.limited", METRIC_RATIO, EACH, .a = C(throttle.loaders),
	 .b = C(throttle.limited), .needs = SM_HAS_CCWS},
#define MRPB(name, unit, field, meaning) {"mrpb." name, unit, meaning, METRIC_COUNT, EACH, .a = C(field), .needs = SM_HAS_MRPB}
	MRPB("requests", "", mrpb.requests, "transactions that entered their warp's queue ahead of the L1"),
	MRPB("reordered", "", mrpb.reordered, "transactions issued from the queues ahead of an older one"),
	MRPB("full", "cycles", mrpb.full, "cycles in which a transaction waited for room in its warp's queue"),
	MRPB("bypasses", "", l1_stats.past_full_sets, "loads that bypassed the L1 because every way of their set was reserved"),
#define PREFETCH(name, field, meaning) {"l1.prefetch." name, "", meaning, METRIC_COUNT, EACH, .a = C(l1_stats.prefetch.field), .needs = SM_HAS_PREFETCH}
	PREFETCH("proposed", proposed, "lines proposed by the L1 prefetcher"),
	PREFETCH("issued", issued, "proposed prefetches that were issued"),
	PREFETCH("needless", needless, "proposed prefetches skipped because the line was present or in flight"),
	PREFETCH("other_page", other_page, "proposed prefetches dropped because their page was not accessible"),
	PREFETCH("dropped", dropped, "proposed prefetches dropped for lack of an MSHR entry, queue space or a way"),
	PREFETCH("useful", useful, "prefetched lines that a load hit"),
	PREFETCH("late", late, "prefetched lines that a load hit while they were in flight"),
#define PINS(name, unit, field, meaning) {"l1.pin." name, unit, meaning, METRIC_COUNT, EACH, .a = C(field), .needs = SM_HAS_PINS}
	PINS("hard", "lines", l1_stats.hard_pins, "L1 lines filled with a hard pin"),
	PINS("soft", "lines", l1_stats.soft_pins, "L1 lines filled with a soft pin"),
	PINS("full", "lines", pin_full, "hard-pinned lines replaced because every line of their set was pinned"),
	PINS("ended", "", pin_ends, "times that an L1 timer released the pins"),
#define LOCALITY(name, field, meaning) {"locality." name, "", meaning, METRIC_COUNT, EACH, .a = C(locality.field), .needs = SM_HAS_LOCALITY}
	LOCALITY("lookups", lookups, "load transactions looked up in the locality tables"),
	LOCALITY("unmatched", unmatched, "locality lookups that matched no data structure of the table"),
	LOCALITY("as_is", caching[LOCALITY_AS_IS], "locality lookups: matched a data structure with normal caching"),
	LOCALITY("bypass", caching[LOCALITY_BYPASS], "locality lookups: matched a data structure that bypasses the cache"),
	LOCALITY("soft_pin", caching[LOCALITY_SOFT_PIN], "locality lookups: matched a data structure with soft pins"),
	LOCALITY("hard_pin", caching[LOCALITY_HARD_PIN], "locality lookups: matched a data structure with hard pins"),
	LOCALITY("next_line", prefetch[LOCALITY_NEXT_LINE], "locality lookups: matched a data structure whose misses prefetch the next line"),
	LOCALITY("stride", prefetch[LOCALITY_STRIDE], "locality lookups: matched a data structure whose misses prefetch at a stride"),
	LOCALITY("entries", written, "entries written into the locality tables before launches"),
#define FAIL(name, fail, meaning) {"l1.fail." name, "cycles", "cycles of L1 reservation failures: " meaning, METRIC_COUNT, EACH, .a = C(l1_stats.fail_cycles[(fail) - L1_FAIL_LINE])}
	FAIL("line", L1_FAIL_LINE, "every way of the set waits for a fill"),
	FAIL("mshr_entry", L1_FAIL_ENTRY, "no MSHR entry is free"),
	FAIL("mshr_merge", L1_FAIL_MERGE, "the line's MSHR entry is full"),
	FAIL("miss_queue", L1_FAIL_QUEUE, "the miss queue is full"),
	{"l1.index_conflicts", "", "L1 lookups in a set whose previous lookup had a different tag", METRIC_COUNT, OF_RUN | NOT_OVER_TIME, .a = C(index_conflicts),
	 .needs = SM_HAS_MONITOR},
#define CLASS(name, field, meaning) {"l1.class." name, "", meaning, METRIC_COUNT, OF_RUN_DETAIL | OF_LAUNCH | OF_SM, .a = C(classes.field), .needs = SM_HAS_CLASSES}
#define HIT(name, class_, who) CLASS(name, hits[class_], "loads that hit a line last accessed " who)
#define REUSE(name, class_, who) CLASS("unbounded." name, reuses[class_], "unbounded L1: loads of a line last accessed " who)
#define BY_CLASS(ROW) \
	ROW("intra_thread", CLASS_INTRA_THREAD, "by the same thread"), \
	ROW("inter_thread", CLASS_INTER_THREAD, "by other threads of the warp"), \
	ROW("intra_cta", CLASS_INTRA_CTA, "by another warp of the CTA"), \
	ROW("intra_sm", CLASS_INTRA_SM, "by another CTA"), \
	ROW("inter_kernel", CLASS_INTER_KERNEL, "in another launch")
	CLASS("accesses", accesses, "loads that have a locality class"),
	BY_CLASS(HIT),
	CLASS("none", hits[CLASS_NONE], "loads that hit a prefetched line not accessed before"),
	CLASS("misses", misses, "loads with a locality class that missed in or bypassed the L1"),
	BY_CLASS(REUSE),
	CLASS("unbounded.first", first, "loads that are the first access to their line"),
	{"shared.accesses", "", "shared-memory instructions (warp instructions)", METRIC_COUNT, EACH, .a = C(lsu.shared_accesses)},
	{"shared.conflicts", "cycles", "extra shared-memory cycles caused by bank conflicts", METRIC_EXCESS, EACH, .a = C(lsu.shared_cycles), .b = C(lsu.shared_accesses)},
	{"const.accesses", "", "constant-cache transactions", METRIC_COUNT, EACH, .a = C(const_cache.accesses)},
	{"const.misses", "", "lines that constant caches fetched", METRIC_COUNT, EACH, .a = C(const_cache.misses)},
	{"const.hit_rate", "%", "constant-cache transactions that hit / all of them", METRIC_PERCENT, RUN, .a = C(const_cache.hits),
	 .b = FROM(const_cache.hits, const_cache.misses)},
	{"icache.accesses", "", "instruction fetches from the SMs' instruction caches", METRIC_COUNT, EACH, .a = C(icache.accesses), .needs = SM_HAS_FETCH},
	{"icache.misses", "", "lines that the SMs' instruction caches fetched", METRIC_COUNT, EACH, .a = C(icache.misses), .needs = SM_HAS_FETCH},
	{"icache.hit_rate", "%", "instruction fetches that hit / all of them", METRIC_PERCENT, RUN, .a = C(icache.hits), .b = FROM(icache.hits, icache.misses),
	 .needs = SM_HAS_FETCH},
#define L0(name, field, meaning) {"l0." name, "", meaning, METRIC_COUNT, EACH, .a = C(l0.field), .needs = SM_HAS_L0}
	L0("hits", hits, "L0 instruction lookups that hit"),
	L0("waits", waits, "L0 instruction lookups whose line was in flight to the L0"),
	L0("stream_hits", stream, "L0 instruction lookups whose line was first in the stream buffer, present or in flight"),
	L0("misses", misses, "L0 instruction lookups that missed the L0 and the first stream-buffer line"),
	{"l0.hit_rate", "%", "L0 instruction lookups whose line was present / all of them", METRIC_PERCENT, RUN, .a = C(l0.hits), .b = FROM(l0.hits, l0.misses),
	 .needs = SM_HAS_L0},
	L0("prefetches", prefetches, "lines requested by the L0 stream buffers"),
	{"operands.reads", "", "registers read by operand collectors", METRIC_COUNT, EACH, .a = C(operands.reads),
	 .needs = SM_HAS_OPERANDS},
	{"operands.wait", "core cycles", "mean wait of an operand read for its register bank", METRIC_RATIO, EACH, .a = C(operands.waits),
	 .b = C(operands.reads), .needs = SM_HAS_OPERANDS},
	{"const.params", "", "reads of kernel parameters from constant memory", METRIC_COUNT, RUN, .a = C(lsu.params)},
	{"load.count", "", "loads from global memory (warp instructions)", METRIC_COUNT, ALL, .a = C(load.loads)},
	{"load.latency.mean", "core cycles", "mean load latency: from issue to the last lane's data", METRIC_RATIO, ALL, .a = C(load.cycles),
	 .b = C(load.loads)},
#define PART(name, part_, meaning) {"load.latency." name, "core cycles", meaning, METRIC_CYCLES, ALL, .a = C(load.part[part_]), .b = C(load.loads)}
	PART("l1", LOAD_L1, "mean load latency: time in the SM, its L1 and TLB"),
	PART("network", LOAD_NETWORK, "mean load latency: time in the network on the way to the L2"),
	PART("l2", LOAD_L2, "mean load latency: time in the L2"),
	PART("dram_queue", LOAD_DRAM_QUEUE, "mean load latency: time in the DRAM controller before the first command"),
	PART("dram", LOAD_DRAM, "mean load latency: time on the way to DRAM and in it"),
	PART("back", LOAD_BACK, "mean load latency: time on the way back to the SM"),
#define POWER(i) {"load.latency.p2." #i, "", "loads with a latency of 2^" #i " to 2^(" #i "+1) - 1 core cycles", METRIC_COUNT, POWERS, .a = C(load.power[i])}
	POWER(0), POWER(1), POWER(2), POWER(3), POWER(4), POWER(5), POWER(6), POWER(7), POWER(8), POWER(9), POWER(10), POWER(11),
	POWER(12), POWER(13), POWER(14), POWER(15), POWER(16), POWER(17), POWER(18),
	{"load.latency.p2.19", "", "loads with a latency of 2^19 core cycles or more", METRIC_COUNT, POWERS, .a = C(load.power[19])},
};
/* clang-format on */

const struct metric_table sm_issue_metrics = METRIC_TABLE(issue), sm_cta_metrics = METRIC_TABLE(ctas),
			  sm_memory_metrics = METRIC_TABLE(memory);

struct sm_counts sm_count(const struct sm *sm, uint64_t cycles)
{
	struct sm_counts c = {
		.cycles = cycles,
		.slots = cycles * sm->m->sm.schedulers,
		.tensor_slots = cycles * sm->m->pipe.tensor,
		.warp_slots = sm->stats.busy_cycles * sm->m->sm.warps,
		.lane_slots = sm->stats.warp_insts * TRACE_WARP_SIZE,
		.sm = sm->stats,
		.lsu = sm->lsu.stats,
		.load = loads_total(&sm->lsu.loads),
		.l1 = l1_total(&sm->lsu.l1),
		.const_cache = l1_total(&sm->lsu.const_cache),
		.l1_stats = sm->lsu.l1.stats,
		.const_cache_stats = sm->lsu.const_cache.stats,
		.icache_stats = sm->fetch.cache.stats,
		.operands = sm->operands.stats,
		.tlb = sm->lsu.translate.stats,
		.locality = sm->lsu.locality.count,
		.mrpb = sm->lsu.mrpb.stats,
		.policy_bypasses = sm->lsu.l1.policy.bypasses,
		.policy_tag_hits = sm->lsu.l1.policy.tag_hits,
		.pin_ends = sm->lsu.l1.replacement.ended,
		.pin_full = sm->lsu.l1.replacement.full,
		.classes = l1_class_counts(&sm->lsu.l1),
	};

	if (sm->fetch.on)
		c.icache = l1_total(&sm->fetch.cache);
	c.l0 = fetch_l0_stats(&sm->fetch);
	if (sm->throttle.policy->count)
		sm->throttle.policy->count(sm->throttle.state, cycles, &c.throttle);
	for (unsigned u = 0; u < sm->units[UNIT_TENSOR]; u++)
		if (sm->unit_free[UNIT_TENSOR][u] > cycles)
			c.sm.tensor_held -= sm->unit_free[UNIT_TENSOR][u] - cycles;
	if (sm->repeats)
		c.sm.wait.cycles += waits_open_cycles(sm, cycles);
	for (unsigned s = 0; s < sm->m->sm.schedulers; s++)
		c.sm.stalls[STALL_IDLE][s] += cycles - sm->counted; /* either may be the later one */
	for (uint32_t set = 0; sm->lsu.monitor.on && set < sm->lsu.monitor.port.params.sets; set++)
		c.index_conflicts += sm->lsu.monitor.conflicts[set];
	return c;
}

static void detail_sets(const struct sm *sm, struct stats *to)
{
	char key[64];

	for (uint32_t set = 0; sm->lsu.monitor.on && set < sm->lsu.monitor.port.params.sets; set++) {
		snprintf(key, sizeof key, "sm.%u.l1.set.%u.index_conflicts", sm->id, set);
		stats_count(to, STAT_DETAIL, key, sm->lsu.monitor.conflicts[set], "", "");
	}
}

void sm_detail(const struct sm *sm, uint64_t cycles, unsigned has, struct stats *to)
{
	struct sm_counts c = sm_count(sm, cycles), one = {0};
	char prefix[64];
	struct metric_view v = {.prefix = prefix, .shown = OF_SM, .has = has, .period = sm->period};

	snprintf(prefix, sizeof prefix, "sm.%u.", sm->id);
	metrics_rows(to, &sm_issue_metrics, &v, &c);
	metrics_rows(to, &sm_cta_metrics, &v, &c);
	metrics_rows(to, &sm_memory_metrics, &v, &c);
	detail_sets(sm, to);
	v.shown = OF_SCHEDULER;
	for (unsigned s = 0; s < sm->m->sm.schedulers; s++) {
		for (unsigned why = 0; why < STALL_COUNT; why++)
			one.sm.stalls[why][0] = c.sm.stalls[why][s];
		snprintf(prefix, sizeof prefix, "sm.%u.sched.%u.", sm->id, s);
		metrics_rows(to, &sm_memory_metrics, &v, &one);
	}
}

void sm_array_rows(const char *array, const struct sm_counts *c, uint64_t period, struct stats *to)
{
	char prefix[320];

	snprintf(prefix, sizeof prefix, "buffer.%.256s.", array);
	metrics_rows(to, &sm_memory_metrics, &(struct metric_view){.prefix = prefix, .shown = OF_ARRAY, .period = period}, c);
}
