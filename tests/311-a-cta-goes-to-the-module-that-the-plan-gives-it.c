/* 311: the dispatcher alone: with affinity every CTA runs once, at the module that Equation 1 of the CODA paper gives
 * it, however long the CTAs take; without a plan CTAs go out in ascending order. */
#include <criterion/criterion.h>

#include "support/dispatch_bench.h"

enum { SMS = 8, LIMIT = 3 };

static struct dispatch_bench run(struct trace *t, const struct plan *p, uint64_t seed, struct arena *a)
{
	struct dispatch_bench b = {.sms = SMS, .limit = LIMIT, .plan = p, .cycles = dispatch_bench_random, .ctx = &seed};

	dispatch_bench_run(&b, t, a);
	return b;
}

/* Equal modules of two SMs, six CTAs a turn: block_id / 6 mod 4. */
Test(dispatch, affinity_keeps_ctas_in_their_module)
{
	static const uint32_t ctas[] = {1000, 1, 24, 25, 7};
	uint16_t module[SMS] = {0, 0, 1, 1, 2, 2, 3, 3};
	uint32_t blocks[] = {6, 6, 6, 6};
	struct plan_launch l[5];
	struct plan p = {.n_launches = 5, .launch = l, .n_sms = SMS, .n_modules = 4, .module_of_sm = module};
	struct trace *t = dispatch_bench_trace(ctas, 5);
	struct arena a = {0};

	for (int i = 0; i < 5; i++)
		l[i] = (struct plan_launch){.dispatch = DISPATCH_AFFINITY, .blocks = blocks};
	for (uint64_t seed = 1; seed <= 5; seed++) {
		struct dispatch_bench b = run(t, &p, seed, &a);

		for (uint32_t i = 0; i < b.n; i++)
			cr_assert_eq(b.ran[i].sm / 2, b.ran[i].cta / 6 % 4, "CTA %u on SM %u", b.ran[i].cta, b.ran[i].sm);
	}
	arena_free(&a);
	trace_close(t);
}

/* Turns of 9, 0 and 3: the module without CTAs stays idle, CTAs 0-8 go to the first, 9-11 to the third. */
Test(dispatch, modules_may_have_turns_of_their_own)
{
	static const uint32_t ctas[] = {500};
	uint16_t module[SMS] = {0, 0, 0, 1, 2, 2, 2, 2};
	uint32_t blocks[] = {9, 0, 3};
	struct plan_launch l = {.dispatch = DISPATCH_AFFINITY, .blocks = blocks};
	struct plan p = {.n_launches = 1, .launch = &l, .n_sms = SMS, .n_modules = 3, .module_of_sm = module};
	struct trace *t = dispatch_bench_trace(ctas, 1);
	struct arena a = {0};
	struct dispatch_bench b = run(t, &p, 7, &a);

	for (uint32_t i = 0; i < b.n; i++)
		cr_assert_eq(module[b.ran[i].sm], b.ran[i].cta % 12 < 9 ? 0 : 2, "CTA %u", b.ran[i].cta);
	arena_free(&a);
	trace_close(t);
}

/* A launch without affinity; without a plan. */
Test(dispatch, round_robin_serves_each_sm_in_turn)
{
	static const uint32_t ctas[] = {200, 200};
	struct plan_launch l[2] = {{.dispatch = DISPATCH_ROUND_ROBIN}, {.dispatch = DISPATCH_ROUND_ROBIN}};
	struct plan p = {.n_launches = 2, .launch = l, .n_sms = SMS, .n_modules = 4};
	struct trace *t = dispatch_bench_trace(ctas, 2);
	struct arena a = {0};

	for (int planned = 0; planned < 2; planned++) {
		struct dispatch_bench b = run(t, planned ? &p : NULL, 1, &a);
		uint32_t sm[2][SMS];

		for (uint32_t i = 0; i < b.n; i++)
			if (b.ran[i].cta < SMS)
				sm[b.ran[i].launch][b.ran[i].cta] = b.ran[i].sm;
		for (uint32_t c = 0; c < SMS; c++) {
			cr_assert_eq(sm[0][c], c);
			cr_assert_eq(sm[1][c], (sm[1][0] + c) % SMS);
		}
	}
	arena_free(&a);
	trace_close(t);
}
