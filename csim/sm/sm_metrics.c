#include "sm/sm_metrics.h"

#include <string.h>

#include "cache/l1_classes.h"

#define C(field)	  METRIC_OF(struct sm_counts, field)
#define FROM(first, last) METRIC_FROM(struct sm_counts, first, last)

enum {
	RUN = OF_RUN | OF_LAUNCH,
	EACH = OF_RUN | OF_LAUNCH | OF_SM,
	ALL = OF_RUN | OF_LAUNCH | OF_SM | OF_ARRAY,
	POWERS = OF_RUN_DETAIL | OF_LAUNCH | OF_ARRAY
};

/* clang-format off */
#define OP(name, op) {"mix.class." name, "", "warp instructions of the class", METRIC_COUNT, OF_RUN_DETAIL, .a = C(sm.mix[op])}
#define PRODUCT(name, op) {"mix.class.tensor_" name, "", "warp instructions of the class", METRIC_COUNT, OF_RUN_DETAIL, .a = C(sm.mix[op]), .needs = SM_HAS_PRODUCTS}

static const struct metric issue[] = {
	{"warp_insts", "", "warp instructions issued", METRIC_COUNT, EACH, .a = C(sm.warp_insts)},
	{"thread_insts", "", "lanes that executed them", METRIC_COUNT, EACH, .a = C(sm.lanes)},
	{"folded_insts", "", "warp instructions of the trace that were not issued: folded into others", METRIC_COUNT, EACH, .a = C(sm.folded),
	 .needs = SM_HAS_FOLDS},
	{"ipc.warp", "a cycle", "warp instructions, all SMs", METRIC_RATIO, RUN, .a = C(sm.warp_insts), .b = C(elapsed)},
	{"ipc.thread", "a cycle", "thread instructions, all SMs", METRIC_RATIO, RUN, .a = C(sm.lanes), .b = C(elapsed)},
	{"simd.efficiency", "%", "lanes that execute a warp instruction, of 32", METRIC_PERCENT, EACH, .a = C(sm.lanes), .b = C(lane_slots)},
#define WIDTH(n) {"simd.w" #n, "", "warp instructions issued with so many active lanes", METRIC_COUNT, OF_RUN_DETAIL, .a = C(sm.width[n])}
	WIDTH(0), WIDTH(1), WIDTH(2), WIDTH(3), WIDTH(4), WIDTH(5), WIDTH(6), WIDTH(7), WIDTH(8), WIDTH(9), WIDTH(10), WIDTH(11),
	WIDTH(12), WIDTH(13), WIDTH(14), WIDTH(15), WIDTH(16), WIDTH(17), WIDTH(18), WIDTH(19), WIDTH(20), WIDTH(21), WIDTH(22),
	WIDTH(23), WIDTH(24), WIDTH(25), WIDTH(26), WIDTH(27), WIDTH(28), WIDTH(29), WIDTH(30), WIDTH(31), WIDTH(32),
	{"branch.diverged", "", "branches and calls at which the lanes of a warp parted", METRIC_COUNT, EACH, .a = C(sm.diverged),
	 .needs = SM_HAS_BRANCHES},
	{"mix.int", "", "integer and moves", METRIC_COUNT, OF_RUN, .a = FROM(sm.mix[OP_INT_ADD], sm.mix[OP_INT_DIV])},
	{"mix.fp32", "", "single precision", METRIC_COUNT, OF_RUN, .a = FROM(sm.mix[OP_FP32_ADD], sm.mix[OP_FP32_DIV])},
	{"mix.fp64", "", "double precision", METRIC_COUNT, OF_RUN, .a = FROM(sm.mix[OP_FP64_ADD], sm.mix[OP_FP64_DIV])},
	{"mix.sfu", "", "special functions", METRIC_COUNT, OF_RUN, .a = C(sm.mix[OP_SFU])},
	{"mix.tensor", "", "products of matrices", METRIC_COUNT, OF_RUN, .a = FROM(sm.mix[OP_TENSOR_F16], sm.mix[OP_TENSOR_F64]),
	 .needs = SM_HAS_PRODUCTS},
	{"mix.load", "", "loads, all spaces", METRIC_COUNT, OF_RUN, .a = C(sm.mix[OP_LOAD])},
	{"mix.store", "", "stores", METRIC_COUNT, OF_RUN, .a = C(sm.mix[OP_STORE])},
	{"mix.atomic", "", "atomics and reductions", METRIC_COUNT, OF_RUN, .a = C(sm.mix[OP_ATOM])},
	{"mix.sync", "", "barriers and fences", METRIC_COUNT, OF_RUN, .a = FROM(sm.mix[OP_BARRIER], sm.mix[OP_MEMBAR])},
	{"mix.control", "", "branches, exits, nops", METRIC_COUNT, OF_RUN, .a = FROM(sm.mix[OP_BRANCH], sm.mix[OP_NOP])},
	OP("int_add", OP_INT_ADD), OP("int_max", OP_INT_MAX), OP("int_mul", OP_INT_MUL), OP("int_mad", OP_INT_MAD),
	OP("int_div", OP_INT_DIV), OP("fp32_add", OP_FP32_ADD), OP("fp32_max", OP_FP32_MAX), OP("fp32_mul", OP_FP32_MUL),
	OP("fp32_mad", OP_FP32_MAD), OP("fp32_div", OP_FP32_DIV), OP("fp64_add", OP_FP64_ADD), OP("fp64_max", OP_FP64_MAX),
	OP("fp64_mul", OP_FP64_MUL), OP("fp64_mad", OP_FP64_MAD), OP("fp64_div", OP_FP64_DIV), OP("sfu", OP_SFU),
	OP("load", OP_LOAD), OP("store", OP_STORE), OP("atom", OP_ATOM), OP("barrier", OP_BARRIER), OP("membar", OP_MEMBAR),
	OP("branch", OP_BRANCH), OP("exit", OP_EXIT), OP("nop", OP_NOP),
	PRODUCT("f16", OP_TENSOR_F16), PRODUCT("tf32", OP_TENSOR_TF32), PRODUCT("8bit", OP_TENSOR_8BIT),
	PRODUCT("4bit", OP_TENSOR_4BIT), PRODUCT("f64", OP_TENSOR_F64),
	{"tensor.macs", "", "multiply-adds of products of matrices", METRIC_COUNT, EACH,
	 .a = FROM(sm.macs[0], sm.macs[TRACE_TENSOR_CLASSES - 1]), .needs = SM_HAS_PRODUCTS},
	{"tensor.rate", "a cycle", "multiply-adds of products of matrices, all SMs", METRIC_RATIO, RUN,
	 .a = FROM(sm.macs[0], sm.macs[TRACE_TENSOR_CLASSES - 1]), .b = C(elapsed), .needs = SM_HAS_PRODUCTS},
	{"tensor.held", "%", "of the tensor units' cycles: they were taken by a product", METRIC_PERCENT, EACH, .a = C(sm.tensor_held),
	 .b = C(tensor_slots), .needs = SM_HAS_TENSOR_UNITS},
};

static const struct metric ctas[] = {
	{"ctas", "", "thread blocks", METRIC_COUNT, EACH, .a = C(sm.ctas_retired)},
	{"barriers", "", "times that a CTA's warps met", METRIC_COUNT, RUN, .a = C(sm.barriers)},
	{"occupancy", "warps", "running on an SM, mean", METRIC_RATIO, RUN, .a = C(sm.warp_cycles), .b = C(cycles)},
	{"occupancy.achieved", "%", "running warps, of an SM's warp slots, while it has a warp", METRIC_PERCENT, EACH, .a = C(sm.warp_cycles),
	 .b = C(warp_slots)},
	{"warp_cycles", "cycles", "of running warps", METRIC_COUNT, OF_SM, .a = C(sm.warp_cycles)},
};

/* A cause of the stall breakdown, of all schedulers, and of one. */
#define STALLS(cause) {METRIC_AT(struct sm_counts, sm.stalls[cause][0]), SM_MAX_SCHEDULERS, 1}
#define CAUSE_IF(has, name, cause, meaning)                                                                                                \
	{"sched." name, "%", meaning, METRIC_PERCENT, RUN, .a = STALLS(cause), .b = C(slots), .needs = has},                              \
	{"sched." name ".cycles", "cycles", "all schedulers", METRIC_COUNT, OF_RUN_DETAIL, .a = STALLS(cause), .needs = has},            \
	{name, "cycles", meaning, METRIC_COUNT, OF_SCHEDULER, .a = STALLS(cause), .needs = has}
#define CAUSE(name, cause, meaning) CAUSE_IF(0, name, cause, meaning)

static const struct metric memory[] = {
	CAUSE("issued", STALL_ISSUED, "an instruction was issued"),
	CAUSE("pipeline", STALL_PIPELINE, "operands ready, arithmetic pipeline held"),
	CAUSE("mem_busy", STALL_MEM_BUSY, "operands ready, load/store unit busy or in bank conflicts"),
	CAUSE("mem_line", STALL_MEM_LINE, "operands ready, load/store unit waits for a line of the set"),
	CAUSE("mem_entry", STALL_MEM_ENTRY, "operands ready, load/store unit waits for an MSHR entry"),
	CAUSE("mem_merge", STALL_MEM_MERGE, "operands ready, load/store unit waits for room in an MSHR entry"),
	CAUSE("mem_queue", STALL_MEM_QUEUE, "operands ready, load/store unit waits for the miss queue"),
	CAUSE("mem_network", STALL_MEM_NET, "operands ready, load/store unit waits for the network"),
	CAUSE_IF(SM_HAS_VM, "mem_tlb", STALL_MEM_TLB, "operands ready, load/store unit waits for translations"),
	CAUSE_IF(SM_HAS_THROTTLE, "throttled", STALL_THROTTLED, "operands ready, but the throttle holds the warp back"),
	CAUSE("arithmetic", STALL_ARITHMETIC, "all warps wait, the nearest for an arithmetic result or a branch"),
	CAUSE_IF(SM_HAS_OPERANDS, "operands", STALL_OPERANDS,
		 "no operand collector is free, or all warps wait, the nearest for an instruction in one"),
	CAUSE_IF(SM_HAS_FETCH, "fetch", STALL_FETCH, "all warps wait, the nearest for its instruction"),
	CAUSE("memory", STALL_MEMORY, "all warps wait, the nearest for data from memory or a fence"),
	CAUSE("barrier", STALL_BARRIER, "all warps wait at a barrier"),
	CAUSE("idle", STALL_IDLE, "no warp to run"),
	{"l1.accesses", "", "transactions", METRIC_COUNT, ALL, .a = C(l1.accesses)},
	{"l1.hits", "", "loads: the line was there", METRIC_COUNT, ALL, .a = C(l1.hits)},
	{"l1.hits_reserved", "", "loads: the line was on its way", METRIC_COUNT, ALL, .a = C(l1.reserved)},
	{"l1.misses", "", "loads: the line was allocated", METRIC_COUNT, ALL, .a = C(l1.misses)},
	{"l1.sectors", "sectors", "that misses and prefetches asked for", METRIC_COUNT, EACH, .a = C(l1_stats.sectors.asked), .needs = SM_HAS_SECTORS},
	{"l1.load_sectors", "sectors", "that loads touched, also those that went past the L1", METRIC_COUNT, EACH, .a = C(l1_stats.sectors.loaded),
	 .needs = SM_HAS_SECTORS},
	{"l1.partial_misses", "", "loads: of them, misses of sectors of a line that was there or on its way", METRIC_COUNT, EACH,
	 .a = C(l1_stats.sectors.partial), .needs = SM_HAS_SECTORS},
	{"l1.bypasses", "", "volatile loads, atomics, loads that the policy sends past", METRIC_COUNT, ALL, .a = C(l1.bypasses)},
	{"l1.bypass.loads", "", "of them, loads that the policy sent past", METRIC_COUNT, EACH, .a = C(policy_bypasses), .needs = SM_HAS_BYPASS},
	{"l1.bypass.tag_hits", "", "of these, loads whose line a cache in use would have had", METRIC_COUNT, EACH, .a = C(policy_tag_hits),
	 .needs = SM_HAS_BYPASS},
	{"l1.writes", "", "stores", METRIC_COUNT, ALL, .a = C(l1.writes)},
	{"l1.hit_rate", "%", "hits of all cached loads; l1.hits_reserved are neither hits nor misses", METRIC_PERCENT, RUN, .a = C(l1.hits),
	 .b = FROM(l1.hits, l1.misses)},
	{"l1.miss_rate", "%", "misses of all cached loads", METRIC_PERCENT, RUN, .a = C(l1.misses), .b = FROM(l1.hits, l1.misses)},
	{"l1.per_instruction", "", "transactions of an instruction", METRIC_RATIO, RUN, .a = C(lsu.transactions), .b = C(lsu.instructions)},
	{"l1.bank_conflicts", "cycles", "in which a transaction waited for its bank", METRIC_COUNT, EACH, .a = C(lsu.bank_conflicts), .needs = SM_HAS_PORTS},
	{"l1.path_cycles", "cycles", "in which a transaction waited for the data path", METRIC_COUNT, EACH, .a = C(lsu.path_cycles), .needs = SM_HAS_PORTS},
	{"l1.load_latency", "core cycles", "of a warp's load from global memory, issue to its last lane's data, mean", METRIC_RATIO, OF_RUN,
	 .a = C(load.cycles), .b = C(load.loads), .needs = SM_HAS_MODULES},
	{"l1.write_hits", "", "stores that met their line", METRIC_COUNT, OF_RUN, .a = C(l1_stats.write_hits)},
	{"l1.evictions", "lines", "valid ones that made room", METRIC_COUNT, RUN, .a = C(l1_stats.evictions)},
	{"l1.write_backs", "lines", "dirty ones (local memory)", METRIC_COUNT, RUN, .a = C(l1_stats.write_backs)},
#define CCWS(name, unit, field, meaning) {"ccws." name, unit, meaning, METRIC_COUNT, EACH, .a = C(throttle.field), .needs = SM_HAS_CCWS}
	CCWS("lost", "", lost, "loads that missed a line which their warp had lost: its number was in the warp's victim tags"),
	CCWS("victims", "lines", victims, "brought in by a load, that made room and were noted in victim tags"),
	CCWS("limited", "cycles", limited, "in which not all warps of an SM might load, all SMs"),
	{"ccws.loaders", "warps", "of an SM that might load in these cycles, mean", METRIC_RATIO, EACH, .a = C(throttle.loaders),
	 .b = C(throttle.limited), .needs = SM_HAS_CCWS},
#define MRPB(name, unit, field, meaning) {"mrpb." name, unit, meaning, METRIC_COUNT, EACH, .a = C(field), .needs = SM_HAS_MRPB}
	MRPB("requests", "", mrpb.requests, "transactions that joined their warp's queue ahead of the L1"),
	MRPB("reordered", "", mrpb.reordered, "of them, those that went on before an older one"),
	MRPB("full", "cycles", mrpb.full, "in which a transaction waited for room in its warp's queue"),
	MRPB("bypasses", "", l1_stats.past_full_sets, "loads that went past the L1 because all ways of their set were reserved"),
#define PREFETCH(name, field, meaning) {"l1.prefetch." name, "", meaning, METRIC_COUNT, EACH, .a = C(l1_stats.prefetch.field), .needs = SM_HAS_PREFETCH}
	PREFETCH("proposed", proposed, "lines that the prefetcher proposed"),
	PREFETCH("issued", issued, "of them, fetched"),
	PREFETCH("needless", needless, "of them, there or on their way"),
	PREFETCH("other_page", other_page, "of them, in a page that was out of reach"),
	PREFETCH("dropped", dropped, "of them, for want of MSHR entries, room or a way"),
	PREFETCH("useful", useful, "prefetched lines that a load met"),
	PREFETCH("late", late, "of these, while they were on their way"),
#define PINS(name, unit, field, meaning) {"l1.pin." name, unit, meaning, METRIC_COUNT, EACH, .a = C(field), .needs = SM_HAS_PINS}
	PINS("hard", "lines", l1_stats.hard_pins, "brought in with a hard pin"),
	PINS("soft", "lines", l1_stats.soft_pins, "brought in with a soft pin"),
	PINS("full", "lines", pin_full, "with a hard pin that made room in a set full of them"),
	PINS("ended", "", pin_ends, "times that the timer of an L1 ended its pins"),
#define LOCALITY(name, field, meaning) {"locality." name, "", meaning, METRIC_COUNT, EACH, .a = C(locality.field), .needs = SM_HAS_LOCALITY}
	LOCALITY("lookups", lookups, "transactions of loads that the locality tables were asked about"),
	LOCALITY("unmatched", unmatched, "of them, in no data structure of the table"),
	LOCALITY("as_is", caching[LOCALITY_AS_IS], "of them, in one whose lines are cached as any"),
	LOCALITY("bypass", caching[LOCALITY_BYPASS], "of them, in one that goes past the cache"),
	LOCALITY("soft_pin", caching[LOCALITY_SOFT_PIN], "of them, in one whose lines get a soft pin"),
	LOCALITY("hard_pin", caching[LOCALITY_HARD_PIN], "of them, in one whose lines get a hard pin"),
	LOCALITY("next_line", prefetch[LOCALITY_NEXT_LINE], "of them, in one whose next line a miss prefetches"),
	LOCALITY("stride", prefetch[LOCALITY_STRIDE], "of them, in one of which a miss prefetches the line a distance on"),
	LOCALITY("entries", written, "written into the locality tables ahead of launches"),
#define FAIL(name, fail, meaning) {"l1.fail." name, "cycles", "reservation fails: " meaning, METRIC_COUNT, EACH, .a = C(l1_stats.fail_cycles[(fail) - L1_FAIL_LINE])}
	FAIL("line", L1_FAIL_LINE, "all ways of the set wait for fills"),
	FAIL("mshr_entry", L1_FAIL_ENTRY, "no MSHR entry is free"),
	FAIL("mshr_merge", L1_FAIL_MERGE, "the line's MSHR entry is full"),
	FAIL("miss_queue", L1_FAIL_QUEUE, "the miss queue is full"),
	{"l1.index_conflicts", "", "lookups of a set whose last lookup had another tag", METRIC_COUNT, OF_RUN | NOT_OVER_TIME, .a = C(index_conflicts),
	 .needs = SM_HAS_MONITOR},
#define CLASS(name, field, meaning) {"l1.class." name, "", meaning, METRIC_COUNT, OF_RUN_DETAIL | OF_LAUNCH | OF_SM, .a = C(classes.field), .needs = SM_HAS_CLASSES}
#define HIT(name, class_, who) CLASS(name, hits[class_], "of them, hits on a line whose last access was " who)
#define REUSE(name, class_, who) CLASS("unbounded." name, reuses[class_], "of the same loads, those of a line whose last access was " who)
#define BY_CLASS(ROW) \
	ROW("intra_thread", CLASS_INTRA_THREAD, "by a thread of this one"), \
	ROW("inter_thread", CLASS_INTER_THREAD, "by other threads of the warp"), \
	ROW("intra_cta", CLASS_INTRA_CTA, "by another warp of the CTA"), \
	ROW("intra_sm", CLASS_INTRA_SM, "by another CTA"), \
	ROW("inter_kernel", CLASS_INTER_KERNEL, "in another launch")
	CLASS("accesses", accesses, "loads that have a locality class"),
	BY_CLASS(HIT),
	CLASS("none", hits[CLASS_NONE], "of them, hits on a line that was prefetched ahead of any access"),
	CLASS("misses", misses, "of them, misses, and loads that went past the cache"),
	BY_CLASS(REUSE),
	CLASS("unbounded.first", first, "of the same loads, the first access to a line"),
	{"shared.accesses", "", "instructions", METRIC_COUNT, EACH, .a = C(lsu.shared_accesses)},
	{"shared.conflicts", "cycles", "bank cycles beyond one an access", METRIC_EXCESS, EACH, .a = C(lsu.shared_cycles), .b = C(lsu.shared_accesses)},
	{"const.accesses", "", "transactions", METRIC_COUNT, EACH, .a = C(const_cache.accesses)},
	{"const.misses", "", "lines fetched", METRIC_COUNT, EACH, .a = C(const_cache.misses)},
	{"const.hit_rate", "%", "transactions whose line was present", METRIC_PERCENT, RUN, .a = C(const_cache.hits),
	 .b = FROM(const_cache.hits, const_cache.misses)},
	{"icache.accesses", "", "fetches", METRIC_COUNT, EACH, .a = C(icache.accesses), .needs = SM_HAS_FETCH},
	{"icache.misses", "", "lines fetched", METRIC_COUNT, EACH, .a = C(icache.misses), .needs = SM_HAS_FETCH},
	{"icache.hit_rate", "%", "fetches whose line was present", METRIC_PERCENT, RUN, .a = C(icache.hits), .b = FROM(icache.hits, icache.misses),
	 .needs = SM_HAS_FETCH},
#define L0(name, field, meaning) {"l0." name, "", meaning, METRIC_COUNT, EACH, .a = C(l0.field), .needs = SM_HAS_L0}
	L0("hits", hits, "lookups of L0s, for an instruction each: the line was there"),
	L0("waits", waits, "the line was on its way"),
	L0("stream_hits", stream, "the line was the stream buffer's first, come or on its way"),
	L0("misses", misses, "the line was in neither"),
	{"l0.hit_rate", "%", "lookups whose line was present", METRIC_PERCENT, RUN, .a = C(l0.hits), .b = FROM(l0.hits, l0.misses),
	 .needs = SM_HAS_L0},
	L0("prefetches", prefetches, "lines asked for by stream buffers"),
	{"operands.reads", "", "registers that operand collectors read", METRIC_COUNT, EACH, .a = C(operands.reads),
	 .needs = SM_HAS_OPERANDS},
	{"operands.wait", "core cycles", "of a read, behind others of its bank or a write, mean", METRIC_RATIO, EACH, .a = C(operands.waits),
	 .b = C(operands.reads), .needs = SM_HAS_OPERANDS},
	{"const.params", "", "reads of kernel parameters", METRIC_COUNT, RUN, .a = C(lsu.params)},
	{"load.count", "", "loads from global memory: warp instructions", METRIC_COUNT, ALL, .a = C(load.loads)},
	{"load.latency.mean", "core cycles", "of a load, issue to its last lane's data, mean", METRIC_RATIO, ALL, .a = C(load.cycles),
	 .b = C(load.loads)},
#define PART(name, part_, meaning) {"load.latency." name, "core cycles", meaning, METRIC_CYCLES, ALL, .a = C(load.part[part_]), .b = C(load.loads)}
	PART("l1", LOAD_L1, "of it in the SM, its L1 and TLB"),
	PART("network", LOAD_NETWORK, "of it on the way to the L2"),
	PART("l2", LOAD_L2, "of it in the L2"),
	PART("dram_queue", LOAD_DRAM_QUEUE, "of it in the DRAM controller, before the first command"),
	PART("dram", LOAD_DRAM, "of it on the way to DRAM, and there"),
	PART("back", LOAD_BACK, "of it on the way back"),
#define POWER(i) {"load.latency.p2." #i, "", "loads of 2^" #i " to 2^(" #i "+1) - 1 core cycles", METRIC_COUNT, POWERS, .a = C(load.power[i])}
	POWER(0), POWER(1), POWER(2), POWER(3), POWER(4), POWER(5), POWER(6), POWER(7), POWER(8), POWER(9), POWER(10), POWER(11),
	POWER(12), POWER(13), POWER(14), POWER(15), POWER(16), POWER(17), POWER(18),
	{"load.latency.p2.19", "", "loads of 2^19 core cycles and more", METRIC_COUNT, POWERS, .a = C(load.power[19])},
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
