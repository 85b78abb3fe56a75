/* 396: where a plan dispatches CTAs in an order in which those that wait take all places, the run ends with a line that
 * says who waits for whom; by their numbers the same CTAs end. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "support/machine.h"
#include "support/waits_rig.h"

enum { CTAS = 6 };

/* Each CTA waits for the one before it. */
static struct trace *chain(void)
{
	struct waits_rig *r = waits_rig_new(CTAS, 1);
	uint32_t flag[CTAS];

	for (uint32_t c = 0; c < CTAS; c++) {
		flag[c] = waits_rig_word(r, (UINT64_C(1) << 28) + 256 * c, TRACE_SYNC_GLOBAL);
		if (c)
			waits_rig_wait(r, c, 0, flag[c - 1]);
		waits_rig_store(r, c, 0, flag[c]);
	}
	return waits_rig_end(r);
}

/* An SM that holds one CTA at a time, or several. */
static struct machine sm_of(const char *ctas)
{
	return machine_with((const char *const[]){"sm.count=1", ctas, NULL});
}

/* Last ones first. */
static const uint32_t first[] = {0, CTAS}, backwards[CTAS] = {5, 4, 3, 2, 1, 0};
static const struct plan_lists lists = {.n = 1, .first = first, .cta = backwards};
static struct plan_launch last_first = {.dispatch = DISPATCH_LISTS, .lists = &lists};
static const struct plan plan = {.name = "backwards", .n_launches = 1, .launch = &last_first, .n_sms = 1};

static void expect_deadlock(const char *ctas, const char *line)
{
	struct machine m = sm_of(ctas);
	struct trace *t = chain();
	struct gpu_config c = {.machine = &m, .trace = t, .plan = &plan};
	struct gpu_result r;
	struct err e = {""};

	for (unsigned reverse = 0; reverse < 2; reverse++) {
		c.reverse = reverse;
		cr_assert_eq(gpu_run(&c, &r, &e), -1);
		cr_expect_str_eq(e.text, line);
		e.text[0] = '\0';
	}
	trace_close(t);
}

Test(deadlock, names_the_waiter_and_the_cta_that_is_not_dispatched)
{
	expect_deadlock("sm.ctas=1",
			"deadlock in launch 0 (waits): warp 0 of CTA 5 waits for a value at 0x10000400 that warp 0 of CTA 4 "
			"stores, which is dispatched only when CTAs that wait have ended (dispatch lists, plan "
			"backwards)");
	expect_deadlock("sm.ctas=3",
			"deadlock in launch 0 (waits): warp 0 of CTA 3 waits for a value at 0x10000200 that warp 0 of CTA 2 "
			"stores, which is dispatched only when CTAs that wait have ended (dispatch lists, plan "
			"backwards)");
}

Test(deadlock, is_none_where_all_have_a_place_or_come_by_their_numbers)
{
	struct machine one = sm_of("sm.ctas=1"), six = sm_of("sm.ctas=6");
	struct trace *t = chain();

	free(waits_rig_run(&(struct gpu_config){.machine = &one, .trace = t}));
	free(waits_rig_run(&(struct gpu_config){.machine = &six, .trace = t, .plan = &plan}));
	trace_close(t);
}

/* ---- before the run ---- */

/* Each CTA waits for the one behind it, as they come by their numbers, in groups of so many; the last ones of groups do
 * not wait. Each has a warp more, which waits for nobody. */
static struct trace *groups_of(uint32_t n)
{
	struct waits_rig *r = waits_rig_new(CTAS, 2);
	uint32_t flag[CTAS];

	for (uint32_t c = CTAS; c-- > 0;) {
		flag[c] = waits_rig_word(r, (UINT64_C(1) << 28) + 256 * c, TRACE_SYNC_GLOBAL);
		if ((c + 1) % n)
			waits_rig_wait(r, c, 0, flag[c + 1]);
		waits_rig_store(r, c, 0, flag[c]);
		waits_rig_add(r, c, 1, flag[c]);
	}
	return waits_rig_end(r);
}

/* On two SMs. A group needs places for all its CTAs at a time, and no more. */
Test(deadlock, for_want_of_places_is_told_before_the_run)
{
	static const struct {
		uint32_t of;
		const char *fits, *does_not, *line;
	} groups[] = {
		{6, "sm.ctas=3", "sm.ctas=2",
		 "launch 0 (waits) cannot end on this machine: it holds 4 of the 6 CTAs at a time (CTAs), all of them wait, and "
		 "warp 0 of CTA 3 waits for a value at 0x10000400 that warp 0 of CTA 4 stores"},
		{3, "sm.ctas=2", "sm.ctas=1",
		 "launch 0 (waits) cannot end on this machine: it holds 2 of the 6 CTAs at a time (CTAs), all of them wait, and "
		 "warp 0 of CTA 1 waits for a value at 0x10000200 that warp 0 of CTA 2 stores"},
		{2, "sm.ctas=1", NULL, NULL},
	};

	for (unsigned i = 0; i < sizeof groups / sizeof *groups; i++) {
		struct machine m = machine_with((const char *const[]){"sm.count=2", groups[i].fits, NULL});
		struct gpu_config c = {.machine = &m, .trace = groups_of(groups[i].of)};
		struct gpu_result r;
		struct err e = {""};

		free(waits_rig_run(&c));
		if (groups[i].does_not) {
			m = machine_with((const char *const[]){"sm.count=2", groups[i].does_not, NULL});
			cr_assert_eq(gpu_run(&c, &r, &e), -1);
			cr_expect_str_eq(e.text, groups[i].line);
		}
		trace_close((struct trace *)c.trace);
	}
}

/* A trace that says of a value that nothing stores it. */
Test(deadlock, is_told_from_a_value_that_nothing_stores)
{
	struct machine m = sm_of("sm.ctas=1");
	struct waits_rig *r = waits_rig_new(1, 2);
	uint32_t flag = waits_rig_word(r, 32, 0);
	struct gpu_config c = {.machine = &m};
	struct gpu_result result;
	struct err e = {""};

	r->word[flag].n = 1;
	waits_rig_wait(r, 0, 1, flag);
	c.trace = waits_rig_end(r);
	cr_assert_eq(gpu_run(&c, &result, &e), -1);
	cr_expect_str_eq(e.text,
			 "deadlock in launch 0 (waits): warp 1 of CTA 0 waits for a value at 0x20 that nothing in the launch "
			 "stores (dispatch round-robin)");
	trace_close(c.trace);
}
