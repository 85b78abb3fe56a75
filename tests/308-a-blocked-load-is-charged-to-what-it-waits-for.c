/* 308: reservation fails: the load/store unit's head blocks what is behind it, the cycles are charged to the missing
 * resource, in the L1's counters and in the stall breakdown of the scheduler whose warp waits behind. The memory
 * answers after 100 cycles. */
#include <criterion/criterion.h>

#include "support/sm_bench.h"

#define BASE UINT64_C(0x10000000)

/* One scheduler. Warp 0 loads `lines` lines; then warp 1 (and 2) a line each, the one that `second` names. */
static struct bench *loads(unsigned warps, unsigned lines, unsigned second)
{
	struct bench *b = bench_new();

	b->m.sm.schedulers = 1;
	bench_load(b, SPACE_GLOBAL, 4, 1, 0);
	bench_launch(b, 1, warps);
	bench_cta(b);
	for (unsigned w = 0; w < warps; w++) {
		bench_exec(b, w, 0, 1, UINT32_MAX);
		if (w == 0)
			bench_addrs(b, w, BASE, 4 * (int64_t)lines);
		else
			bench_addrs(b, w, BASE + 128 * second, 4);
	}
	return b;
}

static uint64_t fails(const struct bench *b, enum l1_result why)
{
	return b->sm.lsu.l1.stats.fail_cycles[why - L1_FAIL_LINE];
}

/* In the first two cases warp 1's own line then waits for the next replies, of 201, in 105 to 200; behind it waits
 * nobody. */

/* Eight lines for a cache of one set with four ways: looked up in cycles 1 to 4; the fifth waits in 5 to 100, the first
 * reply comes in 101, the next three in 102 to 104, each in time for a line. Warp 1 waits behind and issues in 104,
 * with the eighth lookup. */
Test(blocked, by_the_lines_of_the_set)
{
	struct bench *b = loads(2, 8, 100);

	b->m.l1.c.bytes = 512;
	bench_play(b, 1);
	cr_assert_eq(fails(b, L1_FAIL_LINE), 96 + 96, "%lu", fails(b, L1_FAIL_LINE));
	cr_assert_eq(b->sm.stats.stalls[STALL_MEM_LINE][0], 96);
	cr_assert_eq(b->sm.stats.stalls[STALL_MEM_BUSY][0], 4 + 3);
	cr_assert_eq(bench_issued(b, 1, 0), 104);
	bench_free(b);
}

Test(blocked, by_the_mshr_entries)
{
	struct bench *b = loads(2, 8, 100);

	b->m.l1.c.mshr_entries = 4;
	bench_play(b, 1);
	cr_assert_eq(fails(b, L1_FAIL_ENTRY), 96 + 96, "%lu", fails(b, L1_FAIL_ENTRY));
	cr_assert_eq(b->sm.stats.stalls[STALL_MEM_ENTRY][0], 96);
	cr_assert_eq(b->sm.stats.stalls[STALL_MEM_BUSY][0], 4 + 3);
	cr_assert_eq(bench_issued(b, 1, 0), 104);
	bench_free(b);
}

/* Warp 0's line is looked up in cycle 1, warp 1 wants the same one in 2 and may not merge until the reply of 101; warp
 * 2 is behind.
 */
Test(blocked, by_the_merges_of_an_entry)
{
	struct bench *b = loads(3, 1, 0);

	b->m.l1.c.mshr_merges = 1;
	bench_play(b, 1);
	cr_assert_eq(fails(b, L1_FAIL_MERGE), 99, "%lu", fails(b, L1_FAIL_MERGE));
	cr_assert_eq(b->sm.stats.stalls[STALL_MEM_MERGE][0], 99);
	cr_assert_eq(bench_issued(b, 2, 0), 101);
	bench_free(b);
}

/* A network that takes nothing until cycle 200: 8 packets are in its queue after cycle 8, 8 in the miss queue after
 * cycle 16; the 17th line waits from 17 on. Room is seen in 201 (the credit's cycle), a packet leaves in 201, the line
 * is looked up in 202. */
Test(blocked, by_the_network)
{
	struct bench *b = loads(2, 32, 100);

	b->closed_until = 200;
	b->m.l1.c.bytes = 1 << 20;
	bench_play(b, 1);
	cr_assert_eq(fails(b, L1_FAIL_QUEUE), 201 - 17 + 1, "%lu", fails(b, L1_FAIL_QUEUE));
	cr_assert_eq(b->sm.stats.stalls[STALL_MEM_NET][0], 201 - 17 + 1);
	cr_assert_eq(b->sm.stats.stalls[STALL_MEM_QUEUE][0], 0);
	cr_assert_eq(bench_issued(b, 1, 0), 202 + 15, "with the 32nd lookup");
	bench_free(b);
}
