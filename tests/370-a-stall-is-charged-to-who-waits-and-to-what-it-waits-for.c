/* 370: a profile of one SM: cycles of its schedulers by the instruction that waits and by the one that is waited for,
 * counted by hand from the stated latencies. CTA 0 arrives in cycle 0; warp slots 0 and 2 are scheduler 0's. */
#include <criterion/criterion.h>

#include "sm/profile.h"
#include "support/sm_bench.h"

static struct bench *profiled(void)
{
	struct bench *b = bench_new();

	b->profiled = true;
	return b;
}

static const struct profile_row *row(const struct bench *b, uint32_t pc)
{
	return &b->sm.profile->row[pc];
}

/* What is counted twice more than the schedulers do has their sums, cause by cause. */
static void sums_agree(const struct bench *b)
{
	const struct sm_profile *p = b->sm.profile;

	for (unsigned why = 0; why < STALL_COUNT; why++) {
		uint64_t waits = 0, holds = 0, issued = 0, by_scheduler = 0;

		for (uint32_t i = 0; i <= p->n; i++) {
			waits += p->row[i].waits[why];
			holds += p->row[i].holds[why];
			issued += p->row[i].issued;
		}
		for (unsigned s = 0; s < b->m.sm.schedulers; s++)
			by_scheduler += b->sm.stats.stalls[why][s];
		cr_assert_eq(why == STALL_ISSUED ? issued : waits, by_scheduler, "%s", stall_name(why));
		cr_assert_eq(why == STALL_ISSUED ? issued : holds, by_scheduler, "%s", stall_name(why));
	}
}

static uint64_t all(const uint64_t cycles[STALL_COUNT])
{
	uint64_t n = 0;

	for (unsigned i = 0; i < STALL_COUNT; i++)
		n += cycles[i];
	return n;
}

/* Division: a result after 145 cycles (Table 1). It issues in cycle 0, the sum in 145: 144 cycles between. */
Test(profile, a_result_is_waited_for_at_its_reader_and_at_its_writer)
{
	struct bench *b = profiled();
	uint32_t div = bench_op(b, OP_INT_DIV, 1, 0, -1), other = bench_op(b, OP_INT_ADD, 2, 0, -1);
	uint32_t reader = bench_op(b, OP_INT_ADD, 3, 2, 1);
	uint64_t latency;

	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 3, 0xff);
	bench_play(b, 1);
	latency = b->m.op.int32.latency[OP_INT_DIV - OP_INT_ADD];
	cr_assert_eq(bench_issued(b, 0, 2), latency);
	cr_assert_eq(row(b, reader)->waits[STALL_ARITHMETIC], latency - 2, "in cycles 2 to 144");
	cr_assert_eq(all(row(b, reader)->waits), latency - 2);
	cr_assert_eq(row(b, div)->holds[STALL_ARITHMETIC], latency - 2, "not the other operand, which is there long since");
	cr_assert_eq(all(row(b, other)->holds), 0);
	cr_assert_eq(row(b, div)->issued, 1);
	cr_assert_eq(row(b, div)->lanes, 8);
	sums_agree(b);
	bench_free(b);
}

/* A branch's successor waits for no value: for the branch itself. */
Test(profile, a_branch_is_what_its_successor_waits_for)
{
	struct bench *b = profiled();
	uint32_t bra = bench_op(b, OP_BRANCH, -1, 0, -1), next = bench_op(b, OP_INT_ADD, 1, 0, -1);

	b->m.op.branch = 20;
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 2, UINT32_MAX);
	bench_play(b, 1);
	cr_assert_eq(row(b, next)->waits[STALL_ARITHMETIC], 19);
	cr_assert_eq(row(b, bra)->holds[STALL_ARITHMETIC], 19);
	sums_agree(b);
	bench_free(b);
}

/* Issued in c = 0, looked up and sent in 1, back in 101, readable l1.latency - 1 later: c + 100 + l1.latency. */
Test(profile, a_load_is_what_its_reader_waits_for)
{
	struct bench *b = profiled();
	uint32_t load = bench_load(b, SPACE_GLOBAL, 4, 1, 0), reader = bench_op(b, OP_INT_ADD, 2, 1, -1);
	uint64_t latency;

	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 2, UINT32_MAX);
	bench_addrs(b, 0, 4096, 4);
	bench_play(b, 1);
	latency = 100 + b->m.l1.latency;
	cr_assert_eq(row(b, reader)->waits[STALL_MEMORY], latency - 1);
	cr_assert_eq(row(b, load)->holds[STALL_MEMORY], latency - 1);
	cr_assert_eq(row(b, load)->loads, 1);
	cr_assert_eq(row(b, load)->load_cycles, latency);
	cr_assert_eq(row(b, load)->accesses, 1);
	cr_assert_eq(row(b, load)->transactions, 1);
	cr_assert_eq(row(b, load)->l1_misses, 1);
	cr_assert_eq(row(b, load)->l2_accesses, 1);
	sums_agree(b);
	bench_free(b);
}

/* Two loads of one cycle each ahead of a sum: first the one, which is back a cycle earlier, then the other. */
Test(profile, of_two_loads_the_one_that_is_back_last_is_waited_for)
{
	struct bench *b = profiled();
	uint32_t first = bench_load(b, SPACE_GLOBAL, 4, 1, 0), second = bench_load(b, SPACE_GLOBAL, 4, 2, 0);
	uint32_t reader = bench_op(b, OP_INT_ADD, 3, 1, 2);

	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 3, UINT32_MAX);
	bench_addrs(b, 0, 4096, 4);
	bench_addrs(b, 0, 8192, 4);
	bench_play(b, 1);
	cr_assert_gt(row(b, second)->holds[STALL_MEMORY], 0);
	cr_assert_eq(row(b, first)->holds[STALL_MEMORY] + row(b, second)->holds[STALL_MEMORY], row(b, reader)->waits[STALL_MEMORY]);
	cr_assert_eq(row(b, reader)->waits[STALL_MEMORY], bench_issued(b, 0, 2) - bench_issued(b, 0, 1) - 1);
	cr_assert_geq(row(b, second)->holds[STALL_MEMORY], b->m.l1.latency - 1, "the first one's time is known by then");
	sums_agree(b);
	bench_free(b);
}

/* The shape of syrk: 32 lines of one set, which has 4 ways. Lines 0 to 3 are looked up in cycles 1 to 4; line 4 finds
 * no way until line 0 is back, in cycle 101, and so on: 7 times 96 cycles of 5 to 100. The last line is looked up in
 * cycle 704, in which the other warp's load can issue: 703 cycles after the first, in 1 to 703. */
Test(profile, a_load_whose_lines_find_no_way_is_what_the_next_one_waits_for)
{
	struct bench *b = profiled();
	uint32_t column = bench_load(b, SPACE_GLOBAL, 4, 1, 0), row_load = bench_load(b, SPACE_GLOBAL, 4, 2, 0);
	uint32_t other = bench_op(b, OP_INT_ADD, 3, 0, -1);

	bench_launch(b, 1, 3);
	bench_cta(b);
	bench_exec(b, 0, column, 1, UINT32_MAX);
	bench_addrs(b, 0, 0, 4096);
	bench_exec(b, 1, other, 1, UINT32_MAX); /* the other scheduler's */
	bench_exec(b, 2, row_load, 1, UINT32_MAX);
	bench_addrs(b, 2, 1 << 20, 4);
	bench_play(b, 1);
	cr_assert_eq(machine_cache_sets(&b->m.l1.c) * b->m.l1.c.line, 4096, "a row apart is the same set");
	cr_assert_eq(b->m.l1.c.assoc, 4);
	cr_assert_eq(bench_issued(b, 2, 0), 704);
	cr_assert_eq(row(b, column)->holds[STALL_MEM_LINE], 7 * 96);
	cr_assert_eq(row(b, column)->holds[STALL_MEM_BUSY], 703 - 7 * 96);
	cr_assert_eq(row(b, row_load)->waits[STALL_MEM_LINE], 7 * 96);
	cr_assert_eq(all(row(b, column)->waits), 0);
	cr_assert_eq(row(b, column)->transactions, 32);
	cr_assert_eq(row(b, column)->l1_misses, 32);
	sums_agree(b);
	bench_free(b);
}

/* Scheduler 0 has warp 0 alone, which is at the barrier from cycle 0 on. Warp 1 arrives in cycle 146 (test 305), so
 * that warp 0 goes on in 147: 146 cycles at the barrier, the last of which begins with the warp released. */
Test(profile, a_barrier_is_what_stands_for_the_warps_that_are_late)
{
	struct bench *b = profiled();
	uint32_t bar, next;

	bench_op(b, OP_INT_DIV, 1, 0, -1);
	bench_op(b, OP_INT_ADD, 2, 1, -1);
	bar = bench_op(b, OP_BARRIER, -1, -1, -1);
	next = bench_op(b, OP_INT_ADD, 3, 0, -1);
	bench_launch(b, 1, 2);
	bench_cta(b);
	bench_exec(b, 0, bar, 2, UINT32_MAX);
	bench_exec(b, 1, 0, 4, UINT32_MAX);
	bench_play(b, 1);
	cr_assert_eq(bench_issued(b, 0, 1), 147);
	cr_assert_eq(all(row(b, next)->waits), 146);
	cr_assert_geq(row(b, next)->waits[STALL_BARRIER], 145);
	cr_assert_eq(all(row(b, bar)->holds), 146);
	sums_agree(b);
	bench_free(b);
}

/* A fence waits for the stores ahead of it: sent in 1, acknowledged in 101. */
Test(profile, a_store_is_what_a_fence_waits_for)
{
	struct bench *b = profiled();
	uint32_t store = bench_store(b, SPACE_GLOBAL, 4, 0, 1), fence = bench_op(b, OP_MEMBAR, -1, -1, -1);
	uint32_t next = bench_op(b, OP_INT_ADD, 3, 0, -1);

	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 3, UINT32_MAX);
	bench_addrs(b, 0, 4096, 4);
	bench_play(b, 1);
	cr_assert_eq(bench_issued(b, 0, 2), 101);
	cr_assert_eq(row(b, next)->waits[STALL_MEMORY], 99, "in cycles 2 to 100");
	cr_assert_eq(row(b, store)->holds[STALL_MEMORY], 99);
	cr_assert_eq(all(row(b, fence)->holds), 0);
	cr_assert_eq(row(b, store)->l1_past, 1);
	cr_assert_eq(row(b, store)->l2_accesses, 1, "its acknowledgement finds it");
	sums_agree(b);
	bench_free(b);
}

/* A division holds its unit for `interval` cycles; there are two SP units, and a third instruction wants one. */
Test(profile, a_unit_is_held_by_the_instruction_that_frees_it_first)
{
	struct bench *b = profiled();
	uint32_t early = bench_op(b, OP_INT_DIV, 1, 0, -1), late = bench_op(b, OP_INT_DIV, 2, 0, -1);
	uint32_t next = bench_op(b, OP_INT_ADD, 3, 0, -1);
	uint64_t interval;

	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 3, UINT32_MAX);
	bench_play(b, 1);
	interval = b->m.op.int32.interval[OP_INT_DIV - OP_INT_ADD];
	cr_assert_eq(b->m.pipe.sp, 2);
	cr_assert_eq(bench_issued(b, 0, 2), interval, "as soon as the first division lets its unit go");
	cr_assert_eq(row(b, next)->waits[STALL_PIPELINE], interval - 2);
	cr_assert_eq(row(b, early)->holds[STALL_PIPELINE], interval - 2);
	cr_assert_eq(all(row(b, late)->holds), 0);
	sums_agree(b);
	bench_free(b);
}

/* Bank conflicts: lanes 32 words apart are all in one bank. 32 cycles, in each of which the unit is busy. */
Test(profile, bank_cycles_are_transactions)
{
	struct bench *b = profiled();
	uint32_t conflict = bench_load(b, SPACE_SHARED, 4, 1, 0), next = bench_load(b, SPACE_SHARED, 4, 2, 0);

	b->kernel.shared_bytes = 4096;
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 2, UINT32_MAX);
	bench_addrs(b, 0, 0, 128);
	bench_addrs(b, 0, 0, 4);
	bench_play(b, 1);
	cr_assert_eq(row(b, conflict)->transactions, 32);
	cr_assert_eq(row(b, next)->transactions, 1);
	cr_assert_eq(row(b, next)->waits[STALL_MEM_BUSY], 31, "issued in cycle 0, the next one in 32");
	cr_assert_eq(row(b, conflict)->holds[STALL_MEM_BUSY], 31);
	sums_agree(b);
	bench_free(b);
}

/* Behind the last instruction there is nothing to wait for. */
Test(profile, idle_cycles_belong_to_no_instruction)
{
	struct bench *b = profiled();
	const struct profile_row *none;

	bench_op(b, OP_INT_ADD, 1, 0, -1);
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 1, UINT32_MAX);
	bench_play(b, 1);
	none = row(b, b->sm.profile->n);
	cr_assert_eq(none->waits[STALL_IDLE], 2 * b->cycles - 1);
	cr_assert_eq(all(row(b, 0)->waits) + all(row(b, 0)->holds), 0);
	sums_agree(b);
	bench_free(b);
}
