/* 303: the schedulers: dual issue, greedy then oldest, loose round robin, shared units. */
#include <criterion/criterion.h>

#include "support/sm_bench.h"

/* Warps that each run n independent adds. */
static struct bench *adds(unsigned ctas, unsigned warps, unsigned n)
{
	struct bench *b = bench_new();

	for (unsigned i = 0; i < n; i++)
		bench_op(b, OP_INT_ADD, 10 + (int)i, 0, -1);
	bench_launch(b, ctas, warps);
	for (unsigned c = 0; c < ctas; c++) {
		bench_cta(b);
		for (unsigned w = 0; w < warps; w++)
			bench_exec(b, w, 0, n, UINT32_MAX);
	}
	return b;
}

Test(scheduler, warps_of_two_schedulers_issue_in_one_cycle)
{
	struct bench *b = adds(1, 2, 4);

	bench_play(b, 1);
	for (unsigned i = 0; i < 4; i++) {
		cr_assert_eq(bench_issued(b, 0, i), i);
		cr_assert_eq(bench_issued(b, 1, i), i);
	}
	bench_free(b);
}

Test(scheduler, warps_of_one_scheduler_share_its_issue_slot)
{
	struct bench *b = adds(1, 3, 4); /* slots 0 and 2 belong to scheduler 0 */

	bench_play(b, 1);
	for (unsigned i = 0; i < 4; i++) {
		cr_assert_eq(bench_issued(b, 0, i), i, "greedy");
		cr_assert_eq(bench_issued(b, 2, i), 4 + i);
		cr_assert_eq(bench_issued(b, 1, i), i);
	}
	bench_free(b);
}

Test(scheduler, two_schedulers_with_one_unit_issue_one_instruction_a_cycle)
{
	struct bench *b = adds(1, 2, 8);
	unsigned at[16] = {0};

	b->m.pipe.sp = 1;
	bench_play(b, 1);
	for (unsigned i = 0; i < 8; i++)
		for (unsigned s = 0; s < 2; s++)
			at[bench_issued(b, s, i)]++;
	for (unsigned c = 0; c < 16; c++)
		cr_assert_eq(at[c], 1, "cycle %u", c);
	bench_free(b);
}

/* Warps 0, 2, 4 of scheduler 0 run: add; add of its result (4 cycles later); add, independent. Greedy: each goes on
 * until it stalls, then the oldest that can. */
Test(scheduler, gto_stays_with_a_warp_until_it_stalls_and_then_takes_the_oldest)
{
	static const uint64_t want[3][4] = {
		{0, 1, 4, 5}, /* a, b, (a's result is ready) c, d */
		{2, 3, 6, 7}, /* when warp 0 is done in cycle 5, warp 2 is the oldest ready one */
		{8, 9, 12, 13},
	};
	struct bench *b = bench_new();

	bench_op(b, OP_INT_ADD, 1, 0, -1);
	bench_op(b, OP_INT_ADD, 2, 0, -1);
	bench_op(b, OP_INT_ADD, 3, 1, -1);
	bench_op(b, OP_INT_ADD, 4, 0, -1);
	bench_launch(b, 1, 5);
	bench_cta(b);
	for (unsigned w = 0; w < 5; w++)
		bench_exec(b, w, 0, 4, UINT32_MAX);
	bench_play(b, 1);
	for (unsigned w = 0; w < 3; w++)
		for (unsigned i = 0; i < 4; i++)
			cr_assert_eq(bench_issued(b, 2 * w, i), want[w][i], "warp %u, instruction %u: cycle %lu", 2 * w, i,
				     bench_issued(b, 2 * w, i));
	bench_free(b);
}

/* The youngest CTA sits in the lowest slot, left by the first one: age counts, not the slot. With three CTAs at a time,
 * the first runs in slot 0, then the second holds the scheduler while the fourth arrives in slot 0; after it the third
 * (slot 2) is next. */
Test(scheduler, gto_age_is_the_order_of_arrival_and_not_the_slot)
{
	struct bench *b = bench_new();

	for (unsigned i = 0; i < 20; i++)
		bench_op(b, OP_NOP, -1, -1, -1);
	b->m.sm.schedulers = 1;
	bench_launch(b, 4, 1);
	for (unsigned c = 0; c < 4; c++) {
		bench_cta(b);
		bench_exec(b, 0, 0, c < 2 ? 20 : 1, UINT32_MAX);
	}
	bench_play(b, 3);
	cr_assert_eq(bench_issued(b, 1, 0), 20);
	cr_assert_eq(bench_issued(b, 2, 0), 40, "the third CTA, in slot 2");
	cr_assert_eq(bench_issued(b, 0, 20), 41, "the fourth CTA, in slot 0 after 20 issues of the first");
	bench_free(b);
}

Test(scheduler, lrr_goes_round_the_warps)
{
	struct bench *b = adds(1, 6, 4); /* scheduler 0: slots 0, 2, 4 */

	b->m.sm.scheduler = SCHED_LRR;
	bench_play(b, 1);
	for (unsigned i = 0; i < 4; i++)
		for (unsigned w = 0; w < 3; w++)
			cr_assert_eq(bench_issued(b, 2 * w, i), 3 * i + w);
	bench_free(b);
}

Test(scheduler, a_branch_holds_the_warp_for_its_latency_and_no_unit)
{
	struct bench *b = bench_new();

	bench_op(b, OP_BRANCH, -1, -1, -1);
	bench_op(b, OP_INT_ADD, 1, 0, -1);
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 1, UINT32_MAX);
	bench_exec(b, 0, 0, 2, UINT32_MAX);
	bench_play(b, 1);
	cr_assert_eq(bench_issued(b, 0, 1), 4);
	cr_assert_eq(bench_issued(b, 0, 2), 8);
	bench_free(b);
}
