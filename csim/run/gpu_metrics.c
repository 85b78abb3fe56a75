/* The figures of a run: totals as rows that are printed, single SMs, schedulers and arrays as detail rows. */
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "machine/occupancy.h"
#include "run/gpu_impl.h"

enum { KEY = 320 };

/* ---- sums over SMs ---- */

struct totals {
	struct sm_stats sm;
	struct l1_counts l1, cst;
	struct l1_stats l1_stats;
	struct lsu_stats lsu;
	uint64_t ledger[LEDGER_COUNT];
	bool monitor;
	uint64_t index_conflicts; /* by the set monitors */
};

static void add_sm(struct totals *t, const struct sm *sm)
{
	struct l1_counts l1 = l1_total(&sm->l1), cst = l1_total(&sm->cst);

	t->sm.warp_insts += sm->stats.warp_insts;
	t->sm.thread_insts += sm->stats.thread_insts;
	t->sm.ctas_retired += sm->stats.ctas_retired;
	t->sm.barriers += sm->stats.barriers;
	t->sm.warp_cycles += sm->stats.warp_cycles;
	for (unsigned i = 0; i < OP_COUNT; i++)
		t->sm.mix[i] += sm->stats.mix[i];
	for (unsigned s = 0; s < sm->m->sm.schedulers; s++)
		for (unsigned c = 0; c < LEDGER_COUNT; c++)
			t->ledger[c] += sm->stats.ledger[s][c];
	l1_counts_add(&t->l1, &l1);
	l1_counts_add(&t->cst, &cst);
	t->l1_stats.write_hits += sm->l1.stats.write_hits;
	t->l1_stats.evictions += sm->l1.stats.evictions;
	t->l1_stats.write_backs += sm->l1.stats.write_backs;
	for (unsigned f = 0; f < L1_FAILS; f++)
		t->l1_stats.fail_cycles[f] += sm->l1.stats.fail_cycles[f];
	t->lsu.instructions += sm->lsu.stats.instructions;
	t->lsu.transactions += sm->lsu.stats.transactions;
	t->lsu.shared_accesses += sm->lsu.stats.shared_accesses;
	t->lsu.shared_cycles += sm->lsu.stats.shared_cycles;
	t->lsu.params += sm->lsu.stats.params;
	t->lsu.loads += sm->lsu.stats.loads;
	t->lsu.load_cycles += sm->lsu.stats.load_cycles;
	t->monitor |= sm->monitor.on;
	for (uint32_t set = 0; sm->monitor.on && set < sm->monitor.port.params.sets; set++)
		t->index_conflicts += sm->monitor.conflicts[set];
}

static double ratio(uint64_t a, uint64_t b)
{
	return b ? (double)a / (double)b : 0;
}

/* ---- instructions ---- */

static const struct {
	const char *name, *meaning;
	enum trace_op first, last;
} mix_rows[] = {
	{"mix.int", "integer and moves", OP_INT_ADD, OP_INT_DIV},    {"mix.fp32", "single precision", OP_FP32_ADD, OP_FP32_DIV},
	{"mix.fp64", "double precision", OP_FP64_ADD, OP_FP64_DIV},  {"mix.sfu", "special functions", OP_SFU, OP_SFU},
	{"mix.load", "loads, all spaces", OP_LOAD, OP_LOAD},	     {"mix.store", "stores", OP_STORE, OP_STORE},
	{"mix.atomic", "atomics and reductions", OP_ATOM, OP_ATOM},  {"mix.sync", "barriers and fences", OP_BARRIER, OP_MEMBAR},
	{"mix.control", "branches, exits, nops", OP_BRANCH, OP_NOP},
};

static const char *const op_names[OP_COUNT] = {"int_add",  "int_max",  "int_mul",  "int_mad",  "int_div",  "fp32_add",
					       "fp32_max", "fp32_mul", "fp32_mad", "fp32_div", "fp64_add", "fp64_max",
					       "fp64_mul", "fp64_mad", "fp64_div", "sfu",      "load",	   "store",
					       "atom",	   "barrier",  "membar",   "branch",   "exit",	   "nop"};

/* How many CTAs an SM holds and why, of the launch with the most instructions; by limit, of how many launches it is the limit. */
static void report_occupancy(const struct gpu *g, struct stats *to)
{
	uint32_t n = trace_n_launches(g->trace), most = 0;
	uint64_t by[OCCUPANCY_LIMITS] = {0};
	char meaning[KEY];

	stats_count(to, 0, "launches", n, "", "of kernels");
	if (n == 0)
		return;
	for (uint32_t i = 0; i < n; i++) {
		by[g->limited_by[i]]++;
		if (trace_launch(g->trace, i)->warp_insts > trace_launch(g->trace, most)->warp_insts)
			most = i;
	}
	snprintf(meaning, sizeof meaning, "fit on an SM%s; the limit: %s", n > 1 ? ", in the longest launch" : "",
		 occupancy_limit_names[g->limited_by[most]]);
	stats_count(to, 0, "ctas.per_sm", g->limit[most], "", meaning);
	for (unsigned i = 0; i < OCCUPANCY_LIMITS; i++) {
		static const char *const keys[OCCUPANCY_LIMITS] = {"ctas", "warps", "threads", "registers", "shared"};
		char key[KEY];

		snprintf(key, sizeof key, "launches.limited_by.%s", keys[i]);
		stats_count(to, STAT_DETAIL, key, by[i], "", "launches of which an SM holds no more CTAs for want of these");
	}
}

static void report_instructions(const struct gpu *g, const struct totals *t, struct stats *to)
{
	double us = (double)g->cycles * g->m->clock.period[CLOCK_CORE] / (double)g->m->clock.ticks_per_us;
	char clock[64];

	snprintf(clock, sizeof clock, "at %u MHz", g->m->clock.mhz[CLOCK_CORE]);
	stats_count(to, 0, "cycles", g->cycles, "core cycles", clock);
	stats_real(to, 0, "time", us, "us", "of the machine");
	stats_count(to, 0, "warp_insts", t->sm.warp_insts, "", "warp instructions issued");
	stats_count(to, 0, "thread_insts", t->sm.thread_insts, "", "lanes that executed them");
	stats_real(to, 0, "ipc.warp", ratio(t->sm.warp_insts, g->cycles), "a cycle", "warp instructions, all SMs");
	stats_real(to, 0, "ipc.thread", ratio(t->sm.thread_insts, g->cycles), "a cycle", "thread instructions, all SMs");
	for (unsigned i = 0; i < sizeof mix_rows / sizeof mix_rows[0]; i++) {
		uint64_t n = 0;

		for (unsigned op = mix_rows[i].first; op <= mix_rows[i].last; op++)
			n += t->sm.mix[op];
		stats_count(to, 0, mix_rows[i].name, n, "", mix_rows[i].meaning);
	}
	for (unsigned i = 0; i < OP_COUNT; i++) {
		char key[KEY];

		snprintf(key, sizeof key, "mix.class.%s", op_names[i]);
		stats_count(to, STAT_DETAIL, key, t->sm.mix[i], "", "warp instructions of the class");
	}
	report_occupancy(g, to);
	stats_count(to, 0, "ctas", t->sm.ctas_retired, "", "thread blocks");
	stats_count(to, 0, "barriers", t->sm.barriers, "", "times that a CTA's warps met");
	stats_real(to, 0, "occupancy", ratio(t->sm.warp_cycles, g->cycles * g->m->sm.count), "warps", "running on an SM, mean");
}

/* ---- caches and shared memory ---- */

static const struct {
	const char *name, *meaning;
} fail_rows[L1_FAILS] = {
	{"l1.fail.line", "reservation fails: all ways of the set wait for fills"},
	{"l1.fail.mshr_entry", "reservation fails: no MSHR entry is free"},
	{"l1.fail.mshr_merge", "reservation fails: the line's MSHR entry is full"},
	{"l1.fail.miss_queue", "reservation fails: the miss queue is full"},
};

static void report_l1(const struct gpu *g, const struct totals *t, struct stats *to)
{
	const struct l1_counts *c = &t->l1;
	uint64_t loads = c->hits + c->reserved + c->misses;

	stats_count(to, 0, "l1.accesses", c->accesses, "", "transactions");
	stats_count(to, 0, "l1.hits", c->hits, "", "loads: the line was there");
	stats_count(to, 0, "l1.hits_reserved", c->reserved, "", "loads: the line was on its way");
	stats_count(to, 0, "l1.misses", c->misses, "", "loads: the line was allocated");
	stats_count(to, 0, "l1.bypasses", c->bypasses, "", "volatile loads, atomics");
	stats_count(to, 0, "l1.writes", c->writes, "", "stores");
	stats_percent(to, 0, "l1.miss_rate", c->misses, loads, "misses of all cached loads");
	stats_real(to, 0, "l1.per_instruction", ratio(t->lsu.transactions, t->lsu.instructions), "",
		   "transactions of an instruction");
	if (g->m->module.count > 1)
		stats_real(to, 0, "l1.load_latency", ratio(t->lsu.load_cycles, t->lsu.loads), "core cycles",
			   "of a warp's load from global memory, issue to its last lane's data, mean");
	stats_count(to, 0, "l1.write_hits", t->l1_stats.write_hits, "", "stores that met their line");
	stats_count(to, 0, "l1.evictions", t->l1_stats.evictions, "lines", "valid ones that made room");
	stats_count(to, 0, "l1.write_backs", t->l1_stats.write_backs, "lines", "dirty ones (local memory)");
	for (unsigned f = 0; f < L1_FAILS; f++)
		stats_count(to, 0, fail_rows[f].name, t->l1_stats.fail_cycles[f], "cycles", fail_rows[f].meaning);
	if (t->monitor)
		stats_count(to, 0, "l1.index_conflicts", t->index_conflicts, "",
			    "lookups of a set whose last lookup had another tag");
	stats_count(to, 0, "shared.accesses", t->lsu.shared_accesses, "", "instructions");
	stats_count(to, 0, "shared.conflicts", t->lsu.shared_cycles - t->lsu.shared_accesses, "cycles",
		    "bank cycles beyond one an access");
	stats_count(to, 0, "const.accesses", t->cst.accesses, "", "transactions");
	stats_count(to, 0, "const.misses", t->cst.misses, "", "lines fetched");
	stats_count(to, 0, "const.params", t->lsu.params, "", "reads of kernel parameters");
}

static bool has_cause(const struct gpu *g, unsigned cause)
{
	return cause != LEDGER_MEM_TLB || g->vm.on;
}

static void report_ledger(const struct gpu *g, const struct totals *t, struct stats *to)
{
	uint64_t slots = g->cycles * g->m->sm.count * g->m->sm.schedulers;

	for (unsigned c = 0; c < LEDGER_COUNT; c++) {
		char key[KEY];

		if (!has_cause(g, c))
			continue;
		snprintf(key, sizeof key, "sched.%s", ledger_names[c]);
		stats_percent(to, 0, key, t->ledger[c], slots, ledger_meanings[c]);
		snprintf(key, sizeof key, "sched.%s.cycles", ledger_names[c]);
		stats_count(to, STAT_DETAIL, key, t->ledger[c], "cycles", "all schedulers");
	}
}

/* ---- detail ---- */

static void detail(struct stats *to, const char *prefix, const char *name, uint64_t value, const char *unit)
{
	char key[2 * KEY];

	snprintf(key, sizeof key, "%s.%s", prefix, name);
	stats_count(to, STAT_DETAIL, key, value, unit, "");
}

static void detail_counts(struct stats *to, const char *prefix, const struct l1_counts *c)
{
	detail(to, prefix, "l1.accesses", c->accesses, "");
	detail(to, prefix, "l1.hits", c->hits, "");
	detail(to, prefix, "l1.hits_reserved", c->reserved, "");
	detail(to, prefix, "l1.misses", c->misses, "");
	detail(to, prefix, "l1.bypasses", c->bypasses, "");
	detail(to, prefix, "l1.writes", c->writes, "");
}

static void detail_sm(const struct gpu *g, const struct sm *sm, struct stats *to)
{
	struct l1_counts l1 = l1_total(&sm->l1), cst = l1_total(&sm->cst);
	char prefix[KEY];

	snprintf(prefix, sizeof prefix, "sm.%u", sm->id);
	detail(to, prefix, "warp_insts", sm->stats.warp_insts, "");
	detail(to, prefix, "thread_insts", sm->stats.thread_insts, "");
	detail(to, prefix, "ctas", sm->stats.ctas_retired, "");
	detail(to, prefix, "warp_cycles", sm->stats.warp_cycles, "cycles");
	detail_counts(to, prefix, &l1);
	for (unsigned f = 0; f < L1_FAILS; f++)
		detail(to, prefix, fail_rows[f].name, sm->l1.stats.fail_cycles[f], "cycles");
	detail(to, prefix, "shared.accesses", sm->lsu.stats.shared_accesses, "");
	detail(to, prefix, "shared.conflicts", sm->lsu.stats.shared_cycles - sm->lsu.stats.shared_accesses, "cycles");
	detail(to, prefix, "const.accesses", cst.accesses, "");
	detail(to, prefix, "const.misses", cst.misses, "");
	for (uint32_t set = 0; sm->monitor.on && set < sm->monitor.port.params.sets; set++) {
		snprintf(prefix, sizeof prefix, "sm.%u.l1.set.%u", sm->id, set);
		detail(to, prefix, "index_conflicts", sm->monitor.conflicts[set], "");
	}
	for (unsigned s = 0; s < sm->m->sm.schedulers; s++)
		for (unsigned c = 0; c < LEDGER_COUNT; c++) {
			if (!has_cause(g, c))
				continue;
			snprintf(prefix, sizeof prefix, "sm.%u.sched.%u", sm->id, s);
			detail(to, prefix, ledger_names[c], sm->stats.ledger[s][c], "cycles");
		}
}

static void detail_buffers(const struct gpu *g, struct stats *to)
{
	uint32_t n = trace_counted_buffers(g->trace);

	for (uint32_t b = 0; b <= n; b++) {
		struct l1_counts c = {0};
		char prefix[KEY];

		for (uint32_t s = 0; s < g->m->sm.count; s++)
			l1_counts_add(&c, &g->sm[s].l1.count[b]);
		if (!c.accesses)
			continue;
		snprintf(prefix, sizeof prefix, "buffer.%.256s", b < n ? trace_buffer(g->trace, b)->name : "(none)");
		detail_counts(to, prefix, &c);
	}
}

void gpu_collect(const struct gpu *g, struct stats *to)
{
	uint32_t n = trace_counted_buffers(g->trace);
	const char **names = xcalloc(n + 1, sizeof *names);
	struct totals t = {0};

	for (uint32_t b = 0; b < n; b++)
		names[b] = trace_buffer(g->trace, b)->name;
	for (uint32_t s = 0; s < g->m->sm.count; s++)
		add_sm(&t, &g->sm[s]);
	report_instructions(g, &t, to);
	gpu_report_programs(g, to);
	gpu_report_groups(g, to);
	report_ledger(g, &t, to);
	report_l1(g, &t, to);
	gpu_vm_report(g, to);
	memsys_report(g->memsys, to, names, g->end);
	for (uint32_t s = 0; s < g->m->sm.count; s++)
		detail_sm(g, &g->sm[s], to);
	detail_buffers(g, to);
	free(names);
}
