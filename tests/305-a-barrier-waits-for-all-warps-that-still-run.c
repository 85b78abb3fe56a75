/* 305: barriers, exits, CTAs and the stall breakdown. */
#include <criterion/criterion.h>

#include "support/sm_bench.h"

Test(barrier, the_next_instruction_issues_in_the_cycle_after_the_last_arrival)
{
	struct bench *b = bench_new();

	bench_op(b, OP_INT_DIV, 1, 0, -1);
	bench_op(b, OP_INT_ADD, 2, 1, -1); /* warp 1 alone: issues in cycle 145, its barrier in 146 */
	bench_op(b, OP_BARRIER, -1, -1, -1);
	bench_op(b, OP_INT_ADD, 3, 0, -1);
	bench_launch(b, 1, 2);
	bench_cta(b);
	bench_exec(b, 0, 2, 2, UINT32_MAX);
	bench_exec(b, 1, 0, 4, UINT32_MAX);
	bench_play(b, 1);
	cr_assert_eq(bench_issued(b, 0, 0), 0);
	cr_assert_eq(bench_issued(b, 1, 2), 146);
	cr_assert_eq(bench_issued(b, 0, 1), 147);
	cr_assert_eq(bench_issued(b, 1, 3), 147);
	cr_assert_eq(b->sm.stats.barriers, 1);
	bench_free(b);
}

Test(barrier, a_warp_that_exits_releases_those_that_wait_for_it)
{
	struct bench *b = bench_new();

	bench_op(b, OP_BARRIER, -1, -1, -1);
	bench_op(b, OP_INT_ADD, 3, 0, -1);
	bench_op(b, OP_INT_DIV, 1, 0, -1);
	bench_op(b, OP_EXIT, -1, 1, -1); /* waits for the quotient: cycle 145 */
	bench_launch(b, 1, 3);
	bench_cta(b);
	bench_exec(b, 0, 0, 2, UINT32_MAX);
	bench_exec(b, 1, 2, 2, UINT32_MAX);
	bench_exec(b, 2, 0, 2, UINT32_MAX);
	bench_play(b, 1);
	cr_assert_eq(bench_issued(b, 1, 1), 145);
	cr_assert_eq(bench_issued(b, 2, 1), 146, "it issued last: greedy");
	cr_assert_eq(bench_issued(b, 0, 1), 147, "the same scheduler, a cycle later");
	bench_free(b);
}

Test(barrier, ctas_do_not_wait_for_each_other)
{
	struct bench *b = bench_new();

	bench_op(b, OP_INT_DIV, 1, 0, -1);
	bench_op(b, OP_INT_ADD, 2, 1, -1);
	bench_op(b, OP_BARRIER, -1, -1, -1);
	bench_op(b, OP_INT_ADD, 3, 0, -1);
	bench_launch(b, 2, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 4, UINT32_MAX);
	bench_cta(b);
	bench_exec(b, 0, 2, 2, UINT32_MAX);
	bench_play(b, 2);
	cr_assert_eq(bench_issued(b, 1, 0), 1, "CTA 1 arrives in cycle 1");
	cr_assert_eq(bench_issued(b, 1, 1), 2);
	cr_assert_eq(b->done_at[1], 3, "a cycle after its last issue");
	cr_assert_eq(b->done_at[0], 148);
	bench_free(b);
}

Test(barrier, an_instruction_that_no_lane_executes_takes_an_issue_slot_and_nothing_else)
{
	struct bench *b = bench_new();

	bench_load(b, SPACE_GLOBAL, 4, 1, 0);
	bench_op(b, OP_INT_ADD, 2, 1, -1);
	bench_op(b, OP_BARRIER, -1, -1, -1);
	bench_op(b, OP_INT_ADD, 3, 0, -1);
	bench_launch(b, 1, 2);
	bench_cta(b);
	bench_exec(b, 0, 0, 1, 0);
	bench_exec(b, 0, 1, 1, UINT32_MAX);
	bench_exec(b, 0, 2, 1, 0);
	bench_exec(b, 0, 3, 1, UINT32_MAX);
	bench_exec(b, 1, 1, 1, UINT32_MAX);
	bench_play(b, 1);
	for (unsigned i = 0; i < 4; i++)
		cr_assert_eq(bench_issued(b, 0, i), i);
	cr_assert_eq(b->n_sent, 0);
	cr_assert_eq(b->sm.stats.warp_insts, 5);
	cr_assert_eq(sm_thread_insts(&b->sm.stats), 3 * 32);
	bench_free(b);
}

/* One warp: div (145), add, branch (4), add: by hand, scheduler 0 issues in cycles 0, 145, 146, 150. */
Test(stalls, each_cycle_is_counted_once_under_the_cause_that_held)
{
	struct bench *b = bench_new();
	uint64_t(*l)[SM_MAX_SCHEDULERS] = b->sm.stats.stalls;
	uint64_t sum[2] = {0, 0};

	bench_op(b, OP_INT_DIV, 1, 0, -1);
	bench_op(b, OP_INT_ADD, 2, 1, -1);
	bench_op(b, OP_BRANCH, -1, -1, -1);
	bench_op(b, OP_INT_ADD, 3, 0, -1);
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 4, UINT32_MAX);
	bench_play(b, 1);
	cr_assert_eq(l[STALL_ISSUED][0], 4);
	cr_assert_eq(l[STALL_ARITHMETIC][0], 144 + 3);
	cr_assert_eq(l[STALL_IDLE][0], b->cycles - 151);
	cr_assert_eq(b->sm.stats.stalls[STALL_IDLE][1], b->cycles);
	for (unsigned s = 0; s < 2; s++)
		for (unsigned i = 0; i < STALL_COUNT; i++)
			sum[s] += b->sm.stats.stalls[i][s];
	cr_assert_eq(sum[0], b->cycles);
	cr_assert_eq(sum[1], b->cycles);
	bench_free(b);
}

/* Two warps of one scheduler, one SP unit, divisions with an interval of 8: the second one's operands are ready while
 * the unit is held. Then a barrier that one of them reaches late. */
Test(stalls, a_held_pipeline_goes_before_a_wait_for_a_result_and_a_barrier_comes_last)
{
	struct bench *b = bench_new();
	uint64_t(*l)[SM_MAX_SCHEDULERS] = b->sm.stats.stalls;

	b->m.pipe.sp = 1;
	b->m.sm.schedulers = 1;
	bench_op(b, OP_INT_DIV, 1, 0, -1);
	bench_op(b, OP_BARRIER, -1, -1, -1);
	bench_launch(b, 1, 2);
	bench_cta(b);
	bench_exec(b, 0, 0, 2, UINT32_MAX); /* div in 0, barrier in 1 */
	bench_exec(b, 1, 0, 2, UINT32_MAX); /* div in 8 (the unit is held in 2..7), barrier in 9 */
	bench_play(b, 1);
	cr_assert_eq(bench_issued(b, 1, 0), 8);
	cr_assert_eq(l[STALL_ISSUED][0], 4);
	cr_assert_eq(l[STALL_PIPELINE][0], 6);
	cr_assert_eq(l[STALL_ARITHMETIC][0] + l[STALL_BARRIER][0], 0);
	bench_free(b);
}
