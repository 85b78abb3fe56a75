/* 463: sub-cores (sm/subcore.h), pipelines for integers and fp64 of their own, greedy-then-youngest, fixed-latency
 * dependences. All cycles follow by hand from the keys; 4 cycles from an addition to the next one that needs it and
 * an instruction every 2 cycles to a pipeline of 16 lanes are what is measured on a V100 (Jia et al., arXiv
 * 1804.06826). */
#include <criterion/criterion.h>

#include "support/sm_bench.h"

enum { LATENCY = 4, INTERVAL = 2, DP_LATENCY = 8, DP_INTERVAL = 16 };

/* Four schedulers, a pipeline of each kind for each; additions of 4 cycles, one every two cycles. */
static struct bench *volta(uint32_t subcores)
{
	struct bench *b = bench_new();

	b->m.sm.schedulers = b->m.pipe.sp = b->m.pipe.sfu = 4;
	b->m.sm.subcores = subcores;
	for (unsigned i = 0; i < 5; i++) {
		b->m.op.int32.latency[i] = b->m.op.fp32.latency[i] = LATENCY;
		b->m.op.int32.interval[i] = b->m.op.fp32.interval[i] = INTERVAL;
		b->m.op.fp64.latency[i] = DP_LATENCY;
		b->m.op.fp64.interval[i] = DP_INTERVAL;
	}
	return b;
}

static void play(struct bench *b, unsigned warps, unsigned insts)
{
	bench_launch(b, 1, warps);
	bench_cta(b);
	for (unsigned w = 0; w < warps; w++)
		bench_exec(b, w, 0, insts, UINT32_MAX);
	bench_play(b, 1);
}

static void expect(const struct bench *b, unsigned warp, unsigned n, uint64_t cycle)
{
	cr_expect_eq(bench_issued(b, warp, n), cycle, "warp %u, instruction %u: %lu, not %lu", warp, n, bench_issued(b, warp, n),
		     cycle);
}

/* One warp alone has all four pipelines of an SM, but one of a sub-core. */
Test(subcores, have_pipelines_of_their_own)
{
	for (uint32_t subcores = 1; subcores <= 4; subcores *= 2) {
		struct bench *b = volta(subcores);
		unsigned own = 4 / subcores;

		for (int i = 0; i < 8; i++)
			bench_op(b, OP_INT_ADD, 10 + i, 1, 2);
		play(b, 1, 8);
		for (unsigned i = 0; i < 8; i++)
			expect(b, 0, i, own >= INTERVAL ? i : i * INTERVAL);
		bench_free(b);
	}
}

/* Of five warps the first and the last are in sub-core 0: they take turns at its pipeline. */
Test(subcores, own_warps_by_their_number)
{
	struct bench *b = volta(4);

	for (int i = 0; i < 3; i++)
		bench_op(b, OP_INT_ADD, 10 + i, 1, 2);
	play(b, 5, 3);
	for (unsigned w = 0; w < 4; w++)
		for (unsigned i = 0; i < 3; i++)
			expect(b, w, i, i * INTERVAL);
	for (unsigned i = 0; i < 3; i++)
		expect(b, 4, i, (3 + i) * INTERVAL);
	bench_free(b);
}

/* A scheduler that has two pipelines of 16 lanes issues in every cycle, if the kinds alternate. */
Test(subcores, issue_integers_beside_floats)
{
	for (uint32_t integer = 0; integer <= 4; integer += 4) {
		struct bench *b = volta(4);

		b->m.pipe.integer = integer;
		for (int i = 0; i < 8; i++)
			bench_op(b, i % 2 ? OP_FP32_MAD : OP_INT_ADD, 10 + i, 1, 2);
		play(b, 1, 8);
		for (unsigned i = 0; i < 8; i++)
			expect(b, 0, i, integer ? i : i * INTERVAL);
		bench_free(b);
	}
}

/* Lanes are what the interval says: with 32 of them an addition a cycle. */
Test(subcores, of_32_lanes_take_an_instruction_a_cycle)
{
	struct bench *b = volta(4);

	b->m.op.fp32.interval[0] = 1;
	for (int i = 0; i < 8; i++)
		bench_op(b, OP_FP32_ADD, 10 + i, 1, 2);
	play(b, 1, 8);
	for (unsigned i = 0; i < 8; i++)
		expect(b, 0, i, i);
	bench_free(b);
}

static void double_and_use(struct bench *b)
{
	bench_op(b, OP_FP64_ADD, 10, 1, 2);
	bench_op(b, OP_INT_ADD, 11, 10, 2);
	play(b, 4, 2);
}

/* With one each all begin at once; one for all takes them in turn, from the scheduler on that chooses first. */
Test(subcores, may_share_a_pipeline_for_fp64)
{
	for (uint32_t dp = 1; dp <= 4; dp += 3) {
		struct bench *b = volta(4);

		b->m.pipe.dp = dp;
		double_and_use(b);
		for (unsigned w = 0; w < 4; w++)
			expect(b, w, 0, dp == 4 ? 0 : w * DP_INTERVAL);
		for (unsigned w = 0; w < 4; w++)
			expect(b, w, 1, DP_LATENCY + (dp == 4 ? 0 : w * DP_INTERVAL));
		bench_free(b);
	}
}

/* Behind queues all issue in cycle 0; when the pipeline takes them is the same. */
Test(subcores, queue_for_what_they_share)
{
	struct bench *b = volta(4);

	b->m.pipe.dp = 1;
	b->m.subcore.queue = 2;
	double_and_use(b);
	for (unsigned w = 0; w < 4; w++) {
		expect(b, w, 0, 0);
		expect(b, w, 1, DP_LATENCY + w * DP_INTERVAL);
	}
	bench_free(b);
}

static struct bench *queues(unsigned loads, unsigned warps)
{
	struct bench *b = volta(4);

	b->m.subcore.queue = 5;
	b->m.subcore.interval = 4;
	b->m.subcore.ldst_interval = 2;
	for (unsigned i = 0; i < loads; i++)
		bench_load(b, SPACE_SHARED, 4, 10 + (int)i, 0);
	bench_op(b, OP_INT_ADD, 9, 10, 2);
	bench_launch(b, 1, warps);
	bench_cta(b);
	for (unsigned w = 0; w < warps; w++) {
		bench_exec(b, w, 0, loads + 1, UINT32_MAX);
		for (unsigned i = 0; i < loads; i++)
			bench_addrs(b, w, 0, 4);
	}
	bench_play(b, 1);
	return b;
}

/* Load 0 goes in the cycle in which it issues, each further one 4 cycles behind. In cycle 6 loads 2 to 6 fill the
 * queue; load 2 leaves in cycle 8, so that load 7 issues in cycle 9. As on hardware (arXiv 2503.20481): a few in
 * cycles that follow one another, then one every 4. */
Test(subcores, issue_memory_instructions_until_the_queue_is_full)
{
	struct bench *b = queues(12, 1);

	for (unsigned i = 0; i < 12; i++)
		expect(b, 0, i, i < 7 ? i : 9 + 4 * (i - 7));
	bench_free(b);
}

/* Four sub-cores with one load each: the unit takes one every 2 cycles, round robin. */
Test(subcores, take_turns_at_the_load_store_unit)
{
	struct bench *b = queues(1, 4);

	for (unsigned w = 0; w < 4; w++) {
		expect(b, w, 0, 0);
		expect(b, w, 1, 2 * w + b->m.shared.latency);
	}
	bench_free(b);
}

/* With all four at it, each has the unit every 8 cycles. Loads of sub-core w leave in 2 w, 2 w + 8, ... */
Test(subcores, share_its_rate)
{
	struct bench *b = queues(12, 4);

	for (unsigned w = 0; w < 4; w++)
		for (unsigned i = 8; i < 12; i++)
			expect(b, w, i, bench_issued(b, w, 7) + 8 * (i - 7));
	bench_free(b);
}

/* A profile, a log of the pipeline or stepping in every cycle change nothing; so do queues with nothing ahead. */
Test(subcores, cost_a_lone_load_nothing)
{
	for (uint32_t queue = 0; queue <= 5; queue += 5) {
		const struct pipeline_filter all = {
			.last_sm = UINT64_MAX, .last_cta = UINT64_MAX, .last_warp = UINT64_MAX, .last_cycle = UINT64_MAX};
		struct bench *b = volta(4);

		b->m.subcore.queue = queue;
		b->profiled = true;
		b->piped = &all;
		bench_load(b, SPACE_SHARED, 4, 10, 0);
		bench_op(b, OP_INT_ADD, 9, 10, 2);
		bench_launch(b, 1, 1);
		bench_cta(b);
		bench_exec(b, 0, 0, 2, UINT32_MAX);
		bench_addrs(b, 0, 0, 4);
		bench_play(b, 1);
		expect(b, 0, 1, b->m.shared.latency);
		bench_free(b);
	}
}

/* ---- the order of issue ---- */

/* One scheduler, three warps of two dependent additions. The youngest first, then the next one down; the one that
 * issued last goes on if it can. CTA 1, in warps 3 to 5, comes a cycle later, and is younger. */
Test(schedulers, may_take_the_youngest_warp)
{
	static const uint64_t first[3] = {2, 1, 0};

	for (unsigned ctas = 1; ctas <= 2; ctas++) {
		struct bench *b = volta(1);

		b->m.sm.schedulers = 1;
		b->m.sm.scheduler = SCHED_GTY;
		bench_op(b, OP_INT_ADD, 10, 1, 2);
		bench_op(b, OP_INT_ADD, 11, 10, 2);
		bench_launch(b, ctas, 3);
		for (unsigned c = 0; c < ctas; c++) {
			bench_cta(b);
			for (unsigned w = 0; w < 3; w++)
				bench_exec(b, w, 0, 2, UINT32_MAX);
		}
		bench_play(b, ctas);
		if (ctas == 1) {
			for (unsigned w = 0; w < 3; w++) {
				expect(b, w, 0, first[w]);
				expect(b, w, 1, first[w] + LATENCY);
			}
		} else { /* 2 5 4 3, then 5 is ready again */
			expect(b, 2, 0, 0);
			expect(b, 5, 0, 1);
			expect(b, 4, 0, 2);
			expect(b, 3, 0, 3);
			expect(b, 2, 1, 4);
			expect(b, 5, 1, 5);
			expect(b, 4, 1, 6);
			expect(b, 3, 1, 7);
			expect(b, 1, 0, 8);
		}
		bench_free(b);
	}
}

/* ---- fixed-latency dependences ---- */

/* pipe.depth is ahead of results that a scoreboard has to hear of, which the SFU's are either way. */
Test(dependences, that_are_fixed_know_no_depth)
{
	static const enum trace_op op[] = {OP_INT_ADD, OP_FP32_MAD, OP_FP64_MUL, OP_SFU};
	static const uint64_t latency[] = {LATENCY, LATENCY, DP_LATENCY, 20 /* gtx480.yaml */};

	for (unsigned fixed = 0; fixed <= 1; fixed++)
		for (unsigned i = 0; i < 4; i++) {
			struct bench *b = volta(4);

			b->m.pipe.integer = 4; /* the addition finds its pipeline free */
			b->m.pipe.depth = 5;
			b->m.sm.dependences = fixed ? DEPENDENCES_FIXED : DEPENDENCES_SCOREBOARD;
			bench_op(b, op[i], 10, 1, 2);
			bench_op(b, OP_INT_ADD, 11, 10, 2);
			play(b, 1, 2);
			expect(b, 0, 1, latency[i] + (fixed && op[i] != OP_SFU ? 0 : 5));
			bench_free(b);
		}
}

/* A division of 39 cycles, then an addition of 4 into the same register: it is written in cycle 40 at the earliest. */
Test(dependences, that_are_fixed_keep_the_order_of_writes)
{
	for (unsigned fixed = 0; fixed <= 1; fixed++) {
		struct bench *b = volta(4);

		b->m.op.fp32.latency[4] = 39;
		b->m.sm.dependences = fixed ? DEPENDENCES_FIXED : DEPENDENCES_SCOREBOARD;
		bench_op(b, OP_FP32_DIV, 10, 1, 2);
		bench_op(b, OP_FP32_ADD, 10, 3, 2);
		bench_op(b, OP_FP32_ADD, 11, 10, 2);
		play(b, 1, 3);
		expect(b, 0, 1, fixed ? 39 - LATENCY + 1 : 39);
		expect(b, 0, 2, fixed ? 40 : 39 + LATENCY);
		bench_free(b);
	}
}
