/* 307: the load/store unit: load-to-use at L1, shared memory, constants and parameters; throughput; stores, fences,
 * atomics. */
#include <criterion/criterion.h>

#include "support/sm_bench.h"

enum { L1_HIT_LATENCY = 35, SHARED_LATENCY = 26, CONST_LATENCY = 4 /* of machines/gtx480.yaml */ };
#define BASE UINT64_C(0x10000000)

/* load r1; add that needs r1; the same again: first a miss, then a hit. */
static struct bench *load_use_twice(enum trace_space space, int64_t stride)
{
	struct bench *b = bench_new();

	bench_load(b, space, 4, 1, 0);
	bench_op(b, OP_INT_ADD, 2, 1, -1);
	bench_load(b, space, 4, 1, 2);
	bench_op(b, OP_INT_ADD, 3, 1, -1);
	b->kernel.shared_bytes = 32768;
	b->kernel.local_bytes = 256;
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 4, UINT32_MAX);
	if (space != SPACE_PARAM)
		for (unsigned i = 0; i < 2; i++)
			bench_addrs(b, 0, space == SPACE_SHARED || space == SPACE_LOCAL ? 0 : BASE, stride);
	return b;
}

static uint64_t gap(const struct bench *b, unsigned n)
{
	return bench_issued(b, 0, n + 1) - bench_issued(b, 0, n);
}

Test(lsu, an_l1_hit_is_used_exactly_35_cycles_after_issue_and_a_miss_when_the_reply_has_come)
{
	struct bench *b = load_use_twice(SPACE_GLOBAL, 4);

	bench_play(b, 1);
	/* issue 0, looked up and sent in 1, the reply is there 100 cycles later, then as after a lookup */
	cr_assert_eq(gap(b, 0), 1 + 100 + L1_HIT_LATENCY - 1);
	cr_assert_eq(gap(b, 2), L1_HIT_LATENCY);
	cr_assert_eq(b->n_sent, 1);
	cr_assert_eq(loads_total(&b->sm.lsu.loads).loads, 2);
	cr_assert_eq(loads_total(&b->sm.lsu.loads).cycles, gap(b, 0) + gap(b, 2), "and so do the figures of the run say");
	cr_assert_eq(b->sent_at[0], b->sm.period);
	cr_assert_eq(b->done_at[0], bench_issued(b, 0, 3) + 1);
	bench_free(b);
}

Test(lsu, a_reply_that_comes_between_two_edges_is_taken_at_the_next)
{
	struct bench *b = load_use_twice(SPACE_GLOBAL, 4);

	b->memory_ticks += 1;
	bench_play(b, 1);
	cr_assert_eq(gap(b, 0), 1 + 101 + L1_HIT_LATENCY - 1);
	bench_free(b);
}

Test(lsu, each_further_line_of_a_warp_costs_a_cycle_more)
{
	for (unsigned n = 1; n <= 32; n *= 2) {
		struct bench *b = load_use_twice(SPACE_GLOBAL, 4 * (int64_t)n);

		bench_play(b, 1);
		cr_assert_eq(gap(b, 2), L1_HIT_LATENCY + n - 1, "%u lines: %lu", n, gap(b, 2));
		cr_assert_eq(loads_total(&b->sm.lsu.loads).cycles, gap(b, 0) + gap(b, 2));
		cr_assert_eq(b->n_sent, n);
		for (unsigned k = 0; k < n; k++)
			cr_assert_eq(b->sent_at[k], (k + 1) * b->sm.period, "the k-th line is looked up and sent in cycle k+1");
		bench_free(b);
	}
}

Test(lsu, shared_memory_takes_26_cycles_and_one_more_for_each_conflict)
{
	static const struct {
		int64_t stride;
		unsigned conflicts;
	} known[] = {{4, 1}, {0, 1}, {8, 2}, {16, 4}, {64, 16}, {128, 32}, {132, 1}}; /* over 32 banks of 4 bytes */

	for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++) {
		struct bench *b = load_use_twice(SPACE_SHARED, known[i].stride);

		bench_play(b, 1);
		cr_assert_eq(gap(b, 0), SHARED_LATENCY + known[i].conflicts - 1, "stride %ld", known[i].stride);
		cr_assert_eq(gap(b, 2), SHARED_LATENCY + known[i].conflicts - 1, "stride %ld", known[i].stride);
		cr_assert_eq(b->sm.lsu.stats.shared_cycles, 2 * known[i].conflicts);
		bench_free(b);
	}
}

Test(lsu, parameters_always_hit_and_constants_hit_after_the_first_time)
{
	struct bench *p = load_use_twice(SPACE_PARAM, 0), *c = load_use_twice(SPACE_CONST, 0);

	bench_play(p, 1);
	bench_play(c, 1);
	cr_assert_eq(gap(p, 0), CONST_LATENCY);
	cr_assert_eq(gap(p, 2), CONST_LATENCY);
	cr_assert_eq(p->n_sent, 0);
	cr_assert_eq(gap(c, 0), 1 + 100 + CONST_LATENCY - 1);
	cr_assert_eq(gap(c, 2), CONST_LATENCY);
	cr_assert_eq(c->n_sent, 1);
	bench_free(p);
	bench_free(c);
}

/* All lanes at their own offset 0: 32 words side by side, one line. */
Test(lsu, lanes_of_local_memory_lie_side_by_side)
{
	struct bench *b = load_use_twice(SPACE_LOCAL, 0);

	bench_play(b, 1);
	cr_assert_eq(b->n_sent, 1);
	cr_assert_eq(b->sent[0].bytes, 128);
	cr_assert_eq(b->sent[0].addr % 128, 0);
	cr_assert_eq(gap(b, 2), L1_HIT_LATENCY);
	bench_free(b);
}

/* Words w of lane l at w * 128 + 4 l: a vector of four words touches four lines; lanes at different words, as many
 * lines. */
Test(lsu, a_vector_in_local_memory_takes_a_line_a_word)
{
	struct bench *b = bench_new();

	b->kernel.local_bytes = 256;
	bench_load(b, SPACE_LOCAL, 16, 1, 0);
	bench_load(b, SPACE_LOCAL, 4, 2, 0);
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 2, UINT32_MAX);
	bench_addrs(b, 0, 0, 0);
	bench_addrs(b, 0, 64, 4); /* lane l at word 16 + l */
	bench_play(b, 1);
	cr_assert_eq(b->n_sent, 4 + 32);
	for (unsigned i = 1; i < 36; i++)
		cr_assert_eq(b->sent[i].addr - b->sent[0].addr, i < 4 ? 128 * i : 128 * (12 + i));
	bench_free(b);
}

Test(lsu, a_memory_instruction_behind_n_transactions_issues_n_cycles_later)
{
	for (unsigned n = 1; n <= 32; n *= 2) {
		struct bench *b = bench_new();

		bench_load(b, SPACE_SHARED, 4, 1, 0);
		bench_load(b, SPACE_SHARED, 4, 2, 0);
		bench_load(b, SPACE_GLOBAL, 4, 3, 0);
		bench_load(b, SPACE_GLOBAL, 4, 4, 0);
		b->kernel.shared_bytes = 8192;
		bench_launch(b, 1, 1);
		bench_cta(b);
		bench_exec(b, 0, 0, 4, UINT32_MAX);
		bench_addrs(b, 0, 0, n == 1 ? 4 : 4 * (int64_t)n);
		bench_addrs(b, 0, 0, 4);
		bench_addrs(b, 0, BASE, 4 * (int64_t)n);
		bench_addrs(b, 0, BASE, 4);
		b->m.l1.c.bytes = 1 << 20; /* no set is short of lines */
		bench_play(b, 1);
		cr_assert_eq(gap(b, 0), n, "bank conflicts");
		cr_assert_eq(gap(b, 1), 1);
		cr_assert_eq(gap(b, 2), n, "lines");
		bench_free(b);
	}
}

Test(lsu, a_store_holds_nothing_up_but_a_fence_waits_for_its_acknowledgement)
{
	struct bench *b = bench_new();

	bench_store(b, SPACE_GLOBAL, 4, 1, 0);
	bench_op(b, OP_INT_ADD, 1, 2, -1);
	bench_op(b, OP_MEMBAR, -1, -1, -1);
	bench_op(b, OP_INT_ADD, 3, 2, -1);
	bench_op(b, OP_MEMBAR, -1, -1, -1); /* nothing is out: costs a cycle */
	bench_op(b, OP_INT_ADD, 4, 2, -1);
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 6, UINT32_MAX);
	bench_addrs(b, 0, BASE, 4);
	bench_play(b, 1);
	cr_assert_eq(bench_issued(b, 0, 1), 1);
	cr_assert_eq(bench_issued(b, 0, 2), 2);
	cr_assert_eq(bench_issued(b, 0, 3), 101, "sent in cycle 1, acknowledged 100 cycles later");
	cr_assert_eq(bench_issued(b, 0, 4), 102);
	cr_assert_eq(bench_issued(b, 0, 5), 103);
	cr_assert_eq(b->sent[0].kind, REQ_WRITE);
	cr_assert_eq(b->sent[0].bytes, 128);
	bench_free(b);
}

Test(lsu, a_cta_ends_only_when_its_stores_are_acknowledged)
{
	struct bench *b = bench_new();

	bench_store(b, SPACE_GLOBAL, 4, 1, 0);
	bench_op(b, OP_EXIT, -1, -1, -1);
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 2, UINT32_MAX);
	bench_addrs(b, 0, BASE, 4);
	bench_play(b, 1);
	cr_assert_eq(b->done_at[0], 1 + 100 + 1);
	bench_free(b);
}

Test(lsu, an_atomic_goes_to_memory_every_time_and_a_reduction_needs_no_register)
{
	struct bench *b = bench_new();

	bench_op(b, OP_ATOM, 1, 0, -1);
	bench_op(b, OP_INT_ADD, 2, 1, -1);
	bench_op(b, OP_ATOM, -1, 0, 2);
	bench_op(b, OP_INT_ADD, 3, 0, -1);
	for (unsigned i = 0; i < 4; i += 2) {
		b->inst[i].space = SPACE_GLOBAL;
		b->inst[i].width = 4;
	}
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 4, UINT32_MAX);
	bench_addrs(b, 0, BASE, 0);
	bench_addrs(b, 0, BASE, 4);
	bench_play(b, 1);
	cr_assert_eq(gap(b, 0), 1 + 100 + L1_HIT_LATENCY - 1);
	cr_assert_eq(gap(b, 2), 1, "a reduction is out and nobody waits");
	cr_assert_eq(b->n_sent, 2);
	cr_assert_eq(b->sent[0].kind, REQ_ATOMIC);
	cr_assert_eq(b->sent[0].bytes, 128, "32 lanes with 4 bytes each");
	cr_assert_eq(b->sent[1].kind, REQ_REDUCTION, "which needs no data back");
	cr_assert_eq(b->sent[1].bytes, 128);
	bench_free(b);
}

/* Shared atomics: lanes that share a word take turns, unlike reads, which the bank broadcasts. */
Test(lsu, atomics_on_one_word_of_shared_memory_take_a_cycle_a_lane)
{
	struct bench *b = bench_new();

	bench_op(b, OP_ATOM, 1, 0, -1);
	bench_op(b, OP_INT_ADD, 2, 1, -1);
	b->inst[0].space = SPACE_SHARED;
	b->inst[0].width = 4;
	b->kernel.shared_bytes = 128;
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 2, UINT32_MAX);
	bench_addrs(b, 0, 0, 0);
	bench_play(b, 1);
	cr_assert_eq(gap(b, 0), SHARED_LATENCY + 32 - 1);
	bench_free(b);
}
