/* 465: with sm.fold a warp passes over what an assembler folds into other instructions (trace/folds.h), and issues
 * these with the operands that they have then. gtx480: fp32 add 4 cycles, multiply-add 5, shared memory 26. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/sm_bench.h"
#include "trace/folds.h"

static struct trace_inst folds[BENCH_MAX_INSTS];

/* The instructions so far, as they are. */
static void as_they_are(struct bench *b)
{
	memcpy(folds, b->inst, sizeof folds);
	b->kernel.folds = folds;
}

static struct bench *multiply_and_add(bool fold)
{
	struct bench *b = bench_new();

	b->m.sm.fold = fold;
	bench_op(b, OP_FP32_MUL, 10, 1, 2);
	bench_op(b, OP_FP32_ADD, 11, 10, 3);
	bench_op(b, OP_FP32_ADD, 12, 11, 3);
	as_they_are(b);
	folds[0].flags = TRACE_FOLDED;
	folds[1].op = OP_FP32_MAD;
	folds[1].nsrc = 3;
	memcpy(folds[1].reg, (const uint16_t[]){11, 1, 2, 3}, 4 * sizeof folds[1].reg[0]);
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 3, UINT32_MAX);
	bench_play(b, 1);
	return b;
}

Test(folding, issues_a_product_and_its_sum_as_one)
{
	struct bench *b = multiply_and_add(true);

	cr_assert_eq(b->n_issues, 2);
	cr_assert_eq(b->issue[0].pc, 1);
	cr_assert_eq(bench_issued(b, 0, 0), 0);
	cr_assert_eq(bench_issued(b, 0, 1), 5);
	cr_assert_eq(b->sm.stats.folded, 1);
	cr_assert_eq(b->sm.stats.folded_lanes, TRACE_WARP_SIZE);
	cr_assert_eq(b->sm.stats.mix[OP_FP32_MAD], 1);
	bench_free(b);
	b = multiply_and_add(false);
	cr_assert_eq(b->n_issues, 3);
	cr_assert_eq(bench_issued(b, 0, 2), 8);
	cr_assert_eq(b->sm.stats.folded, 0);
	bench_free(b);
}

/* A constant's load that is an operand has a record in the trace. What comes behind it has its own: 32 lanes in one
 * bank take 32 cycles. */
Test(folding, passes_over_addresses_too)
{
	struct bench *b = bench_new();

	b->m.sm.fold = true;
	bench_load(b, SPACE_CONST, 4, 10, 0);
	bench_load(b, SPACE_SHARED, 4, 11, 0);
	bench_op(b, OP_INT_ADD, 12, 11, 1);
	as_they_are(b);
	folds[0].flags = TRACE_FOLDED;
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 3, UINT32_MAX);
	bench_addrs(b, 0, 0x1000, 0);
	bench_addrs(b, 0, 0, 128);
	bench_play(b, 1);
	cr_assert_eq(b->n_issues, 2);
	cr_assert_eq(bench_issued(b, 0, 0), 0);
	cr_assert_eq(bench_issued(b, 0, 1), 26 + 31);
	bench_free(b);
}

/* A parameter that is moved into a register is an addition's time, and no access. */
Test(folding, moves_parameters)
{
	struct bench *b = bench_new();

	b->m.sm.fold = true;
	bench_load(b, SPACE_PARAM, 8, 10, -1);
	bench_op(b, OP_INT_ADD, 11, 10, 1);
	as_they_are(b);
	folds[0].op = OP_INT_ADD;
	folds[0].space = SPACE_NONE;
	folds[0].width = 0;
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 2, UINT32_MAX);
	bench_play(b, 1);
	cr_assert_eq(bench_issued(b, 0, 1), 4);
	cr_assert_eq(b->sm.lsu.stats.params, 0);
	bench_free(b);
}

/* In runs of their own too, at a stream's begin and at its end; of one with nothing else the CTA still ends. */
Test(folding, leaves_streams_that_end)
{
	struct bench *b = bench_new();

	b->m.sm.fold = true;
	bench_op(b, OP_INT_ADD, 10, 1, 2);
	bench_op(b, OP_INT_ADD, 11, 1, 2);
	as_they_are(b);
	folds[0].flags = TRACE_FOLDED;
	bench_launch(b, 2, 2);
	bench_cta(b);
	bench_exec(b, 0, 0, 1, 1);
	bench_exec(b, 0, 1, 1, UINT32_MAX);
	bench_exec(b, 0, 0, 1, 3);
	bench_exec(b, 1, 0, 1, UINT32_MAX);
	bench_cta(b);
	bench_exec(b, 0, 0, 1, UINT32_MAX);
	bench_exec(b, 1, 0, 1, UINT32_MAX);
	bench_play(b, 1);
	cr_assert_eq(b->n_issues, 1);
	cr_assert_eq(bench_issued(b, 0, 0), 0);
	cr_assert_eq(b->n_done, 2);
	cr_assert_eq(b->sm.stats.folded, 5);
	cr_assert_eq(b->sm.stats.folded_lanes, 1 + 2 + 3 * TRACE_WARP_SIZE);
	bench_free(b);
}
