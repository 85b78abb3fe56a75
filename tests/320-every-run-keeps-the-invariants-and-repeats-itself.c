/* 320: whole runs of made-up programs (all kinds of instructions, masks and addresses) on many machines: every
 * invariant holds, a second run and one that steps the components in reverse order give the same bytes; and a wrong
 * counter does not go unseen. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "run/gpu.h"
#include "run/gpu_impl.h"
#include "support/made_up.h"
#include "support/machine.h"

static struct trace *program(uint64_t seed)
{
	struct trace_options o = {.name = "made up"};
	struct made_up p;
	struct trace *t;

	made_up_init(&p, seed, 40);
	made_up_narrow(&p, 40); /* virtual memory has no more than 48 bits, and local memory spreads a word over 128
				 * bytes */
	t = made_up_record(&p, &o);
	made_up_free(&p);
	return t;
}

/* The statistics as text; fails the test if an invariant is broken. */
static char *run(const struct gpu_config *c, const char *what, uint64_t seed)
{
	struct gpu_result r;
	struct err e = {""};
	json_t *json;
	char *text;

	cr_assert_eq(gpu_run(c, &r, &e), 0, "%s, seed %lu: %s", what, seed, e.text);
	if (r.audit.failed)
		audit_print(&r.audit, stderr);
	cr_assert_eq(r.audit.failed, 0, "%s, seed %lu", what, seed);
	cr_assert_geq(r.audit.n, 20);
	json = stats_json(&r.stats);
	text = json_dumps(json, JSON_INDENT(1));
	json_decref(json);
	gpu_result_free(&r);
	return text;
}

static const char *const machines[][6] = {
	{NULL},
	{"l1.enabled=false", NULL},
	{"l2.enabled=false", NULL},
	{"l1.index=pric", "l2.index=pric", NULL},
	{"sm.count=1", "sm.scheduler=lrr", NULL},
	{"sm.count=3", "sm.schedulers=4", "pipe.sp=4", "pipe.sfu=2", NULL},
	{"l1.mshr_entries=2", "l1.mshr_merges=1", "l1.miss_queue=1", "net.in_queue=1", "net.out_queue=1", NULL},
	{"l1.bytes=1K", "l1.assoc=1", "l2.mshr_entries=2", "l2.in_queue=1", "dram.sched=fcfs", NULL},
	{"clock.core=1000", "clock.net=700", "clock.l2=650", "clock.dram=1111", NULL},
	{"dram.channels=4", "l2.slices=2", "l1.line=64", "l2.line=64", "l1.bytes=8K", NULL},
	{"vm.enabled=true", NULL},
	{"vm.enabled=true", "vm.tlb=false", "vm.placement=first-touch", "vm.fault_latency=30", NULL},
	{"vm.enabled=true", "vm.placement=first-touch", "vm.l1_tlb.latency=3", "vm.walk_cache=2", "vm.page=64K", NULL},
	{"vm.enabled=true", "vm.l1_tlb.entries=1", "vm.l1_tlb.ways=1", "vm.l1_tlb.pending=1", "vm.walks=1", NULL},
	{"vm.enabled=true", "vm.l2_tlb.entries=2", "vm.l2_tlb.ways=1", "vm.l2_tlb.latency=2", "vm.walk_cache=0", NULL},
	{"vm.enabled=true", "vm.l1_tlb.latency=7", "vm.l1_tlb.pending=2", "l1.mshr_entries=1", "l1.miss_queue=1", NULL},
	{"module.count=4", "sm.count=3", "dram.channels=2", "vm.enabled=true", "vm.placement=first-touch", NULL},
	{"module.count=3", "dram.stacks=2,1,1", "l2.side=sm", "vm.enabled=true", "vm.placement=pages", NULL},
	{"module.count=2", "sm.count=4", "vm.enabled=true", "vm.tlb=false", "vm.placement=first-touch", NULL},
	{"fetch.width=3", "l0.bytes=1K", "gcc.bytes=2K", "gcc.count=4", "caches.locality_classes=true", NULL},
};
enum { N_MACHINES = sizeof machines / sizeof machines[0] };

Test(gpu, all_invariants_hold_and_neither_repetition_nor_stepping_order_changes_a_byte)
{
	for (unsigned i = 0; i < N_MACHINES; i++)
		for (uint64_t seed = 1; seed <= (i < 10 ? 3 : 1); seed++) { /* one with virtual memory: they are many */
			struct machine m = machine_with(machines[i]);
			struct trace *t = program(seed);
			struct gpu_config c = {.machine = &m, .trace = t};
			const char *what = machines[i][0] ? machines[i][0] : "gtx480";
			char *first = run(&c, what, seed), *second = run(&c, what, seed), *reverse, *shares;

			c.reverse = true;
			reverse = run(&c, what, seed);
			c.shares = 3;
			shares = run(&c, what, seed);
			cr_assert_str_eq(first, second, "%s, seed %lu: a second run", what, seed);
			cr_assert_str_eq(first, shares, "%s, seed %lu: in shares", what, seed);
			cr_assert_str_eq(first, reverse, "%s, seed %lu: reverse order", what, seed);
			free(first);
			free(second);
			free(reverse);
			free(shares);
			trace_close(t);
		}
}

Test(gpu, a_limit_cuts_a_run_and_the_invariants_of_a_moment_still_hold)
{
	const char *const virtual[] = {"vm.enabled=true", NULL};

	for (unsigned with_pages = 0; with_pages < 2; with_pages++) {
		struct machine m = machine_with(with_pages ? virtual : NULL);
		struct trace *t = program(7);
		struct gpu_config c = {.machine = &m, .trace = t, .max_cycles = 300};
		struct gpu_result r;
		struct err e = {""};

		cr_assert_eq(gpu_run(&c, &r, &e), 0, "%s", e.text);
		cr_assert(r.cut);
		cr_assert_eq(r.cycles, 300);
		cr_assert_eq(r.audit.failed, 0);
		cr_assert_gt(r.audit.n, 5);
		gpu_result_free(&r);
		trace_close(t);
	}
}

/* What a broken counter or a lost event would leave behind: one case for each kind of invariant. */
static uint64_t *victim(struct gpu *g, unsigned i)
{
	uint64_t *const all[] = {
		&g->sm[1].lsu.l1.count[0].hits,
		&g->sm[1].lsu.l1.stats.replies,
		&g->sm[1].stats.stalls[STALL_IDLE][1],
		&g->sm[1].stats.warp_insts,
		&g->sm[1].stats.lanes[OP_INT_ADD],
		&g->sm[1].stats.mix[OP_LOAD],
		&g->sm[1].stats.ctas_retired,
		&g->sm[1].stats.ctas_started,
		&g->dispatch.retired,
		&g->dispatch.ended_again,
		&g->sm[1].lsu.stats.transactions,
		&g->sm[1].lsu.in_flight,
		&g->sm[1].lsu.loads.latency[0].part[LOAD_BACK],
		&g->sm[1].lsu.loads.latency[0].cycles,
		&g->sm[1].lsu.loads.latency[0].loads,
		&g->memsys->slice[0].pipe.stats.accepted,
		&g->memsys->slice[0].pipe.stats.answered,
		&g->memsys->slice[0].pipe.stats.fetches,
		&g->memsys->slice[0].buffer[0].fetches,
		&g->memsys->channel[0].stats.bytes,
		&g->sm[1].lsu.const_cache.count[0].accesses,
		&g->sm[1].lsu.translate.stats.hits,
		&g->sm[1].lsu.translate.stats.answers,
		&g->vm.mmu[0].stats.hits,
		&g->vm.mmu[0].stats.lookups,
		&g->vm.mmu[0].stats.walks,
		&g->vm.mmu[0].stats.walked,
		&g->vm.mmu[0].stats.reads,
		&g->vm.mmu[0].stats.replies,
		&g->vm.mmu[0].stats.skipped,
		&g->vm.mmu[0].stats.resolved,
		&g->vm.mmu[0].stats.answered,
		&g->vm.pages.mapped,
	};

	return i < sizeof all / sizeof all[0] ? all[i] : NULL;
}

/* Invariants broken, but for the one that the launches sum to the run: a counter that is changed afterwards always
 * breaks that. */
static unsigned broken(const struct gpu *g)
{
	struct audit a = {0};
	unsigned sums = 0;

	gpu_audit(g, &a);
	for (unsigned i = 0; i < a.n; i++)
		sums += !a.invariant[i].holds && strstr(a.invariant[i].name, "launches: counters that do not sum") != NULL;
	return a.failed - sums;
}

Test(gpu, a_counter_that_is_off_by_one_breaks_an_invariant)
{
	const char *const set[] = {"vm.enabled=true", NULL};
	struct machine m = machine_with(set);
	struct trace *t = program(3);
	struct gpu_config c = {.machine = &m, .trace = t};
	struct err e = {""};
	struct audit a = {0};
	struct gpu g;

	cr_assert_eq(gpu_build(&g, &c, &e), 0, "%s", e.text);
	cr_assert_eq(gpu_simulate(&g, &e), 0, "%s", e.text);
	gpu_audit(&g, &a);
	cr_assert_eq(a.failed, 0);
	for (unsigned i = 0; victim(&g, i); i++) {
		++*victim(&g, i);
		cr_assert_gt(broken(&g), 0, "counter %u", i);
		--*victim(&g, i);
	}
	g.launches.ended[0].count.sm.sm.barriers++;
	a = (struct audit){0};
	gpu_audit(&g, &a);
	cr_assert_eq(a.failed, 1, "a launch's counter alone");
	g.launches.ended[0].count.sm.sm.barriers--;
	a = (struct audit){0};
	gpu_audit(&g, &a);
	cr_assert_eq(a.failed, 0);
	gpu_free(&g);
	trace_close(t);
}

Test(gpu, a_cta_that_does_not_fit_ends_the_run_with_its_reason)
{
	const char *const small[] = {"sm.shared_bytes=128", NULL};
	struct machine m = machine_with(small);
	struct trace *t = program(1);
	struct gpu_config c = {.machine = &m, .trace = t};
	struct gpu_result r;
	struct err e = {""};

	cr_assert_eq(gpu_run(&c, &r, &e), -1);
	cr_assert(strstr(e.text, "bytes of shared memory, an SM of gtx480 has 128"), "%s", e.text);
	trace_close(t);
}
