/* 322: sm.lsu_queue: a memory instruction issues while the unit is at work, and is served in its turn. */
#include <criterion/criterion.h>

#include "support/sm_bench.h"

enum { L1_HIT_LATENCY = 35, SHARED_LATENCY = 26, CONST_LATENCY = 4 /* of machines/gtx480.yaml */, LINES = 32 };
#define BASE UINT64_C(0x10000000)

static struct bench *queue_of(uint32_t n)
{
	struct bench *b = bench_new();

	b->m.sm.lsu_queue = n;
	b->m.sm.schedulers = 1;
	b->m.l1.c.mshr_entries = 256;
	b->kernel.shared_bytes = 32768;
	return b;
}

/* Five warps load 32 lines each, all different, but for the fifth, which loads the first one's. */
static struct bench *five_warps(uint32_t queue)
{
	struct bench *b = queue_of(queue);

	bench_load(b, SPACE_GLOBAL, 4, 1, 0);
	bench_launch(b, 1, 5);
	bench_cta(b);
	for (unsigned w = 0; w < 5; w++) {
		bench_exec(b, w, 0, 1, UINT32_MAX);
		bench_addrs(b, w, BASE + w % 4 * LINES * 128, 128);
	}
	bench_play(b, 1);
	return b;
}

/* Queue of n: n + 1 instructions are in the unit, and each further one issues when one of them is done. */
Test(lsu_queue, one_more_instruction_issues_for_each_that_may_wait)
{
	static const unsigned issued[4][5] = {
		{0, 32, 64, 96, 128},
		{0, 1, 32, 64, 96},
		{0, 1, 2, 32, 64},
		{0, 1, 2, 3, 32},
	};

	for (unsigned q = 0; q < 4; q++) {
		struct bench *b = five_warps(q);

		for (unsigned w = 0; w < 5; w++)
			cr_expect_eq(bench_issued(b, w, 0), issued[q][w], "queue of %u: warp %u at %lu", q, w,
				     bench_issued(b, w, 0));
		for (unsigned k = 0; k < 4 * LINES; k++)
			cr_expect_eq(b->sent_at[k], (k + 1) * b->sm.period, "a line a cycle, whatever waits");
		cr_expect_eq(b->n_sent, 4 * LINES);
		bench_free(b);
	}
}

/* The shared load is served in cycle 33, behind the 32 lines, whether it issues in cycle 1 or in 32. */
Test(lsu_queue, what_waits_is_served_in_order_and_its_registers_are_known_then)
{
	for (uint32_t q = 0; q < 3; q++) {
		struct bench *b = queue_of(q);

		bench_load(b, SPACE_GLOBAL, 4, 1, 0);
		bench_load(b, SPACE_SHARED, 4, 2, 0);
		bench_op(b, OP_INT_ADD, 3, 2, -1);
		bench_launch(b, 1, 2);
		bench_cta(b);
		bench_exec(b, 0, 0, 1, UINT32_MAX);
		bench_addrs(b, 0, BASE, 128);
		bench_exec(b, 1, 1, 2, UINT32_MAX);
		bench_addrs(b, 1, 0, 8); /* two lanes a bank */
		bench_play(b, 1);
		cr_expect_eq(bench_issued(b, 1, 0), q ? 1 : 32);
		cr_expect_eq(bench_issued(b, 1, 1), 32 + SHARED_LATENCY + 1, "and a cycle for the conflict");
		cr_expect_eq(b->sm.lsu.stats.shared_cycles, 2);
		bench_free(b);
	}
}

Test(lsu_queue, parameters_take_their_turn_too)
{
	for (uint32_t q = 0; q < 3; q++) {
		struct bench *b = queue_of(q);

		bench_load(b, SPACE_GLOBAL, 4, 1, 0);
		bench_load(b, SPACE_PARAM, 4, 2, -1);
		bench_op(b, OP_INT_ADD, 3, 2, -1);
		bench_launch(b, 1, 2);
		bench_cta(b);
		bench_exec(b, 0, 0, 1, UINT32_MAX);
		bench_addrs(b, 0, BASE, 128);
		bench_exec(b, 1, 1, 2, UINT32_MAX);
		bench_play(b, 1);
		cr_expect_eq(bench_issued(b, 1, 1), 32 + CONST_LATENCY);
		cr_expect_eq(b->sm.lsu.stats.params, 1);
		bench_free(b);
	}
}

/* With nothing ahead, load-to-use is what it is without a queue. */
Test(lsu_queue, alone_in_the_unit_an_instruction_is_served_a_cycle_after_its_issue)
{
	struct bench *b = queue_of(4);

	for (unsigned i = 0; i < 2; i++) {
		bench_load(b, SPACE_GLOBAL, 4, 1, i ? 2 : 0);
		bench_op(b, OP_INT_ADD, 2, 1, -1);
	}
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 4, UINT32_MAX);
	for (unsigned i = 0; i < 2; i++)
		bench_addrs(b, 0, BASE, 4);
	bench_play(b, 1);
	cr_expect_eq(bench_issued(b, 0, 1), 1 + 100 + L1_HIT_LATENCY - 1);
	cr_expect_eq(bench_issued(b, 0, 3) - bench_issued(b, 0, 2), L1_HIT_LATENCY);
	bench_free(b);
}

/* One MSHR entry: the second line of warp 0 waits for the first one's reply, in cycle 101; warp 1's line hits then. */
Test(lsu_queue, a_fail_holds_up_all_that_is_behind_it)
{
	struct bench *b = queue_of(2);

	b->m.l1.c.mshr_entries = 1;
	bench_load(b, SPACE_GLOBAL, 4, 1, 0);
	bench_load(b, SPACE_GLOBAL, 4, 2, 0);
	bench_op(b, OP_INT_ADD, 3, 2, -1);
	bench_launch(b, 1, 2);
	bench_cta(b);
	bench_exec(b, 0, 0, 1, UINT32_MAX);
	bench_addrs(b, 0, BASE, 8); /* lines 0 and 1 */
	bench_exec(b, 1, 1, 2, UINT32_MAX);
	bench_addrs(b, 1, BASE, 4); /* line 0 */
	bench_play(b, 1);
	cr_expect_eq(bench_issued(b, 1, 0), 1);
	cr_expect_eq(b->sent_at[1], 101 * b->sm.period);
	cr_expect_eq(l1_total(&b->sm.lsu.l1).hits, 1);
	cr_expect_eq(b->sm.lsu.l1.stats.fail_cycles[L1_FAIL_ENTRY - L1_FAIL_LINE], 101 - 2);
	cr_expect_eq(bench_issued(b, 1, 1), 102 + L1_HIT_LATENCY - 1);
	bench_free(b);
}

/* Sixteen bank cycles behind 32 lines: the CTA's warps have ended long before, the CTA has not. */
Test(lsu_queue, a_cta_ends_when_its_last_shared_access_has_been_served)
{
	struct bench *b = queue_of(2);

	bench_store(b, SPACE_GLOBAL, 4, 1, 0);
	bench_store(b, SPACE_SHARED, 4, 1, 0);
	bench_launch(b, 1, 2);
	bench_cta(b);
	bench_exec(b, 0, 0, 1, UINT32_MAX);
	bench_addrs(b, 0, BASE, 128);
	bench_exec(b, 1, 1, 1, UINT32_MAX);
	bench_addrs(b, 1, 0, 64); /* 16 lanes a bank */
	b->memory_ticks = b->m.clock.period[CLOCK_CORE];
	bench_play(b, 1);
	cr_expect_eq(bench_issued(b, 1, 0), 1);
	cr_expect_eq(b->done_at[0], 32 + 16 + 1);
	bench_free(b);
}
