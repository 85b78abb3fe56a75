/* 820: the dispatcher alone, with groups: each SM gets groups one after the other, in the cycles that hw/twins/paver.h
 * states; what remains at the end is stolen, or not. */
#include <criterion/criterion.h>

#include "base/err.h"
#include "support/dispatch_bench.h"

enum { SMS = 3 };

static struct plan_lists lists;
static struct plan_launch launch = {.dispatch = DISPATCH_GROUPS, .lists = &lists};
static const struct plan plan = {.n_launches = 1, .launch = &launch, .n_sms = SMS};

static struct bench_cta of(const struct dispatch_bench *b, uint32_t cta)
{
	for (uint32_t i = 0; i < b->n; i++)
		if (b->ran[i].cta == cta)
			return b->ran[i];
	cr_assert_fail("CTA %u did not run", cta);
	return (struct bench_cta){0};
}

/* Told in cycle 0; the first SM's group is asked for in 2, its first CTA 2 cycles after the answer, and shown the cycle
 * after that answer; it begins a cycle later. One request goes out a cycle, so the second SM is a cycle behind. The
 * next CTA of an SM follows its fetch: asked for 2 cycles after the last was given, shown 1 after the answer. */
Test(groups, a_cta_begins_after_its_fetches)
{
	static const uint32_t first[] = {0, 2, 4}, cta[] = {3, 1, 0, 2};
	struct trace *t = dispatch_bench_trace((uint32_t[]){4}, 1);
	struct arena a = {0};
	uint64_t length = 1000;

	lists = (struct plan_lists){.n = 2, .first = first, .cta = cta, .steal = false};
	for (uint64_t latency = 1; latency <= 200; latency = 2 * latency + 1) {
		struct dispatch_bench b = {
			.sms = SMS, .limit = 4, .plan = &plan, .cycles = dispatch_bench_same, .ctx = &length, .latency = latency};
		uint64_t shown = 2 + latency + 2 + latency + 1;

		dispatch_bench_run(&b, t, &a);
		cr_assert_eq(of(&b, 3).start, shown + 1, "%lu: %lu", latency, of(&b, 3).start);
		cr_assert_eq(of(&b, 0).sm, 1);
		cr_assert_eq(of(&b, 0).start, shown + 2);
		cr_assert_eq(of(&b, 1).sm, 0);
		cr_assert_eq(of(&b, 1).start, of(&b, 3).start + 2 + latency + 1);
		/* SM 0 waits from cycle 0 on but for the two cycles in which a CTA is there for it; SM 1 a cycle
		 * longer; SM 2 is left without a group as soon as both are asked for. */
		cr_assert_eq(b.counts.wait_cycles, 2 * shown + 1 + 2 * (latency + 2) + 3, "%lu: %lu", latency,
			     b.counts.wait_cycles);
		cr_assert_eq(b.counts.requests, 2 + 4);
	}
	arena_free(&a);
	trace_close(t);
}

/* Groups of equal CTAs, as many as SMs, take equally long: nothing is stolen although it may be. */
Test(groups, equal_groups_mean_no_steal)
{
	static const uint32_t first[] = {0, 4, 8, 12}, cta[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
	struct trace *t = dispatch_bench_trace((uint32_t[]){12}, 1);
	struct arena a = {0};

	lists = (struct plan_lists){.n = 3, .first = first, .cta = cta, .steal = true};
	for (uint64_t length = 1; length <= 100; length += 9)
		for (uint32_t limit = 1; limit <= 4; limit++) {
			struct dispatch_bench b = {.sms = SMS,
						   .limit = limit,
						   .plan = &plan,
						   .cycles = dispatch_bench_same,
						   .ctx = &length,
						   .latency = 5};

			dispatch_bench_run(&b, t, &a);
			cr_assert_eq(b.counts.steals, 0);
			for (uint32_t c = 0; c < 12; c++)
				cr_assert_eq(of(&b, c).sm, c / 4);
		}
	arena_free(&a);
	trace_close(t);
}

/* One group of twelve CTAs for three SMs. Without stealing one SM runs all. With it SM 1 asks when eleven at most wait
 * at SM 0, one of them pinned: max - floor(11 / 3) = 10 - 3 = 7 go (Algorithm 2). */
Test(groups, an_idle_sm_steals_from_the_longest)
{
	static const uint32_t first[] = {0, 12}, cta[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
	struct trace *t = dispatch_bench_trace((uint32_t[]){12}, 1);
	struct arena a = {0};
	uint64_t length = 500;
	struct dispatch_bench b = {
		.sms = SMS, .limit = 1, .plan = &plan, .cycles = dispatch_bench_same, .ctx = &length, .latency = 5};
	uint64_t alone;
	uint32_t n = 0;

	lists = (struct plan_lists){.n = 1, .first = first, .cta = cta, .steal = false};
	dispatch_bench_run(&b, t, &a);
	for (uint32_t i = 0; i < b.n; i++)
		cr_assert_eq(b.ran[i].sm, 0);
	cr_assert_eq(b.counts.steals, 0);
	alone = b.end;
	lists.steal = true;
	dispatch_bench_run(&b, t, &a);
	cr_assert_eq(of(&b, 5).sm, 1); /* the seven last of the list, in their order: 5 is the first of them */
	for (uint32_t c = 0; c < 5; c++)
		cr_assert_eq(of(&b, c).sm, 0);
	for (uint32_t i = 0; i < b.n; i++)
		n += b.ran[i].sm != 0;
	cr_assert_eq(b.counts.ran_stolen, n);
	cr_assert_geq(b.counts.stolen, 7);
	cr_assert_lt(b.end, alone / 2);
	arena_free(&a);
	trace_close(t);
}

/* Launches in groups before and after others, groups of all sizes and none, any lengths: every CTA runs once (the bench
 * checks), at the same time whether idle cycles are left out or not. */
Test(groups, every_cta_runs_once_in_any_order)
{
	static const uint32_t ctas[] = {40, 7, 25};
	static const uint32_t first0[] = {0, 0, 13, 14, 30, 40, 40}, first2[] = {0, 25};
	uint32_t cta0[40], cta2[25];
	struct plan_lists l0 = {.n = 6, .first = first0, .cta = cta0, .steal = true},
			  l2 = {.n = 1, .first = first2, .cta = cta2, .steal = true};
	struct plan_launch l[3] = {{.dispatch = DISPATCH_GROUPS, .lists = &l0},
				   {.dispatch = DISPATCH_ROUND_ROBIN},
				   {.dispatch = DISPATCH_GROUPS, .lists = &l2}};
	struct plan p = {.n_launches = 3, .launch = l, .n_sms = SMS};
	struct trace *t = dispatch_bench_trace(ctas, 3);
	struct arena a = {0};
	struct err e = {""};
	uint64_t steals = 0;

	for (uint32_t c = 0; c < 40; c++)
		cta0[c] = (c * 7 + 3) % 40;
	for (uint32_t c = 0; c < 25; c++)
		cta2[c] = 24 - c;
	cr_assert_eq(plan_check(&p, t, &e), 0, "%s", e.text);
	for (uint64_t seed = 1; seed <= 40; seed++) {
		uint64_t lengths = seed, again = seed;
		struct dispatch_bench b = {.sms = SMS,
					   .limit = 1 + seed % 3,
					   .plan = &p,
					   .cycles = dispatch_bench_random,
					   .ctx = &lengths,
					   .latency = 1 + seed * 5 % 41};
		struct dispatch_bench c = b;

		dispatch_bench_run(&b, t, &a);
		c.every_cycle = true;
		c.ctx = &again;
		dispatch_bench_run(&c, t, &a);
		cr_assert_eq(b.end, c.end);
		cr_assert_arr_eq(b.ran, c.ran, b.n * sizeof *b.ran);
		cr_assert_arr_eq(&b.counts, &c.counts, sizeof b.counts);
		cr_assert_eq(b.counts.ctas, 40 + 25);
		cr_assert_eq(b.counts.groups, 6 + 1);
		steals += b.counts.steals;
	}
	cr_assert_gt(steals, 0);
	arena_free(&a);
	trace_close(t);
}

Test(groups, an_sm_too_many_is_refused)
{
	static const uint32_t first[] = {0, 2}, cta[] = {0, 1}, limit[] = {1};
	struct trace *t = dispatch_bench_trace((uint32_t[]){2}, 1);
	struct plan p = {.n_launches = 1, .launch = &launch, .n_sms = 257};
	struct arena a = {0};
	struct cta_start_queue *start = arena_array(&a, 257, sizeof *start);
	struct cta_done_queue *done = arena_array(&a, 257, sizeof *done);
	struct hw_binder golden = hw_golden_binder(&a);
	const struct dispatch_config c = {.n_sms = 257,
					  .period = 10,
					  .cta_latency = 1,
					  .trace = t,
					  .limit = limit,
					  .plan = &p,
					  .start = start,
					  .done = done,
					  .hardware = {.binder = &golden, .table_latency = {50}}};
	struct err e = {""};
	struct dispatch d;

	lists = (struct plan_lists){.n = 1, .first = first, .cta = cta, .steal = false};
	cr_assert_eq(dispatch_init(&d, &a, &c, &e), -1);
	cr_assert_str_eq(e.text, "plan: paver: 257 SMs: 1 to 256 are possible");
	arena_free(&a);
	trace_close(t);
}
