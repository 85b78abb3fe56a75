/* 349: the flush of the CPU's caches, and what a program's initialisation moves over the links: by hand, a fetched line
 * is a header out and header and line back, one written back the other way round. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan.h"
#include "support/cpu_bench.h"
#include "support/machine.h"
#include "support/taf_made.h"
#include "taf/taf_track.h"
#include "tracking/init_traffic.h"
#include "tracking/phase_impl.h"

enum { LINE = 64, HEADER = 8, PAGE = 4096, MODULES = 4 };
#define A UINT64_C(0x10000000)

/* ---- the flush ---- */

static uint32_t writes(const struct cpu_bench *b)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < b->n_sent; i++)
		n += b->sent[i].kind == REQ_WRITE;
	return n;
}

/* The cycle in which the core reports a fence behind `lines` dirty lines. */
static uint64_t fence_after(uint32_t lines, bool flush, const char *const *set, uint32_t *written)
{
	struct cpu_bench *b = cpu_bench_new(set);
	uint64_t cycles;

	for (uint32_t i = 0; i < lines; i++)
		cpu_bench_store(b, 0, (uint64_t)i * LINE, 0);
	cpu_bench_play(b);
	cpu_bench_clear(b);
	if (flush)
		cpu_bench_flush(b);
	else
		cpu_bench_fence(b, 0);
	cpu_bench_play(b);
	cycles = b->cycles[0];
	*written = writes(b);
	cr_assert_eq(private_caches_dirty_lines(&b->core[0].cache) + cpu_l3_dirty_lines(&b->l3), flush ? 0 : lines);
	cpu_bench_free(b);
	return cycles;
}

/* A dirty line a cycle goes down, and the request to the L3 behind the last one in the cycle of retirement. */
Test(flush, takes_a_cycle_for_each_dirty_line)
{
	for (uint32_t lines = 0; lines < 400; lines = 2 * lines + 1) {
		uint32_t written, none;
		uint64_t plain = fence_after(lines, false, NULL, &none);

		cr_assert_eq(fence_after(lines, true, NULL, &written), plain + lines, "%u lines", lines);
		cr_assert_eq(none, 0);
		cr_assert_eq(written, lines);
	}
}

/* Two messages at once on the wires: the core waits for room and is woken. */
Test(flush, waits_for_room_on_the_wires)
{
	static const char *const set[] = {"cpu.mshr=1", NULL};
	uint32_t written;

	fence_after(200, true, set, &written);
	cr_assert_eq(written, 200);
}

/* 1,000 lines dirty in the L1, the L2 and, driven out of these, in the L3: each is written once, stays, and is not
 * written again. */
Test(flush, reaches_all_levels_and_leaves_the_lines)
{
	static const char *const set[] = {"cpu.l1.bytes=4K", "cpu.l2.bytes=16K", "cpu.l3.bytes=1M", NULL};
	struct cpu_bench *b = cpu_bench_new(set);

	for (uint32_t i = 0; i < 1000; i++)
		cpu_bench_store(b, 0, (uint64_t)i * LINE, 0);
	for (unsigned round = 0; round < 2; round++) {
		cpu_bench_flush(b);
		cpu_bench_play(b);
		cpu_bench_clear(b);
		cr_assert_eq(b->l3.stats.misses, 1000);
		cr_assert_eq(writes(b), 1000, "round %u", round);
		for (uint32_t i = 0; i < 1000; i++)
			cpu_bench_load(b, 0, (uint64_t)i * LINE, 0);
	}
	cpu_bench_free(b);
}

/* ---- the program ---- */

static struct trace *buffer_of(uint64_t bytes)
{
	struct trace_options o = {.name = "made up"};
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&o, &e);

	cr_assert_eq(trace_add_buffer(w, "A", A, bytes, &e), 0);
	return trace_writer_finish(w, &e);
}

/* Modules in a chain, the CPU beside module 0 or beside each. */
static struct machine machine_of(const char *links, const char *more)
{
	const char *const set[] = {"cpu.count=1",
				   "module.count=4",
				   "sm.count=1",
				   "dram.channels=2",
				   "link.topology=list",
				   links,
				   "link.gbps=16",
				   "net.header_bytes=8",
				   "vm.enabled=true",
				   "vm.tlb=false",
				   "vm.page=4K",
				   "vm.placement=pages",
				   more,
				   NULL};

	return machine_with(set);
}

static const char chain[] = "link.list=cpu-0,0-1,1-2,2-3", star[] = "link.list=cpu-0,cpu-1,cpu-2,cpu-3,0-1,1-2,2-3";

struct program_of {
	struct trace *trace;
	struct taf taf;
};

/* An array that CTAs read by threads; `passes` times, each element of 4 bytes from `first` on is stored. */
static struct program_of program(uint32_t first, uint32_t elements, unsigned passes)
{
	struct program_of p = {buffer_of((uint64_t)4 * (first + elements)),
			       taf_made((const uint32_t[3]){32, 1, 1}, (const uint32_t[3]){8, 1, 1}, (struct taf_options){0})};

	taf_made_add(&p.taf, (struct taf_array){.type = TAF_TID_DEP, .m = {1, 0, 0, 32}}, A, first + elements, 4, 0, 0);
	taf_made_ready(&p.taf, A);
	p.taf.stores.insts = 50; /* as if each value were drawn */
	for (unsigned k = 0; k < passes; k++)
		for (uint32_t i = 0; i < elements; i++)
			taf_stores_add(&p.taf.stores, A + 4 * (uint64_t)(first + i), 4, 1, &i);
	return p;
}

static void program_end(struct program_of *p)
{
	taf_free(&p->taf);
	trace_close(p->trace);
}

static uint64_t metric(const struct init_traffic *r, const char *name)
{
	const struct stat_row *row = stats_find(&r->stats, name);

	cr_assert_not_null(row, "%s", name);
	return row->count;
}

static struct init_traffic measured(const struct tracking_phase_config *c)
{
	struct init_traffic r;
	struct err e = {""};

	cr_assert_eq(init_traffic_measure(c, &r, &e), 0, "%s", e.text);
	if (r.audit.failed)
		audit_print(&r.audit, stderr);
	cr_assert_eq(r.audit.failed, 0);
	return r;
}

/* The traffic between the CPU and each module, in lines that each were fetched once and written once. */
static void expect_lines(const struct init_traffic *r, const uint64_t lines[MODULES], uint64_t link, uint64_t modules)
{
	uint64_t all = 0;
	char name[64];

	for (unsigned m = 0; m < MODULES; m++) {
		snprintf(name, sizeof name, "init.traffic.cpu.%u", m);
		cr_assert_eq(metric(r, name), lines[m] * (HEADER + HEADER + LINE), "%s", name);
		snprintf(name, sizeof name, "init.traffic.%u.cpu", m);
		cr_assert_eq(metric(r, name), lines[m] * (HEADER + LINE + HEADER), "%s", name);
		all += lines[m];
	}
	cr_assert_eq(metric(r, "init.fetches"), all);
	cr_assert_eq(metric(r, "init.write_backs"), all);
	cr_assert_eq(metric(r, "init.bytes"), all * 2 * (2 * HEADER + LINE));
	cr_assert_eq(metric(r, "init.link.bytes"), link * 2 * (2 * HEADER + LINE));
	cr_assert_eq(metric(r, "init.link.module_bytes"), modules * 2 * (2 * HEADER + LINE));
}

/* 5 pages of 64 lines, placed by a plan on one module: N = 320 lines fetched, N written back there, each over k + 1
 * links in the chain, of which k are between modules; over one of the CPU's own links in the star. */
Test(init_traffic, n_stored_lines_are_n_fetches_and_n_write_backs_at_the_module_of_their_pages)
{
	enum { PAGES = 5, N = PAGES * PAGE / LINE };
	struct program_of p = program(0, N * LINE / 4, 1);

	for (unsigned k = 0; k < MODULES; k++)
		for (unsigned own = 0; own < 2; own++) {
			struct machine m = machine_of(own ? star : chain, NULL);
			uint16_t stack[PAGES] = {(uint16_t)k, (uint16_t)k, (uint16_t)k, (uint16_t)k, (uint16_t)k};
			struct plan_buffer b = {.placement = PLACE_STATIC, .n_pages = PAGES, .stack = stack};
			struct plan plan = {.n_buffers = 1, .buffer = &b};
			struct tracking_phase_config c = {.machine = &m, .trace = p.trace, .taf = &p.taf, .plan = &plan};
			struct init_traffic r = measured(&c);
			uint64_t lines[MODULES] = {0};

			lines[k] = N;
			cr_assert_eq(metric(&r, "init.stores"), N * LINE / 4);
			expect_lines(&r, lines, own ? N : N * (k + 1), own ? 0 : N * k);
			init_traffic_free(&r);
		}
	program_end(&p);
}

/* Without a plan pages go round the modules: 0, 1, 2, 3, 0. The first 20 bytes and the last 44 of the array's lines are
 * not stored, but lines travel whole. */
Test(init_traffic, lines_that_are_stored_in_part_travel_whole_to_where_the_machine_puts_pages)
{
	struct machine m = machine_of(chain, NULL);
	struct program_of p = program(5, 5 * PAGE / 4 - 5 - 11, 1);
	struct tracking_phase_config c = {.machine = &m, .trace = p.trace, .taf = &p.taf};
	struct init_traffic r = measured(&c);

	expect_lines(&r, (const uint64_t[MODULES]){128, 64, 64, 64}, 128 * 1 + 64 * (2 + 3 + 4), 64 * (1 + 2 + 3));
	init_traffic_free(&r);
	program_end(&p);
}

/* Stored twice: what the caches hold is fetched and written once; 1,024 lines through caches of 64 and 128 lines, with
 * the least recently used one given up, twice. */
Test(init_traffic, lines_that_the_caches_lose_between_two_stores_travel_twice)
{
	static const struct {
		const char *l3;
		uint64_t times;
	} cases[] = {{"cpu.l3.bytes=4M", 1}, {"cpu.l3.bytes=8K", 2}};
	struct program_of p = program(0, 16 * PAGE / 4, 2);

	for (unsigned i = 0; i < 2; i++) {
		struct machine m = machine_of(star, cases[i].l3);
		struct tracking_phase_config c = {.machine = &m, .trace = p.trace, .taf = &p.taf};
		uint64_t each = cases[i].times * 256, lines[MODULES] = {each, each, each, each};
		struct init_traffic r;
		struct err e = {""};

		cr_assert_eq(machine_set(&m, "cpu.l1.bytes=2K", &e) | machine_set(&m, "cpu.l2.bytes=4K", &e), 0, "%s", e.text);
		cr_assert_eq(machine_resolve(&m, &e), 0, "%s", e.text);
		r = measured(&c);
		expect_lines(&r, lines, 4 * each, 0);
		init_traffic_free(&r);
	}
	program_end(&p);
}

/* The calls of a tracker store too: the directory's lines, 17 of them at most beside tables. */
Test(init_traffic, a_trackers_calls_are_part_of_it_and_the_order_of_steps_is_not)
{
	struct machine m = machine_of(chain, NULL);
	struct program_of p = program(0, PAGE, 1);
	struct tracking_phase_config c = {.machine = &m, .trace = p.trace, .taf = &p.taf, .tracker = TRACK_HW};
	uint64_t first = 0;

	for (unsigned i = 0; i < 3; i++) {
		struct init_traffic r;

		c.no_skip = i == 1;
		c.reverse = i == 2;
		r = measured(&c);
		cr_assert_eq(metric(&r, "init.fetches"), 256 + 2, "the header and entry 0 of the directory");
		cr_assert(i == 0 || metric(&r, "init.cycles") == first);
		first = metric(&r, "init.cycles");
		init_traffic_free(&r);
	}
	program_end(&p);
}

/* ---- invariants ---- */

static uint64_t *victim(struct phase *p, unsigned i)
{
	struct link *l = p->below.memsys->link;
	uint64_t *const all[] = {
		&p->core.stats.stalls[CPU_STORES],
		&p->core.stats.stores,
		&p->core.cache.stats.l2_write_backs,
		&p->below.l3.stats.writes,
		&p->below.l3.stats.misses,
		&p->below.l3.stats.write_backs,
		&p->below.l3.stats.sent,
		&p->below.l3.stats.replies,
		&l[0].bytes[LINK_REQUEST],
		&l[0].entered[0], /* from the CPU to module 0 */
		&l[0].delivered[MODULES],
	};

	return i < sizeof all / sizeof all[0] ? all[i] : NULL;
}

Test(init_traffic, a_counter_that_is_off_by_one_breaks_an_invariant)
{
	struct machine m = machine_of(chain, NULL);
	struct program_of made = program(0, 2 * PAGE, 1);
	struct tracking_phase_config c = {.machine = &m, .trace = made.trace, .taf = &made.taf};
	struct phase p = {.flush = true};
	struct taf_memory software;
	struct err e = {""};
	struct audit a = {0};

	taf_track(&software, &made.taf, NULL);
	cr_assert_eq(phase_build(&p, &c, &software, &e), 0, "%s", e.text);
	cr_assert_eq(phase_simulate(&p, &e), 0, "%s", e.text);
	init_traffic_audit(&p, &a);
	cr_assert_eq(a.failed, 0);
	for (unsigned i = 0; victim(&p, i); i++) {
		++*victim(&p, i);
		a = (struct audit){0};
		init_traffic_audit(&p, &a);
		cr_assert_gt(a.failed, 0, "counter %u", i);
		--*victim(&p, i);
	}
	phase_free(&p);
	taf_memory_free(&software);
	program_end(&made);
}
