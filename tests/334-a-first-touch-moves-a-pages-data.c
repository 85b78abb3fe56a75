/* 334: with vm.migrate the data of a buffer's page are somewhere before its first touch, and move: each line is read
 * there and written in the toucher's stack, over the links, and the touch waits for all of them. Bytes and times are
 * counted by hand: a line is 128 bytes behind a header of 8, a page 32 lines. Each module has one SM, each SM one CTA,
 * translation takes no time. */
#include <criterion/criterion.h>

#include "run/gpu_impl.h"
#include "support/machine.h"
#include "support/touches.h"

enum { PAGE = TOUCHES_PAGE, LINES = 32, REQUEST = 8, DATA = 8 + 128, MODULES = TOUCHES_CTAS, NONE = TOUCHES_END };

struct outcome {
	uint64_t cycles, moved, bytes, kept, sent[MODULES][MODULES], dram_reads, dram_writes;
	unsigned stack[16];
};

static struct outcome play(const struct touches *c, const char *const *set, bool reverse)
{
	struct machine m = machine_with(set);
	struct trace *t = touches_trace(c);
	struct gpu_config config = {.machine = &m, .trace = t, .reverse = reverse};
	struct outcome o = {0};
	struct audit a = {0};
	struct err e = {""};
	struct gpu g;

	cr_assert_eq(gpu_build(&g, &config, &e), 0, "%s", e.text);
	cr_assert_eq(gpu_simulate(&g, &e), 0, "%s", e.text);
	gpu_audit(&g, &a);
	cr_assert_eq(a.failed, 0);
	o.cycles = g.cycles;
	o.moved = g.vm.pager.count.moved;
	o.kept = g.vm.pager.count.kept;
	for (unsigned i = 0; i < MODULES; i++) {
		o.bytes += g.vm.mover ? g.vm.mover[i].count.bytes : 0;
		for (unsigned k = 0; k < MODULES; k++)
			o.sent[i][k] = i == k ? 0 : memsys_sent(g.memsys, i, k);
	}
	o.dram_reads = memsys_facts(g.memsys).dram_reads;
	o.dram_writes = memsys_facts(g.memsys).dram_writes;
	for (unsigned i = 0; i < c->pages; i++) {
		struct pages_at at;

		if (pages_translate(&g.vm.pages, TOUCHES_BASE + i * PAGE, TIME_NEVER, &at))
			o.stack[i] = (unsigned)(at.addr / PAGE % m.dram.stacks);
	}
	gpu_free(&g);
	trace_close(t);
	return o;
}

#define KEYS(...)                                                                                                                  \
	((const char *const[]){"module.count=4", "sm.count=1", "dram.channels=2", "dram.refresh=false", "vm.enabled=true",         \
			       "vm.tlb=false", "vm.placement=first-touch", "link.gbps=1", "link.latency=25", __VA_ARGS__, NULL})

static const char *const sides[] = {"l2.side=memory", "l2.side=sm"};

/* Page 5 is in stack 1 and goes to 0, page 2 stays in 2, page 3 goes from 3 to 1, page 7 stays in 3. Data travel from
 * where they were, the requests for them the other way; loads find their pages in their own module then. */
static const struct touches four = {8, {{5, NONE}, {3, NONE}, {2, NONE}, {7, NONE}}};

Test(migration, reads_each_line_where_it_was_and_nothing_else_travels)
{
	for (unsigned i = 0; i < 2; i++) {
		struct outcome o = play(&four, KEYS("link.topology=p2p", "vm.migrate=pages", sides[i]), i);

		cr_assert_eq(o.moved, 2);
		cr_assert_eq(o.kept, 2);
		cr_assert_eq(o.bytes, 2 * PAGE);
		cr_assert(o.stack[5] == 0 && o.stack[2] == 2 && o.stack[3] == 1 && o.stack[7] == 3);
		for (unsigned a = 0; a < MODULES; a++)
			for (unsigned b = 0; b < MODULES; b++) {
				bool data = (a == 1 && b == 0) || (a == 3 && b == 1),
				     asks = (a == 0 && b == 1) || (a == 1 && b == 3);
				uint64_t want = LINES * (uint64_t)(data ? DATA : asks ? REQUEST : 0);

				cr_assert_eq(o.sent[a][b], want, "%u to %u: %lu bytes", a, b, (unsigned long)o.sent[a][b]);
			}
	}
}

/* With slices at the SMs a copy goes past them: DRAM sees each line read and written, and what the loads fetch. At the
 * channels the slices have the moved lines, and write none back before the end. */
Test(migration, moves_lines_from_dram_to_dram)
{
	struct outcome o = play(&four, KEYS("link.topology=p2p", "vm.migrate=pages", "l2.side=sm"), false);

	cr_assert_eq(o.dram_reads, 2 * LINES + 4);
	cr_assert_eq(o.dram_writes, 2 * LINES);
	o = play(&four, KEYS("link.topology=p2p", "vm.migrate=pages", "l2.side=memory"), false);
	cr_assert_eq(o.dram_reads, 2 * LINES + 2, "two pages have not moved");
	cr_assert_eq(o.dram_writes, 0);
}

/* Spread finely, a page of 4 KB has 8 lines in each stack: three quarters come over links. */
Test(migration, gathers_a_page_that_was_spread_finely)
{
	static const struct touches one = {4, {{1, NONE}, {NONE}, {NONE}, {NONE}}};
	struct outcome o = play(&one, KEYS("link.topology=p2p", "vm.migrate=interleave"), false);

	cr_assert_eq(o.moved, 1);
	for (unsigned a = 1; a < MODULES; a++) {
		cr_assert_eq(o.sent[a][0], LINES / 4 * DATA);
		cr_assert_eq(o.sent[0][a], LINES / 4 * REQUEST);
	}
}

/* A page over a link of 1 GB/s is 32 x 136 ns, of the core's 700 MHz. With half of the bandwidth it is twice that; less
 * than a hundred cycles more than a line's way there and back (500 cycles, a line's 95 included) have come by. */
static uint64_t cycles_over(unsigned pages, unsigned gbps)
{
	return (uint64_t)pages * LINES * DATA * 700 / (1000 * gbps);
}

static void expect_time(uint64_t got, uint64_t without, unsigned pages, unsigned gbps)
{
	uint64_t least = cycles_over(pages, gbps), more = got - without;

	cr_assert(more >= least && more <= least + 600, "%u pages at %u GB/s: %lu cycles, over the link %lu", pages, gbps,
		  (unsigned long)more, (unsigned long)least);
}

Test(migration, takes_the_time_of_the_link)
{
	static const struct touches one = {4, {{1, NONE}, {NONE}, {NONE}, {NONE}}};
	uint64_t without = play(&one, KEYS("link.topology=p2p"), false).cycles;

	for (unsigned i = 0; i < 2; i++) {
		uint64_t fast = play(&one, KEYS("link.topology=p2p", "vm.migrate=pages", "link.gbps=4", sides[i]), false).cycles;
		uint64_t slow = play(&one, KEYS("link.topology=p2p", "vm.migrate=pages", sides[i]), false).cycles;

		expect_time(fast, without, 1, 4);
		expect_time(slow, without, 1, 1);
	}
	cr_assert_eq(play(&one, KEYS("link.topology=p2p", "vm.migrate=off"), false).cycles, without);
}

/* Three modules want a page of the fourth each. On a link of their own they take as long as one; all through the one
 * link that leaves it to the switch, three times that. */
Test(migration, contends_for_links)
{
	static const struct touches three = {16, {{1, NONE}, {NONE}, {5, NONE}, {9, NONE}}};
	const char *const *own = KEYS("link.topology=p2p"), *const *shared = KEYS("link.topology=full");
	uint64_t alone = play(&three, own, false).cycles, through = play(&three, shared, false).cycles;

	expect_time(play(&three, KEYS("link.topology=p2p", "vm.migrate=pages"), false).cycles, alone, 1, 1);
	expect_time(play(&three, KEYS("link.topology=full", "vm.migrate=pages"), false).cycles, through, 3, 1);
}

/* All four touch the same pages: each page moves once at most, and everybody waits for it; in whatever order components
 * are stepped, and however few lines a mover has in flight. */
Test(migration, happens_once_however_many_touch)
{
	static const struct touches all = {4, {{0, 1, 2, 3, NONE}, {0, 1, 2, 3, NONE}, {0, 1, 2, 3, NONE}, {0, 1, 2, 3, NONE}}};
	static const char *const lines[] = {"vm.migrate_lines=1", "vm.migrate_lines=3", "vm.migrate_lines=1024"};
	uint64_t last = UINT64_MAX;

	for (unsigned i = 0; i < 3; i++) {
		struct outcome forth = play(&all, KEYS("link.topology=ring", "vm.migrate=interleave", lines[i]), false);
		struct outcome back = play(&all, KEYS("link.topology=ring", "vm.migrate=interleave", lines[i]), true);

		cr_assert_eq(forth.moved, 4);
		cr_assert_eq(forth.bytes, 4 * PAGE);
		cr_assert_eq(forth.cycles, back.cycles);
		cr_assert(forth.cycles <= last);
		last = forth.cycles;
		for (unsigned p = 0; p < 4; p++)
			cr_assert_eq(forth.stack[p], back.stack[p]);
	}
}

/* ---- what cannot be ---- */

static const char *refusal_of(const char *const *set)
{
	static struct err e;
	struct machine m;

	e.text[0] = '\0';
	cr_assert_eq(machine_load(&m, "gtx480", "csim/machines", &e), 0);
	for (; *set; set++)
		cr_assert_eq(machine_set(&m, *set, &e), 0, "%s", e.text);
	cr_assert_neq(machine_resolve(&m, &e), 0);
	return e.text;
}

Test(migration, wants_pages_and_modules)
{
	static const char *const no_pages[] = {"vm.migrate=pages", "module.count=4", NULL};
	static const char *const one_module[] = {"vm.migrate=pages", "vm.enabled=true", NULL};
	const char *want = "--set vm.migrate: pages move between modules: needs vm.enabled and module.count above 1";

	cr_assert_str_eq(refusal_of(no_pages), want);
	cr_assert_str_eq(refusal_of(one_module), want);
}

Test(migration, of_blocks_of_pages_is_refused)
{
	struct machine m = machine_with(KEYS("link.topology=p2p", "vm.migrate=pages"));
	struct trace *t = touches_trace(&four);
	struct plan_buffer block = {.placement = PLACE_FIRST_TOUCH, .together = 64 << 10};
	struct plan plan = {.name = "blocks", .n_buffers = 1, .buffer = &block};
	struct gpu_config config = {.machine = &m, .trace = t, .plan = &plan};
	struct err e = {""};
	struct gpu g;

	cr_assert_neq(gpu_build(&g, &config, &e), 0);
	cr_assert_str_eq(e.text, "plan: buffer x is placed in blocks of 65536 bytes: vm.migrate moves single pages");
	gpu_free(&g);
	trace_close(t);
}
