/* 327: operand collectors and register banks (sm/operands.h). Cycles follow from its rules: collector, banks, hand-over
 * and unit a cycle each behind issue; bank (register + warp slot) mod 16 reads a register a cycle, a write goes first.
 * An integer addition takes 4 cycles, of a pipeline of depth 6. */
#include <criterion/criterion.h>

#include "support/program.h"
#include "support/sm_bench.h"

enum { DEPTH = 6, RESULT = 4 + DEPTH /* issue to the dependent instruction's, nothing in the way */, WARPS = 32 };

static struct bench *collecting(void)
{
	struct bench *b = bench_new();

	b->m.pipe.depth = DEPTH;
	b->m.operands.banks = 16;
	b->m.operands.sp = 6;
	b->m.operands.sfu = 8;
	b->m.operands.mem = 2;
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

Test(operands, of_one_bank_are_read_one_a_cycle)
{
	static const struct {
		int src[2];
		bool guarded; /* the last one is a guard */
		unsigned cycles;
	} t[] = {{{1, 2}, false, RESULT},     {{1, -1}, false, RESULT}, {{1, 17}, false, RESULT + 1},
		 {{1, 1}, false, RESULT + 1}, {{1, 17}, true, RESULT},	{{-1, -1}, false, RESULT - 1}};

	for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
		struct bench *b = collecting();
		uint32_t pc = bench_op(b, OP_INT_ADD, 40, t[i].src[0], t[i].src[1]);

		if (t[i].guarded)
			b->inst[pc].flags |= TRACE_PREDICATED;
		bench_op(b, OP_INT_ADD, 41, 40, -1);
		play(b, 1, 2);
		cr_assert_eq(bench_issued(b, 0, 1), t[i].cycles, "case %u: %lu", i, bench_issued(b, 0, 1));
		bench_free(b);
	}
}

/* Register 2 of slot 0 and register 1 of slot 1 are both in bank 2. Slot 1's waits, whose scheduler chose last. */
Test(operands, of_two_warps_meet_in_a_bank)
{
	for (int reg = 0; reg < 3; reg++) {
		struct bench *b = collecting();

		bench_op(b, OP_INT_ADD, 40, 2, -1);
		bench_op(b, OP_INT_ADD, 41, 40, -1);
		bench_op(b, OP_INT_ADD, 42, reg, -1);
		bench_op(b, OP_INT_ADD, 43, 42, -1);
		bench_launch(b, 1, 2);
		bench_cta(b);
		bench_exec(b, 0, 0, 2, UINT32_MAX);
		bench_exec(b, 1, 2, 2, UINT32_MAX);
		bench_play(b, 1);
		cr_assert_eq(bench_issued(b, 0, 1), RESULT);
		cr_assert_eq(bench_issued(b, 1, 1), RESULT + (reg == 1), "register %d: %lu", reg, bench_issued(b, 1, 1));
		bench_free(b);
	}
}

/* Slot 0's result of cycle 0 is written in cycle 10. Slot 1's instruction of cycle 8 would read in cycle 10: bank 3,
 * which is register 3 of slot 0. */
Test(operands, wait_for_a_write_to_their_bank)
{
	for (int written = 2; written <= 4; written++) {
		struct bench *b = collecting();

		bench_op(b, OP_INT_ADD, written, 0, -1);
		for (int i = 0; i < 8; i++)
			bench_op(b, OP_INT_ADD, 20 + i, -1, -1);
		bench_op(b, OP_INT_ADD, 40, 2, -1);
		bench_op(b, OP_INT_ADD, 41, 40, -1);
		bench_launch(b, 1, 2);
		bench_cta(b);
		bench_exec(b, 0, 0, 1, UINT32_MAX);
		bench_exec(b, 1, 1, 10, UINT32_MAX);
		bench_play(b, 1);
		cr_assert_eq(bench_issued(b, 1, 8), 8);
		cr_assert_eq(bench_issued(b, 1, 9), 8 + RESULT + (written == 3), "register %d: %lu", written,
			     bench_issued(b, 1, 9));
		bench_free(b);
	}
}

/* One collector is taken for two cycles by each instruction; two more wait in the registers behind the schedulers. */
Test(operands, hold_up_the_scheduler_when_no_collector_is_free)
{
	static const unsigned at[] = {0, 1, 2, 3, 5, 7, 9, 11};
	const unsigned n = sizeof at / sizeof *at;
	struct bench *b = collecting();

	b->m.operands.sp = 1;
	for (unsigned i = 0; i < n; i++)
		bench_op(b, OP_INT_ADD, 20 + (int)i, 1, 2);
	play(b, 1, n);
	for (unsigned i = 0; i < n; i++)
		cr_assert_eq(bench_issued(b, 0, i), at[i], "instruction %u: %lu", i, bench_issued(b, 0, i));
	cr_assert_eq(b->sm.stats.stalls[STALL_OPERANDS][0], 4);
	cr_assert_eq(b->sm.operands.stats.reads, 2 * n);
	cr_assert_eq(b->sm.operands.held, 0);
	bench_free(b);
}

/* An instruction that waits for one in a collector: from the cycle behind issue to the one in which the unit begins, of
 * 4 and 5 cycles; then it waits for a result. */
Test(operands, are_a_cause_of_stalls_of_their_own)
{
	for (int reg = 2; reg <= 17; reg += 15) {
		struct bench *b = collecting();

		bench_op(b, OP_INT_ADD, 40, 1, reg);
		bench_op(b, OP_INT_ADD, 41, 40, -1);
		play(b, 1, 2);
		cr_assert_eq(b->sm.stats.stalls[STALL_OPERANDS][0], reg == 17 ? 4 : 3);
		cr_assert_eq(b->sm.stats.stalls[STALL_ARITHMETIC][0], 6);
		bench_free(b);
	}
}

/* GPGPU-Sim 4.2's GTX480: 32 cycles from a load of shared memory to its use. */
Test(operands, of_a_load_are_collected_too)
{
	struct bench *b = collecting();

	bench_load(b, SPACE_SHARED, 4, 1, 0);
	bench_op(b, OP_INT_ADD, 2, 1, -1);
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 2, UINT32_MAX);
	bench_addrs(b, 0, 0, 4);
	bench_play(b, 1);
	cr_assert_eq(bench_issued(b, 0, 1), 32, "%lu", bench_issued(b, 0, 1));
	bench_free(b);
}

/* A fence behind a store that is still in a collector. The store leaves in cycle 4 and is back 100 cycles later. */
Test(operands, of_a_store_are_collected_ahead_of_a_fence)
{
	struct bench *b = collecting();

	bench_store(b, SPACE_GLOBAL, 4, 1, 2);
	bench_op(b, OP_MEMBAR, -1, -1, -1);
	bench_op(b, OP_INT_ADD, 3, 1, -1);
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 3, UINT32_MAX);
	bench_addrs(b, 0, UINT64_C(1) << 20, 4);
	bench_play(b, 1);
	cr_assert_eq(bench_issued(b, 0, 1), 1);
	cr_assert_geq(bench_issued(b, 0, 2), 104, "%lu", bench_issued(b, 0, 2));
	bench_free(b);
}

/* Dependent additions r1 = r1 + r, in a loop of 64 that each warp goes through 30 times: cycles over additions. */
static double cycles_an_addition(unsigned warps, int reg)
{
	enum { ADDITIONS = 64, TIMES = 30, COUNT = 30, AGAIN };
	struct bench *b = collecting();
	double cycles;

	b->m.fetch.width = 2;
	for (unsigned i = 0; i < ADDITIONS; i++)
		bench_op(b, OP_INT_ADD, 1, 1, reg);
	bench_op(b, OP_INT_ADD, COUNT, COUNT, -1);
	bench_op(b, OP_INT_ADD, AGAIN, COUNT, -1);
	b->inst[bench_op(b, OP_BRANCH, -1, AGAIN, -1)].flags |= TRACE_PREDICATED;
	bench_launch(b, 1, warps);
	bench_cta(b);
	for (unsigned w = 0; w < warps; w++)
		for (unsigned i = 0; i < TIMES; i++)
			bench_exec(b, w, 0, ADDITIONS + 3, UINT32_MAX);
	bench_play(b, 1);
	cycles = (double)b->issue[b->n_issues - 1].cycle / (ADDITIONS * TIMES);
	bench_free(b);
	return cycles;
}

/* GPGPU-Sim 4.2's GTX480: 10.2 cycles an addition of one warp, 23.2 of 32, which without banks are 16. Which two
 * registers were added there is not known: neighbours here. */
Test(operands, of_many_warps_take_as_long_as_in_gpgpu_sim)
{
	cr_assert_float_eq(cycles_an_addition(1, 2), 10.2, 0.4, "%f", cycles_an_addition(1, 2));
	cr_assert_float_eq(cycles_an_addition(WARPS, 2), 23.2, 0.7, "%f", cycles_an_addition(WARPS, 2));
}

/* Results of a program, and all invariants, for collectors of many sizes. */
Test(operands, change_no_result)
{
	static const char *const set[] = {"",
					  "--set operands.banks=1 --set operands.sp=1 --set operands.sfu=1 --set operands.mem=1",
					  "--set operands.banks=64 --set sm.schedulers=4 --set pipe.sp=4 --set fetch.width=0",
					  "--set operands.banks=7 --set sm.lsu_queue=4 --throttle ccws"};
	static const char *const workload[] = {"mergesort", "histogram"};

	for (unsigned i = 0; i < sizeof set / sizeof *set; i++)
		for (unsigned w = 0; w < 2; w++) {
			struct program p = program_run("locus run %s --size test --machine gtx480-gs4 %s", workload[w], set[i]);

			cr_assert_eq(p.status, 0, "%s %s: %s", workload[w], set[i], p.err);
			program_free(&p);
		}
}

Test(operands, refuse_what_cannot_be)
{
	static const struct {
		const char *set, *err;
	} bad[] = {
		{"operands.banks=16", "pipe.depth: 0 core cycles are too few: with operands.banks at least 4"},
		{"operands.banks=65", "operands.banks"},
		{"operands.banks=-1", "operands.banks"},
		{"operands.sp=0", "operands.sp"},
		{"operands.mem=17", "operands.mem"},
		{"operands.sfu=many", "operands.sfu"},
	};

	for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct program p = program_run("locus run vectoradd --size test --set %s", bad[i].set);

		cr_assert_eq(p.status, 2, "%s", bad[i].set);
		cr_assert(strstr(p.err, bad[i].err), "%s: %s", bad[i].set, p.err);
		cr_assert_eq(strchr(p.err, '\n') - p.err + 1, (long)strlen(p.err), "one line: %s", p.err);
		program_free(&p);
	}
}
