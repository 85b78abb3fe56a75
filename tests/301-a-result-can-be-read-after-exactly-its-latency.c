/* 301: the scoreboard and the pipelines: latency of each class, initiation interval, read after write, write after
 * write. */
#include <criterion/criterion.h>

#include "support/sm_bench.h"

enum { N_CLASSES = OP_FP64_DIV + 2 /* and the SFU */ };

static enum trace_op class_op(unsigned i)
{
	return i <= OP_FP64_DIV ? (enum trace_op)i : OP_SFU;
}

/* dwt-pric, Table 1, as the issue states them: integer, fp32, fp64 add, max, mul, mad, div; then the SFU of the machine
 * file. */
static const uint32_t latency[N_CLASSES] = {4, 13, 4, 5, 145, 4, 13, 4, 5, 39, 8, 19, 8, 8, 330, 20};
static const uint32_t interval[N_CLASSES] = {1, 2, 2, 1, 8, 1, 2, 1, 1, 4, 8, 16, 8, 8, 130, 4};

Test(core, a_dependent_instruction_issues_in_the_cycle_in_which_its_operand_is_ready_and_not_one_earlier)
{
	for (unsigned c = 0; c < N_CLASSES; c++) {
		struct bench *b = bench_new();

		bench_op(b, class_op(c), 1, 0, -1);
		bench_op(b, OP_INT_ADD, 2, 1, -1); /* read after write */
		bench_op(b, OP_EXIT, -1, -1, -1);
		bench_launch(b, 1, 1);
		bench_cta(b);
		bench_exec(b, 0, 0, 3, UINT32_MAX);
		bench_play(b, 1);
		cr_assert_eq(bench_issued(b, 0, 0), 0);
		cr_assert_eq(bench_issued(b, 0, 1), latency[c], "class %u: %lu", c, bench_issued(b, 0, 1));
		cr_assert_eq(bench_issued(b, 0, 2), latency[c] + 1);
		bench_free(b);
	}
}

/* With a deeper pipeline every result comes so much later; loads' too (100 cycles to memory: test 307). */
Test(core, the_pipelines_depth_is_added_to_every_latency)
{
	for (unsigned c = 0; c <= N_CLASSES; c++) {
		struct bench *b = bench_new();
		uint64_t expected = c == N_CLASSES ? b->m.shared.latency + 6 : latency[c] + 6;

		b->m.pipe.depth = 6;
		if (c == N_CLASSES)
			bench_load(b, SPACE_SHARED, 4, 1, 0);
		else
			bench_op(b, class_op(c), 1, 0, -1);
		bench_op(b, OP_INT_ADD, 2, 1, -1);
		bench_launch(b, 1, 1);
		bench_cta(b);
		bench_exec(b, 0, 0, 2, UINT32_MAX);
		if (c == N_CLASSES)
			bench_addrs(b, 0, 0, 4);
		bench_play(b, 1);
		cr_assert_eq(bench_issued(b, 0, 1), expected, "class %u: %lu", c, bench_issued(b, 0, 1));
		bench_free(b);
	}
}

/* gtx480 has two SP units and one SFU: the second of two divisions waits for the first one's interval there. */
Test(core, fp64_and_divisions_run_where_the_machine_says)
{
	static const enum trace_op op[] = {OP_INT_DIV, OP_FP32_DIV, OP_FP64_ADD, OP_FP64_DIV};

	for (unsigned i = 0; i < 4; i++)
		for (unsigned on_sfu = 0; on_sfu < 2; on_sfu++) {
			struct bench *b = bench_new();

			if (op[i] >= OP_FP64_ADD)
				b->m.pipe.fp64 = on_sfu ? PIPE_SFU : PIPE_SP;
			else
				b->m.pipe.div = on_sfu ? PIPE_SFU : PIPE_SP;
			bench_op(b, op[i], 10, 0, -1);
			bench_op(b, op[i], 11, 0, -1);
			bench_launch(b, 1, 1);
			bench_cta(b);
			bench_exec(b, 0, 0, 2, UINT32_MAX);
			bench_play(b, 1);
			cr_assert_eq(bench_issued(b, 0, 1), on_sfu ? interval[op[i]] : 1, "class %u", op[i]);
			bench_free(b);
		}
}

Test(core, a_second_write_to_a_register_waits_for_the_first)
{
	struct bench *b = bench_new();

	bench_op(b, OP_FP32_DIV, 1, 0, -1);
	bench_op(b, OP_INT_ADD, 1, 2, -1);
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 2, UINT32_MAX);
	bench_play(b, 1);
	cr_assert_eq(bench_issued(b, 0, 1), 39);
	bench_free(b);
}

Test(core, independent_instructions_of_a_warp_issue_one_a_cycle)
{
	struct bench *b = bench_new();

	for (int r = 0; r < 8; r++)
		bench_op(b, OP_FP32_MAD, 10 + r, r, -1);
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 8, UINT32_MAX);
	bench_play(b, 1);
	for (unsigned i = 0; i < 8; i++)
		cr_assert_eq(bench_issued(b, 0, i), i);
	bench_free(b);
}

/* One unit: an issue every `interval` cycles. Two SP units: the third instruction waits for the first one's unit. */
Test(core, an_initiation_interval_holds_the_unit_and_no_longer)
{
	for (unsigned units = 1; units <= 2; units++)
		for (unsigned c = 0; c < N_CLASSES; c++) {
			struct bench *b = bench_new();
			unsigned n = class_op(c) == OP_SFU ? 1 : units; /* gtx480 has one SFU */
			uint64_t third;

			b->m.pipe.sp = units;
			for (int i = 0; i < 3; i++)
				bench_op(b, class_op(c), 10 + i, 0, -1);
			bench_launch(b, 1, 1);
			bench_cta(b);
			bench_exec(b, 0, 0, 3, UINT32_MAX);
			bench_play(b, 1);
			third = n == 1 ? 2 * interval[c] : interval[c] < 2 ? 2 : interval[c];
			cr_assert_eq(bench_issued(b, 0, 1), n == 1 ? interval[c] : 1, "class %u, %u units", c, units);
			cr_assert_eq(bench_issued(b, 0, 2), third, "class %u, %u units", c, units);
			bench_free(b);
		}
}

Test(core, a_wait_longer_than_the_timing_wheel_is_exact)
{
	for (uint32_t l = 250; l < 1100; l += 53) {
		struct bench *b = bench_new();

		b->m.op.fp32.latency[4] = l;
		bench_op(b, OP_FP32_DIV, 1, 0, -1);
		bench_op(b, OP_INT_ADD, 2, 1, -1);
		bench_launch(b, 1, 1);
		bench_cta(b);
		bench_exec(b, 0, 0, 2, UINT32_MAX);
		bench_play(b, 1);
		cr_assert_eq(bench_issued(b, 0, 1), l);
		bench_free(b);
	}
}

Test(core, an_instruction_with_more_operands_than_the_short_path_looks_at_waits_for_the_last_of_them)
{
	struct bench *b = bench_new();

	bench_op(b, OP_FP32_DIV, 9, 0, -1);
	bench_op(b, OP_INT_ADD, 10, 1, 2);
	b->inst[1].nsrc = 8; /* registers 1..8, then 9 would be one too many: put it last */
	for (uint16_t i = 0; i < 8; i++)
		b->inst[1].reg[1 + i] = (uint16_t)(2 + i);
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 2, UINT32_MAX);
	bench_play(b, 1);
	cr_assert_eq(bench_issued(b, 0, 1), 39);
	bench_free(b);
}
