/* 167: time on the common clock and cycles of a component's own are different types: the compiler, called as the
 * model's own sources are, refuses one where the other is due. What leads from one to the other rounds as stated. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "base/ticks.h"
#include "support/at_tick.h"
#include "support/program.h"

static bool compiles(const char *name, const char *body)
{
	char text[1024];

	snprintf(text, sizeof text,
		 "#include \"dram/dram.h\"\n"
		 "#include \"sm/sm.h\"\n"
		 "struct ticks f(struct sm *sm, struct dram *d, struct mem_req_queue *q, struct mem_req *r, struct ticks now,\n"
		 "               uint64_t cycle);\n"
		 "struct ticks f(struct sm *sm, struct dram *d, struct mem_req_queue *q, struct mem_req *r, struct ticks now,\n"
		 "               uint64_t cycle)\n"
		 "{\n"
		 "\t(void)sm, (void)d, (void)q, (void)r, (void)cycle;\n"
		 "\t%s\n"
		 "\treturn now;\n"
		 "}\n",
		 body);
	return program_compiles(name, text);
}

Test(ticks, what_names_the_clock_compiles)
{
	cr_assert(compiles("push.c", "*queue_push(q, ticks_of(cycle, sm->period)) = *r;"));
	cr_assert(compiles("front.c", "*r = *queue_front(q, now);"));
	cr_assert(compiles("step.c", "now = dram_step(d, ticks_of(cycle, d->period));"));
	cr_assert(compiles("cycle.c", "sm->now = cycles_in(now, sm->period);"));
	cr_assert(compiles("later.c", "now = ticks_after(now, sm->m->l1.latency, sm->period);"));
	cr_assert(compiles("wake.c", "q->ring.consumer.wake = &now;"));
	cr_assert(compiles("stamp.c", "r->at[REQ_SENT] = stamp_of(now);"));
}

Test(ticks, cycles_where_ticks_are_due_do_not)
{
	cr_assert_not(compiles("push.c", "*queue_push(q, cycle) = *r;"));
	cr_assert_not(compiles("front.c", "*r = *queue_front(q, sm->now);"));
	cr_assert_not(compiles("step.c", "now = dram_step(d, cycle);"));
	cr_assert_not(compiles("wake.c", "q->ring.consumer.wake = &cycle;"));
	cr_assert_not(compiles("room.c", "(void)queue_has_space(q, now, &cycle);"));
	cr_assert_not(compiles("add.c", "now = ticks_add(now, cycle);"));
	cr_assert_not(compiles("never.c", "cycle = TIME_NEVER;"));
}

Test(ticks, ticks_where_cycles_are_due_do_not)
{
	cr_assert_not(compiles("field.c", "sm->now = now;"));
	cr_assert_not(compiles("sum.c", "cycle = cycle + now;"));
	cr_assert_not(compiles("less.c", "if (sm->now < now) cycle = 0;"));
	cr_assert_not(compiles("access.c", "l1_access(&sm->l1, now, NULL);"));
	cr_assert_not(compiles("finish.c", "sm_finish(sm, now);"));
	cr_assert_not(compiles("of.c", "now = ticks_of(now, sm->period);"));
}

Test(ticks, half_a_time_is_neither)
{
	cr_assert_not(compiles("stamp.c", "r->at[REQ_SENT] = now;"));
	cr_assert_not(compiles("cycle.c", "r->at[REQ_SENT] = (uint32_t)cycle;"));
	cr_assert_not(compiles("back.c", "now = r->at[REQ_SENT];"));
}

/* A network of 1400 MHz on a common clock of 46.2 GHz has a cycle of 33 ticks. */
Test(ticks, an_edge_is_the_first_at_or_after_a_time)
{
	static const struct {
		uint64_t at, edge, in, up;
	} known[] = {
		{0, 0, 0, 0},	{1, 33, 0, 1},	      {32, 33, 0, 1},	      {33, 33, 1, 1},
		{34, 66, 1, 2}, {1000, 1023, 30, 31}, {3300, 3300, 100, 100},
	};

	for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
		struct ticks t = at_tick(known[i].at);

		cr_expect_eq(ticks_edge(t, 33).n, known[i].edge, "tick %lu", (unsigned long)t.n);
		cr_expect_eq(ticks_is_edge(t, 33), known[i].at == known[i].edge, "tick %lu", (unsigned long)t.n);
		cr_expect_eq(cycles_in(t, 33), known[i].in, "tick %lu", (unsigned long)t.n);
		cr_expect_eq(cycles_up(t, 33), known[i].up, "tick %lu", (unsigned long)t.n);
		cr_expect_eq(ticks_of(known[i].up, 33).n, known[i].edge);
	}
	for (uint64_t n = 0; n < 100; n++)
		cr_expect_eq(ticks_edge(at_tick(n), 1).n, n, "every tick is an edge of the common clock");
	cr_expect_eq(ticks_after(at_tick(5), 3, 33).n, 104);
}

Test(ticks, never_is_no_edge_and_later_than_any_time)
{
	cr_expect(ticks_is_never(TIME_NEVER));
	cr_expect_not(ticks_is_never(at_tick(UINT64_MAX - 1)));
	for (uint64_t period = 1; period < 100; period++)
		cr_expect(ticks_is_never(ticks_edge(TIME_NEVER, period)), "period %lu", (unsigned long)period);
	cr_expect(ticks_before(at_tick(UINT64_MAX - 1), TIME_NEVER));
	cr_expect_eq(ticks_earlier(TIME_NEVER, at_tick(7)).n, 7);
	cr_expect(ticks_is_never(ticks_later(TIME_NEVER, at_tick(7))));
}

Test(ticks, what_is_due_at_a_time_has_come_by_it_and_not_before)
{
	cr_expect_not(ticks_by(at_tick(10), at_tick(9)));
	cr_expect(ticks_by(at_tick(10), at_tick(10)));
	cr_expect_not(ticks_before(at_tick(10), at_tick(10)));
	cr_expect(ticks_before(at_tick(10), at_tick(11)));
	cr_expect_eq(ticks_between(at_tick(10), at_tick(17)).n, 7);
	cr_expect_eq(ticks_add(at_tick(10), at_tick(7)).n, 17);
}

/* The low half starts anew every 2^32 ticks, 93 ms of 46.2 GHz. */
Test(ticks, stamps_are_apart_what_the_times_are)
{
	static const uint64_t base[] = {0, 1000, UINT32_MAX - 20, UINT32_MAX, UINT64_C(5) << 32};

	for (unsigned i = 0; i < sizeof base / sizeof *base; i++) {
		struct stamp a = stamp_of(at_tick(base[i])), b = stamp_of(at_tick(base[i] + 40));

		cr_expect_eq(stamp_between(a, b), 40);
		cr_expect_eq(stamp_between(b, a), 0, "it came before");
		cr_expect_eq(stamp_later(a, b).low, b.low);
		cr_expect_eq(stamp_later(b, a).low, b.low);
	}
}
