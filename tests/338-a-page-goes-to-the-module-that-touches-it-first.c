/* 338: first touch on machines of several modules: the page is in a stack of its toucher's module, in the nearest one's
 * if that has none; a page that all touch in the same cycle goes to the lowest module, in whatever order the components
 * are stepped. And a static plan puts every page where it says. Each module has one SM, each SM one CTA, all of which
 * begin in the same cycle. */
#include <criterion/criterion.h>

#include "run/gpu_impl.h"
#include "support/machine.h"
#include "support/touches.h"

enum { PAGE = TOUCHES_PAGE, MODULES = TOUCHES_CTAS, END = TOUCHES_END };

/* Where each page of the buffer is after the run; the run's length. */
static uint64_t play(const struct touches *c, const char *const *set, const struct plan *plan, bool reverse, unsigned *stack)
{
	struct machine m = machine_with(set);
	struct trace *t = touches_trace(c);
	struct gpu_config config = {.machine = &m, .trace = t, .plan = plan, .reverse = reverse};
	struct audit a = {0};
	struct err e = {""};
	struct gpu g;
	uint64_t cycles;

	cr_assert_eq(gpu_build(&g, &config, &e), 0, "%s", e.text);
	cr_assert_eq(gpu_simulate(&g, &e), 0, "%s", e.text);
	gpu_audit(&g, &a);
	cr_assert_eq(a.failed, 0);
	for (unsigned i = 0; i < c->pages; i++) {
		struct pages_at at;

		cr_assert(pages_translate(&g.vm.pages, TOUCHES_BASE + i * PAGE, TIME_NEVER, &at), "page %u was never mapped", i);
		cr_assert_eq(at.mode, MODE_CGP);
		stack[i] = (unsigned)(at.addr / PAGE % m.dram.stacks);
	}
	cycles = g.cycles;
	gpu_free(&g);
	trace_close(t);
	return cycles;
}

static const char *const tlbs[] = {"vm.tlb=true", "vm.tlb=false"};
#define KEYS(...)                                                                                                                  \
	((const char *const[]){"module.count=4", "sm.count=1", "dram.channels=2", "vm.enabled=true", "link.topology=ring",         \
			       __VA_ARGS__, NULL})

Test(first_touch, gives_a_page_to_its_toucher)
{
	const struct touches c = {8, {{5, 0, END}, {2, 1, END}, {7, 6, END}, {4, 3, END}}};
	const unsigned want[8] = {0, 1, 1, 3, 3, 0, 2, 2};
	unsigned got[8];

	for (unsigned i = 0; i < 4; i++) {
		play(&c, KEYS("vm.placement=first-touch", tlbs[i / 2]), NULL, i % 2, got);
		for (unsigned p = 0; p < 8; p++)
			cr_assert_eq(got[p], want[p], "%s: page %u is on stack %u", tlbs[i / 2], p, got[p]);
	}
}

/* Later touches by others do not move it: CTA i comes to page i - 1 after having been at page i. (Without walks: a
 * module that is near the page table could else be at its second page before another one's first walk is through.) */
Test(first_touch, is_the_first_alone)
{
	const struct touches c = {4, {{0, 3, 2, 1, END}, {1, 0, 3, 2, END}, {2, 1, 0, 3, END}, {3, 2, 1, 0, END}}};
	unsigned got[4];

	play(&c, KEYS("vm.placement=first-touch", "vm.tlb=false"), NULL, false, got);
	for (unsigned p = 0; p < 4; p++)
		cr_assert_eq(got[p], p);
}

/* Without walks, all four faults reach the pager in the same cycle; with them, the walks' ways differ. */
Test(first_touch, of_all_in_one_cycle_is_that_of_the_lowest_module)
{
	const struct touches c = {3, {{0, 1, 2, END}, {0, 1, 2, END}, {0, 1, 2, END}, {0, 1, 2, END}}};
	unsigned forth[3], back[3];
	uint64_t cycles;

	cycles = play(&c, KEYS("vm.placement=first-touch", "vm.tlb=false"), NULL, false, forth);
	cr_assert_eq(play(&c, KEYS("vm.placement=first-touch", "vm.tlb=false"), NULL, true, back), cycles);
	cr_assert_eq(forth[0], 0);
	for (unsigned p = 0; p < 3; p++)
		cr_assert_eq(forth[p], back[p]);
	cycles = play(&c, KEYS("vm.placement=first-touch", "vm.tlb=true"), NULL, false, forth);
	cr_assert_eq(play(&c, KEYS("vm.placement=first-touch", "vm.tlb=true"), NULL, true, back), cycles);
	for (unsigned p = 0; p < 3; p++)
		cr_assert_eq(forth[p], back[p]);
}

/* Stacks 0 1 | - | 2 | 3: module 0's two stacks in turn; module 1 has none, its neighbours on the ring are 0 and 2, the
 * lower is module 0, of which it takes the stacks in a turn of its own. */
Test(first_touch, goes_to_a_modules_stacks_in_turn_or_to_the_nearest_ones)
{
	const struct touches c = {16, {{0, 1, 2, 3, END}, {4, 5, 6, 7, END}, {8, 9, 10, 11, END}, {12, 13, 14, 15, END}}};
	const unsigned want[16] = {0, 1, 0, 1, 0, 1, 0, 1, 2, 2, 2, 2, 3, 3, 3, 3};
	unsigned got[16];

	for (unsigned i = 0; i < 2; i++) {
		play(&c, KEYS("vm.placement=first-touch", "dram.stacks=2,0,1,1", tlbs[i]), NULL, false, got);
		for (unsigned p = 0; p < 16; p++)
			cr_assert_eq(got[p], want[p], "page %u is on stack %u", p, got[p]);
	}
}

/* Pages 0 .. 15 go with page 5, 16 .. 19 with page 17: each to the lowest of the two modules that touch the block in
 * the first cycle. */
Test(a_plan, can_place_blocks_of_pages_by_first_touch)
{
	const struct touches c = {20, {{17, 4, END}, {5, 19, END}, {18, 0, END}, {6, 15, END}}};
	struct plan_buffer b = {.placement = PLACE_FIRST_TOUCH, .together = 16 * PAGE};
	struct plan plan = {.n_buffers = 1, .buffer = &b};
	unsigned forth[20], back[20];

	play(&c, KEYS("vm.placement=interleave", "vm.tlb=false"), &plan, false, forth);
	play(&c, KEYS("vm.placement=interleave", "vm.tlb=false"), &plan, true, back);
	for (unsigned p = 0; p < 20; p++) {
		cr_assert_eq(forth[p], p < 16 ? 1 : 0, "page %u is on stack %u", p, forth[p]);
		cr_assert_eq(back[p], forth[p]);
	}
}

Test(a_plan, puts_each_page_on_its_stack)
{
	const struct touches c = {8, {{0, 1, END}, {2, 3, END}, {4, 5, END}, {6, 7, END}}};
	uint16_t stack[8] = {3, 3, 1, 0, 2, 1, 1, 0};
	struct plan_buffer b = {.placement = PLACE_STATIC, .n_pages = 8, .stack = stack};
	struct plan plan = {.n_buffers = 1, .buffer = &b};
	unsigned got[8];

	play(&c, KEYS("vm.placement=interleave"), &plan, false, got);
	for (unsigned p = 0; p < 8; p++)
		cr_assert_eq(got[p], stack[p]);
	b = (struct plan_buffer){.placement = PLACE_PAGES};
	play(&c, KEYS("vm.placement=interleave"), &plan, false, got);
	for (unsigned p = 0; p < 8; p++)
		cr_assert_eq(got[p], (TOUCHES_BASE / PAGE + p) % 4);
}

Test(a_plan, that_does_not_fit_the_machine_is_refused)
{
	const struct touches c = {2, {{0, END}, {1, END}, {0, END}, {1, END}}};
	uint16_t stack[2] = {1, 4};
	struct plan_buffer b = {.placement = PLACE_STATIC, .n_pages = 2, .stack = stack};
	struct plan plan = {.name = "mine", .n_buffers = 1, .buffer = &b};
	struct machine m = machine_with(KEYS("vm.placement=interleave")), identity = machine_with(KEYS("vm.enabled=false"));
	struct trace *t = touches_trace(&c);
	struct gpu_config config = {.machine = &m, .trace = t, .plan = &plan};
	struct gpu_result r;
	struct err e = {""};

	cr_assert_eq(gpu_run(&config, &r, &e), -1);
	cr_assert_str_eq(e.text, "plan: page 1 of buffer x on stack 4 of 4");
	e.text[0] = '\0';
	b.n_pages = 1;
	cr_assert_eq(gpu_run(&config, &r, &e), -1);
	cr_assert_str_eq(e.text, "plan: 1 pages for buffer x, which has 2");
	e.text[0] = '\0';
	config.machine = &identity;
	cr_assert_eq(gpu_run(&config, &r, &e), -1);
	cr_assert_str_eq(e.text, "plan mine places pages: that needs vm.enabled=true");
	trace_close(t);
}
