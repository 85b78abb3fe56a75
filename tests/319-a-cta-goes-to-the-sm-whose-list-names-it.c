/* 319: the dispatcher alone: lists are followed to the letter; a pair waits until an SM has room for both of it. Lists
 * that do not hold every CTA once are refused. */
#include <criterion/criterion.h>

#include "base/err.h"
#include "support/dispatch_bench.h"

static struct bench_cta of(const struct dispatch_bench *b, uint32_t cta)
{
	for (uint32_t i = 0; i < b->n; i++)
		if (b->ran[i].cta == cta)
			return b->ran[i];
	cr_assert_fail("CTA %u did not run", cta);
	return (struct bench_cta){0};
}

/* ---- lists ---- */

/* SM 1's list is empty, SM 2's is long and in no order. */
static const uint32_t first[] = {0, 3, 3, 11, 12}, listed[] = {7, 0, 5, 11, 10, 1, 9, 2, 8, 3, 6, 4};
static const struct plan_lists lists = {.n = 4, .first = first, .cta = listed};

Test(lists, an_sm_gets_its_own_list_in_order)
{
	struct plan_launch l = {.dispatch = DISPATCH_LISTS, .lists = &lists};
	struct plan p = {.n_launches = 1, .launch = &l, .n_sms = 4};
	struct trace *t = dispatch_bench_trace((uint32_t[]){12}, 1);
	struct arena a = {0};

	for (uint64_t seed = 1; seed <= 20; seed++) {
		uint64_t lengths = seed;
		struct dispatch_bench b = {.sms = 4, .limit = 2, .plan = &p, .cycles = dispatch_bench_random, .ctx = &lengths};
		uint32_t given[4] = {0};

		dispatch_bench_run(&b, t, &a);
		for (uint32_t i = 0; i < b.n; i++) {
			uint32_t s = b.ran[i].sm;

			cr_assert_lt(first[s] + given[s], first[s + 1]);
			cr_assert_eq(b.ran[i].cta, listed[first[s] + given[s]++]);
		}
	}
	arena_free(&a);
	trace_close(t);
}

/* ---- pairs ---- */

static struct plan_launch pairs = {.dispatch = DISPATCH_PAIR_WAIT};
static const struct plan pair_plan = {.n_launches = 1, .launch = &pairs, .n_sms = 3};

static uint32_t beside(const struct dispatch_bench *b, struct bench_cta c)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < b->n; i++)
		n += b->ran[i].sm == c.sm && b->ran[i].cta / 2 != c.cta / 2 && b->ran[i].start <= c.start &&
		     b->ran[i].end > c.start;
	return n;
}

Test(pairs, both_begin_when_two_contexts_are_free)
{
	struct trace *t = dispatch_bench_trace((uint32_t[]){60}, 1);
	struct arena a = {0};
	bool third = false;

	for (uint64_t seed = 1; seed <= 20; seed++) {
		uint64_t lengths = seed;
		struct dispatch_bench b = {
			.sms = 3, .limit = 3, .plan = &pair_plan, .cycles = dispatch_bench_random, .ctx = &lengths};

		dispatch_bench_run(&b, t, &a);
		for (uint32_t k = 0; k < 30; k++) {
			struct bench_cta x = of(&b, 2 * k), y = of(&b, 2 * k + 1);

			cr_assert_eq(x.sm, y.sm);
			cr_assert_eq(y.start, x.start + 1);
			cr_assert_leq(beside(&b, x), 1);
			third |= beside(&b, x) == 1;
		}
	}
	cr_assert(third);
	arena_free(&a);
	trace_close(t);
}

/* CTAs of one length end in pairs: of three contexts one is never used (section 6.3 of the PAVER paper, its
 * storeGPU). */
Test(pairs, an_odd_number_of_contexts_leaves_one_empty)
{
	struct trace *t = dispatch_bench_trace((uint32_t[]){60}, 1);
	struct arena a = {0};
	uint64_t length = 20;
	struct dispatch_bench b = {.sms = 3, .limit = 3, .plan = &pair_plan, .cycles = dispatch_bench_same, .ctx = &length};

	dispatch_bench_run(&b, t, &a);
	for (uint32_t i = 0; i < b.n; i++)
		cr_assert_eq(beside(&b, b.ran[i]), 0);
	arena_free(&a);
	trace_close(t);
}

/* CTA 0 ends early; CTA 2 waits for CTA 1 all the same. */
static uint64_t even_are_short(void *ctx, uint32_t launch, uint32_t cta)
{
	(void)ctx;
	(void)launch;
	return cta % 2 ? 30 : 5;
}

Test(pairs, a_pair_waits_for_both_contexts)
{
	struct plan_launch robin = {.dispatch = DISPATCH_ROUND_ROBIN};
	struct plan plain = {.n_launches = 1, .launch = &robin, .n_sms = 1};
	struct trace *t = dispatch_bench_trace((uint32_t[]){4}, 1);
	struct arena a = {0};
	struct dispatch_bench b = {.sms = 1, .limit = 2, .plan = &pair_plan, .cycles = even_are_short};

	dispatch_bench_run(&b, t, &a);
	cr_assert_eq(of(&b, 2).start, of(&b, 1).end + 2);
	cr_assert_eq(of(&b, 3).start, of(&b, 1).end + 3);
	b.plan = &plain;
	dispatch_bench_run(&b, t, &a);
	cr_assert_eq(of(&b, 2).start, of(&b, 0).end + 2);
	arena_free(&a);
	trace_close(t);
}

/* Where one CTA fits, and for the last of an odd number, there is no pair: as round robin. */
Test(pairs, a_cta_without_a_partner_goes_alone)
{
	struct trace *t = dispatch_bench_trace((uint32_t[]){3}, 1);
	struct arena a = {0};
	uint64_t length = 20;
	struct dispatch_bench b = {.sms = 3, .limit = 1, .plan = &pair_plan, .cycles = dispatch_bench_same, .ctx = &length};

	dispatch_bench_run(&b, t, &a);
	for (uint32_t c = 0; c < 3; c++)
		cr_assert_eq(of(&b, c).sm, c);
	b.sms = 1;
	b.limit = 2;
	b.cycles = even_are_short;
	dispatch_bench_run(&b, t, &a);
	cr_assert_eq(of(&b, 2).start, of(&b, 0).end + 2); /* beside CTA 1 */
	arena_free(&a);
	trace_close(t);
}

/* ---- what is refused ---- */

static void refused(const struct plan *p, struct trace *t, const char *why)
{
	struct err e = {""};

	cr_assert_eq(plan_check(p, t, &e), -1);
	cr_assert_str_eq(e.text, why);
}

Test(lists, every_cta_is_in_them_once)
{
	static const uint32_t halves[] = {0, 2, 4};
	struct plan_lists l = {.n = 2, .first = halves, .cta = (uint32_t[]){3, 1, 0, 2}};
	struct plan_launch launch = {.dispatch = DISPATCH_LISTS, .lists = &l};
	struct plan p = {.n_launches = 1, .launch = &launch, .n_sms = 2};
	struct trace *t = dispatch_bench_trace((uint32_t[]){4}, 1);
	struct err e = {""};

	cr_assert_eq(plan_check(&p, t, &e), 0, "%s", e.text);
	l.cta = (uint32_t[]){3, 1, 0, 3};
	refused(&p, t, "plan: launch 0: CTA 3 is in the lists twice");
	l.cta = (uint32_t[]){3, 1, 0, 4};
	refused(&p, t, "plan: launch 0 has 4 CTAs; a list names CTA 4");
	l = (struct plan_lists){.n = 2, .first = (uint32_t[]){0, 2, 3}, .cta = (uint32_t[]){3, 1, 0}};
	refused(&p, t, "plan: launch 0: CTA 2 is in no list");
	p.n_sms = 3;
	refused(&p, t, "plan: launch 0: 2 lists for 3 SMs");
	launch.lists = NULL;
	refused(&p, t, "plan: launch 0 has no lists");
	p.n_launches = 2;
	refused(&p, t, "plan: is for 2 launches, but the trace has 1");
	trace_close(t);
}

/* SM 1 runs the other program, which has no launches here. */
Test(lists, a_program_keeps_to_its_sms)
{
	static const uint32_t halves[] = {0, 2, 4};
	struct plan_lists l = {.n = 2, .first = halves, .cta = (uint32_t[]){3, 1, 0, 2}};
	struct plan_launch launch = {.dispatch = DISPATCH_LISTS, .lists = &l};
	struct plan_program program[2] = {{.n_launches = 1}, {.first_launch = 1}};
	struct plan p = {.n_launches = 1,
			 .launch = &launch,
			 .n_sms = 2,
			 .n_programs = 2,
			 .program = program,
			 .program_of_sm = (uint16_t[]){0, 1}};
	struct trace *t = dispatch_bench_trace((uint32_t[]){4}, 1);

	refused(&p, t, "plan: launch 0: its list 1 is not empty, but SM 1 belongs to another program");
	trace_close(t);
}
