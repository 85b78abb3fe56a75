/* 320: whole runs of made-up programs (all kinds of instructions, masks and addresses) on many machines, on the SMs and
 * on the CPU's cores: every invariant holds, a second run and one that steps the components in reverse order give the
 * same bytes; and a wrong counter does not go unseen. On the CPU a launch waits for the one before. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "run/cpu_run_impl.h"
#include "run/gpu.h"
#include "run/gpu_impl.h"
#include "support/made_up.h"
#include "support/machine.h"

typedef int runner(const struct gpu_config *c, struct gpu_result *r, struct err *e);

static struct trace *recorded(struct made_up *p)
{
	struct trace_options o = {.name = "made up"};
	struct trace *t = made_up_record(p, &o);

	made_up_free(p);
	return t;
}

static struct trace *program(uint64_t seed)
{
	struct made_up p;

	made_up_init(&p, seed, 40);
	made_up_narrow(&p, 40); /* virtual memory has no more than 48 bits, and local memory spreads a word over 128
				 * bytes */
	return recorded(&p);
}

static struct trace *program_of_cpu(uint64_t seed)
{
	struct made_up p;

	made_up_init(&p, seed, 10);
	return recorded(&p);
}

/* The statistics as text; fails the test if an invariant is broken. */
static char *run(runner *on, const struct gpu_config *c, const char *what, uint64_t seed)
{
	struct gpu_result r;
	struct err e = {""};
	json_t *json;
	char *text;

	cr_assert_eq(on(c, &r, &e), 0, "%s, seed %lu: %s", what, seed, e.text);
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

/* A second run, a run with the components in reverse order, and one in shares if there may be several, have the
 * statistics of the first. Closes the trace. */
static void repeats_itself(runner *on, const struct machine *m, struct trace *t, uint32_t shares, const char *what, uint64_t seed)
{
	struct gpu_config c = {.machine = m, .trace = t};
	char *first = run(on, &c, what, seed), *second = run(on, &c, what, seed), *reverse, *in_shares;

	cr_assert_str_eq(first, second, "%s, seed %lu: a second run", what, seed);
	c.reverse = true;
	reverse = run(on, &c, what, seed);
	cr_assert_str_eq(first, reverse, "%s, seed %lu: reverse order", what, seed);
	if (shares) {
		c.shares = shares;
		in_shares = run(on, &c, what, seed);
		cr_assert_str_eq(first, in_shares, "%s, seed %lu: in shares", what, seed);
		free(in_shares);
	}
	free(first);
	free(second);
	free(reverse);
	trace_close(t);
}

/* 300 cycles. Closes the trace. */
static void holds_at_a_limit(runner *on, const struct machine *m, struct trace *t)
{
	struct gpu_config c = {.machine = m, .trace = t, .max_cycles = 300};
	struct gpu_result r;
	struct err e = {""};

	cr_assert_eq(on(&c, &r, &e), 0, "%s", e.text);
	cr_assert(r.cut);
	cr_assert_eq(r.cycles, 300);
	cr_assert_eq(r.audit.failed, 0);
	cr_assert_gt(r.audit.n, 5);
	gpu_result_free(&r);
	trace_close(t);
}

/* ---- on the SMs ---- */

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

			repeats_itself(gpu_run, &m, program(seed), 3, machines[i][0] ? machines[i][0] : "gtx480", seed);
		}
}

Test(gpu, a_limit_cuts_a_run_and_the_invariants_of_a_moment_still_hold)
{
	const char *const virtual[] = {"vm.enabled=true", NULL};

	for (unsigned with_pages = 0; with_pages < 2; with_pages++) {
		struct machine m = machine_with(with_pages ? virtual : NULL);

		holds_at_a_limit(gpu_run, &m, program(7));
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

/* ---- on the cores of the CPU ---- */

static const char *const cpus[][11] = {
	{"link.cpu=128", "cpu.count=8", NULL},
	{"link.cpu=128", "cpu.count=1", "cpu.in_order=true", NULL},
	{"link.cpu=128", "cpu.count=3", "cpu.simd=16", "clock.cpu=3700", NULL},
	{"link.cpu=128", "cpu.count=2", "cpu.simd=32", "cpu.line=128", "l2.enabled=false", NULL},
	{"link.cpu=128", "cpu.count=5", "cpu.rob=16", "cpu.store_buffer=1", "cpu.l1.bytes=1K", "cpu.l2.bytes=2K", "cpu.l3.bytes=8K",
	 NULL},
	{"link.cpu=128", "cpu.count=8", "cpu.mshr=1", "cpu.l3.mshr=2", "cpu.l3.bytes=4K", "net.in_queue=1", "net.out_queue=1",
	 NULL},
	{"link.cpu=128", "cpu.count=4", "cpu.simd=4", "clock.cpu=500", "dram.channels=4", "l2.slices=2", NULL},
	{"link.cpu=16", "cpu.count=8", "cpu.simd=16", "module.count=4", "sm.count=4", "link.topology=p2p", "link.gbps=16",
	 "dram.channels=2", NULL},
	{"link.cpu=32", "cpu.count=8", "cpu.simd=8", "module.count=4", "sm.count=4", "link.topology=p2p", "link.gbps=16",
	 "dram.channels=2", "l2.side=sm", NULL},
};
enum { N_CPUS = sizeof cpus / sizeof cpus[0] };

Test(cpu_run, all_invariants_hold_and_neither_repetition_nor_stepping_order_changes_a_byte)
{
	for (unsigned i = 0; i < N_CPUS; i++)
		for (uint64_t seed = 1; seed <= 2; seed++) {
			struct machine m = machine_with(cpus[i]);

			repeats_itself(cpu_run, &m, program_of_cpu(seed), 0, cpus[i][1], seed);
		}
}

Test(cpu_run, a_limit_cuts_a_run_and_the_invariants_of_a_moment_still_hold)
{
	struct machine m = machine_with(cpus[0]);

	holds_at_a_limit(cpu_run, &m, program_of_cpu(7));
}

static uint64_t *victim_of_cpu(struct cpu_system *h, unsigned i)
{
	uint64_t *const all[] = {
		&h->core[1].stats.stalls[CPU_IDLE],
		&h->core[1].stats.pieces,
		&h->core[1].cache.stats.l1_hits,
		&h->core[1].cache.stats.l2_hits,
		&h->core[1].cache.stats.l2_write_backs,
		&h->core[1].cache.stats.fetched,
		&h->core[1].tail,
		&h->core[1].sb_tail,
		&h->kernel[1].stats.thread_insts,
		&h->below.l3.stats.hits,
		&h->below.l3.stats.answered,
		&h->below.l3.stats.writes,
		&h->below.l3.stats.write_backs,
		&h->below.l3.stats.sent,
		&h->below.l3.stats.replies,
		&h->dispatch.retired,
		&h->dispatch.ended_again,
		&h->below.memsys->slice[0].pipe.stats.accepted,
		&h->below.memsys->slice[0].pipe.stats.answered,
		&h->below.memsys->channel[0].stats.bytes,
	};

	return i < sizeof all / sizeof all[0] ? all[i] : NULL;
}

Test(cpu_run, a_counter_that_is_off_by_one_breaks_an_invariant)
{
	struct machine m = machine_with(cpus[0]);
	struct trace *t = program_of_cpu(3);
	struct gpu_config c = {.machine = &m, .trace = t};
	struct err e = {""};
	struct audit a = {0};
	struct cpu_system h;

	cr_assert_eq(cpu_build(&h, &c, &e), 0, "%s", e.text);
	cr_assert_eq(cpu_simulate(&h, &e), 0, "%s", e.text);
	cpu_audit(&h, &a);
	cr_assert_eq(a.failed, 0);
	for (unsigned i = 0; victim_of_cpu(&h, i); i++) {
		++*victim_of_cpu(&h, i);
		a = (struct audit){0};
		cpu_audit(&h, &a);
		cr_assert_gt(a.failed, 0, "counter %u", i);
		--*victim_of_cpu(&h, i);
	}
	cpu_free_system(&h);
	trace_close(t);
}

Test(cpu_run, a_machine_without_a_cpu_is_refused)
{
	struct machine m = machine_with(NULL);
	struct trace *t = program_of_cpu(1);
	struct gpu_config c = {.machine = &m, .trace = t};
	struct gpu_result r;
	struct err e = {""};

	cr_assert_eq(cpu_run(&c, &r, &e), -1);
	cr_assert(strstr(e.text, "gtx480 has no CPU cores (cpu.count is 0)"), "%s", e.text);
	e = (struct err){""};
	m = machine_with((const char *const[]){"cpu.count=8", NULL});
	cr_assert_eq(cpu_run(&c, &r, &e), -1);
	cr_assert(strstr(e.text, "gtx480 has no links to its CPU (link.cpu is 0)"), "%s", e.text);
	trace_close(t);
}

/* ---- launches, and how work is dealt ---- */

enum { CTAS = 24, LENGTH = 100 };

/* `launches` launches of CTAs of one thread, each LENGTH instructions that wait for one another. */
static struct trace *chains(unsigned launches)
{
	const uint32_t grid[3] = {CTAS, 1, 1}, block[3] = {1, 1, 1};
	struct trace_options o = {.name = "chains"};
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&o, &e);
	struct trace_inst inst[LENGTH];
	char *name = (char *)"op";
	struct trace_kernel k = {.name = (char *)"k", .n_inst = LENGTH, .inst = inst, .n_names = 1, .names = &name, .n_regs = 1};

	for (unsigned i = 0; i < LENGTH; i++)
		inst[i] = (struct trace_inst){.op = OP_INT_ADD, .ndst = 1, .nsrc = 1, .line = i + 1};
	trace_add_kernel(w, &k);
	for (unsigned l = 0; l < launches; l++) {
		cr_assert_eq(trace_launch_begin(w, 0, grid, block, 0, &e), 0, "%s", e.text);
		for (uint32_t c = 0; c < CTAS; c++) {
			trace_cta_begin(w, c);
			trace_put_run(w, 0, 0, LENGTH, 1);
			cr_assert_eq(trace_cta_end(w, &e), 0, "%s", e.text);
		}
		cr_assert_eq(trace_launch_end(w, &e), 0, "%s", e.text);
	}
	return trace_writer_finish(w, &e);
}

/* A start message takes a cycle, and so does the one that reports the end. Chains of CTAs overlap in a core: with a
 * reorder buffer of 256 two of them. A buffer of one instruction runs them one after another: CTAS / cores chains of
 * LENGTH cycles, each instruction entering as the one before retires. */
Test(cpu_run, launches_follow_one_another_and_ctas_go_to_all_cores)
{
	for (unsigned launches = 1; launches <= 3; launches++)
		for (unsigned cores = 1; cores <= 8; cores *= 2) {
			char text[32];
			const char *const set[] = {text, "link.cpu=128", "cpu.rob=1", NULL};
			struct machine m;
			struct trace *t = chains(launches);
			struct gpu_config c = {.machine = &m, .trace = t};
			struct gpu_result r;
			struct err e = {""};

			snprintf(text, sizeof text, "cpu.count=%u", cores);
			m = machine_with(set);
			cr_assert_eq(cpu_run(&c, &r, &e), 0, "%s", e.text);
			cr_assert_eq(r.audit.failed, 0);
			/* Sent in cycle s, begun in s + 1, ended in s + 1 + chains, heard of in s + 2 + chains: the
			 * next launch's s. */
			cr_assert_eq(r.cycles, launches * (2 + CTAS / cores * LENGTH) + 1, "%u launches on %u cores: %lu", launches,
				     cores, r.cycles);
			gpu_result_free(&r);
			trace_close(t);
		}
}

/* ---- pages ---- */

enum { PAGES = 3, LINES = PAGES * 4096 / 64, STACKS = 4 };

/* One thread loads each line of PAGES pages. */
static struct trace *reader_of_pages(void)
{
	const uint32_t one[3] = {1, 1, 1};
	struct trace_options o = {.name = "reader"};
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&o, &e);
	struct trace_inst in = {.op = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .ndst = 1, .line = 1};
	char *name = (char *)"op";
	struct trace_kernel k = {.name = (char *)"k", .n_inst = 1, .inst = &in, .n_names = 1, .names = &name, .n_regs = 1};

	trace_add_kernel(w, &k);
	cr_assert_eq(trace_add_buffer(w, "A", 0x10000000, (uint64_t)PAGES * 4096, &e), 0);
	cr_assert_eq(trace_launch_begin(w, 0, one, one, 0, &e), 0, "%s", e.text);
	trace_cta_begin(w, 0);
	for (uint64_t i = 0; i < LINES; i++) {
		uint64_t addr[TRACE_WARP_SIZE] = {0x10000000 + 64 * i};

		trace_put_run(w, 0, 0, 1, 1);
		trace_put_addrs(w, 0, 1, addr);
	}
	cr_assert_eq(trace_cta_end(w, &e), 0, "%s", e.text);
	cr_assert_eq(trace_launch_end(w, &e), 0, "%s", e.text);
	return trace_writer_finish(w, &e);
}

/* Packets by stack: a page is spread over all of them, or is on stack (page number mod 4); the buffer begins at page 0
 * mod 4. */
Test(cpu_run, packets_go_to_the_stacks_where_the_pages_are)
{
	static const struct {
		const char *place;
		uint64_t want[STACKS];
	} cases[] = {
		{"vm.placement=interleave", {LINES / 4, LINES / 4, LINES / 4, LINES / 4}},
		{"vm.placement=pages", {64, 64, 64, 0}},
		{"vm.placement=first-touch", {64, 64, 64, 0}},
	};

	for (unsigned i = 0; i < 3; i++)
		for (unsigned side = 0; side < 2; side++) {
			const char *const set[] = {"link.cpu=32",
						   "cpu.count=2",
						   "module.count=4",
						   "sm.count=1",
						   "dram.channels=2",
						   "link.topology=p2p",
						   "link.gbps=16",
						   "vm.enabled=true",
						   "vm.tlb=false",
						   cases[i].place,
						   side ? "l2.side=sm" : "l2.side=memory",
						   NULL};
			struct machine m = machine_with(set);
			struct trace *t = reader_of_pages();
			struct gpu_config c = {.machine = &m, .trace = t};
			struct audit a = {0};
			struct err e = {""};
			struct cpu_system h;

			cr_assert_eq(cpu_build(&h, &c, &e), 0, "%s", e.text);
			cr_assert_eq(cpu_simulate(&h, &e), 0, "%s", e.text);
			cpu_audit(&h, &a);
			cr_assert_eq(a.failed, 0);
			for (unsigned p = 0; p < STACKS; p++)
				cr_assert_eq(h.below.memsys->cpu_out[p].ring.tail, cases[i].want[p], "%s: %lu packets to stack %u",
					     cases[i].place, h.below.memsys->cpu_out[p].ring.tail, p);
			cpu_free_system(&h);
			trace_close(t);
		}
}

/* ---- blocks of CTAs ---- */

/* CTA c, of one thread, loads line c. */
static struct trace *line_of_each_cta(void)
{
	const uint32_t grid[3] = {CTAS, 1, 1}, block[3] = {1, 1, 1};
	struct trace_options o = {.name = "lines"};
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&o, &e);
	struct trace_inst in = {.op = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .ndst = 1, .line = 1};
	char *name = (char *)"op";
	struct trace_kernel k = {.name = (char *)"k", .n_inst = 1, .inst = &in, .n_names = 1, .names = &name, .n_regs = 1};

	trace_add_kernel(w, &k);
	cr_assert_eq(trace_add_buffer(w, "A", 0x10000000, 4096, &e), 0);
	cr_assert_eq(trace_launch_begin(w, 0, grid, block, 0, &e), 0, "%s", e.text);
	for (uint32_t c = 0; c < CTAS; c++) {
		uint64_t addr[TRACE_WARP_SIZE] = {0x10000000 + 64 * (uint64_t)c};

		trace_cta_begin(w, c);
		trace_put_run(w, 0, 0, 1, 1);
		trace_put_addrs(w, 0, 1, addr);
		cr_assert_eq(trace_cta_end(w, &e), 0, "%s", e.text);
	}
	cr_assert_eq(trace_launch_end(w, &e), 0, "%s", e.text);
	return trace_writer_finish(w, &e);
}

static bool has_line(const struct cpu_core *c, uint32_t cta)
{
	const struct tags *t = &c->cache.l2;
	uint64_t line = 0x10000000 / 64 + cta;
	uint32_t slot;

	return tags_probe(t, tags_set(t, 0, line), line, &slot) == TAGS_HIT;
}

/* 24 CTAs on 5 cores: 0-4, 5-9, 10-14, 15-19, 20-23; in turns the cores get 0, 1, 2, 3, 4 first. */
Test(cpu_run, a_core_gets_a_block_of_ctas_or_the_next_one)
{
	for (unsigned blocks = 0; blocks < 2; blocks++) {
		const char *const set[] = {"link.cpu=32", "cpu.count=5", blocks ? "cpu.distribute=blocks" : "cpu.distribute=turns",
					   NULL};
		struct machine m = machine_with(set);
		struct trace *t = line_of_each_cta();
		struct gpu_config c = {.machine = &m, .trace = t};
		struct audit a = {0};
		struct err e = {""};
		struct cpu_system h;

		cr_assert_eq(cpu_build(&h, &c, &e), 0, "%s", e.text);
		cr_assert_eq(cpu_simulate(&h, &e), 0, "%s", e.text);
		cpu_audit(&h, &a);
		cr_assert_eq(a.failed, 0);
		for (uint32_t cta = 0; cta < (blocks ? CTAS : 5); cta++)
			for (uint32_t core = 0; core < 5; core++)
				cr_assert_eq(has_line(&h.core[core], cta), core == (blocks ? cta / 5 : cta), "CTA %u on core %u",
					     cta, core);
		cpu_free_system(&h);
		trace_close(t);
	}
}
