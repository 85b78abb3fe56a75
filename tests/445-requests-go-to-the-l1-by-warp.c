/* 445: the memory request prioritization buffer: which request goes to the L1 when, by hand; that it costs a load a
 * cycle; that shared memory keeps its port. */
#include <criterion/criterion.h>

#include "sm/lsu/mrpb.h"
#include "support/sm_bench.h"

#define BASE UINT64_C(0x10000000)
enum { DEPTH = 2 };

static void open(struct mrpb *m, struct arena *a)
{
	struct machine machine = {.sm.warps = 48, .l1.front = {.policy = FRONT_MRPB, .depth = DEPTH}};

	mrpb_init(m, a, &machine);
}

static bool join(struct mrpb *m, uint64_t now, unsigned warp, uint32_t token)
{
	return mrpb_join(m, now, warp, &(struct l1_access){.token = token});
}

static uint32_t take(struct mrpb *m)
{
	uint32_t token = mrpb_next(m)->token;

	mrpb_take(m);
	return token;
}

Test(mrpb, the_lowest_warp_goes_first_and_a_warps_requests_in_order)
{
	struct arena a = {0};
	struct mrpb m;

	open(&m, &a);
	cr_assert_null(mrpb_next(&m));
	cr_assert(join(&m, 0, 7, 70));
	cr_assert(join(&m, 1, 3, 30));
	cr_assert(join(&m, 2, 7, 71));
	cr_assert(join(&m, 3, 3, 31));
	cr_assert_eq(take(&m), 30);
	cr_assert(join(&m, 4, 0, 0)); /* non-greedy: warp 3 does not go on to its end */
	cr_assert_eq(take(&m), 0);
	cr_assert_eq(take(&m), 31);
	cr_assert_eq(take(&m), 70);
	cr_assert_eq(take(&m), 71);
	cr_assert_null(mrpb_next(&m));
	cr_assert_eq(m.stats.requests, 5);
	cr_assert_eq(m.stats.reordered, 3, "30, 0 and 31 overtook 70");
	arena_free(&a);
}

Test(mrpb, what_the_l1_has_failed_goes_before_all_others)
{
	struct arena a = {0};
	struct mrpb m;

	open(&m, &a);
	join(&m, 0, 7, 70);
	cr_assert_eq(mrpb_next(&m)->token, 70); /* tried, and not taken */
	join(&m, 1, 3, 30);
	cr_assert_eq(mrpb_next(&m)->token, 70);
	cr_assert_eq(take(&m), 70);
	cr_assert_eq(take(&m), 30);
	cr_assert_eq(m.stats.reordered, 0);
	arena_free(&a);
}

Test(mrpb, a_full_queue_holds_its_warp_and_counts_the_cycles)
{
	struct arena a = {0};
	struct mrpb m;

	open(&m, &a);
	join(&m, 0, 5, 50);
	join(&m, 1, 5, 51);
	cr_assert_not(mrpb_has_room(&m, 5));
	cr_assert(mrpb_has_room(&m, 4));
	cr_assert_not(join(&m, 2, 5, 52));
	cr_assert_not(join(&m, 10, 5, 52));
	cr_assert_eq(take(&m), 50);
	cr_assert(join(&m, 12, 5, 52));
	cr_assert_eq(m.stats.full, 10, "cycles 2 to 11");
	cr_assert_eq(take(&m), 51);
	cr_assert_eq(take(&m), 52, "the ring goes round");
	join(&m, 20, 5, 53);
	join(&m, 21, 5, 54);
	join(&m, 22, 5, 55);
	mrpb_finish(&m, 30);
	cr_assert_eq(m.stats.full, 18, "and 22 to 29");
	arena_free(&a);
}

/* ---- in an SM ---- */

static struct bench *with_mrpb(void)
{
	struct bench *b = bench_new();

	b->m.l1.front.policy = FRONT_MRPB;
	b->m.l1.front.depth = 32;
	return b;
}

/* load; add that needs it; the same again: a miss of 100 cycles of memory, and a hit of 35, each a cycle later. */
Test(mrpb, costs_a_load_a_cycle)
{
	struct bench *b = with_mrpb();

	bench_load(b, SPACE_GLOBAL, 4, 1, 0);
	bench_op(b, OP_INT_ADD, 2, 1, -1);
	bench_load(b, SPACE_GLOBAL, 4, 3, 2);
	bench_op(b, OP_INT_ADD, 4, 3, -1);
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 4, UINT32_MAX);
	for (unsigned i = 0; i < 2; i++)
		bench_addrs(b, 0, BASE, 4);
	bench_play(b, 1);
	cr_assert_eq(bench_issued(b, 0, 1), 1 + 1 + 100 + 34);
	cr_assert_eq(bench_issued(b, 0, 3) - bench_issued(b, 0, 2), 1 + 35);
	cr_assert_eq(b->sent_at[0], 2 * b->sm.period);
	bench_free(b);
}

/* Warp 1's load of 32 lines issues first, as warp 0 adds twice before its own. The network takes nothing until cycle
 * 60, when warp 0's have begun to join: from then on they go before all of warp 1's that still wait. */
Test(mrpb, a_low_warp_overtakes_what_waits)
{
	struct bench *b = with_mrpb();
	unsigned of_0 = 0, first = UINT32_MAX, last = 0;

	b->m.l1.c.mshr_entries = 128;
	b->m.l1.c.miss_queue = 1; /* so that requests leave one a cycle, in the order in which the L1 took them */
	b->m.l1.c.assoc = 128;
	bench_op(b, OP_INT_ADD, 10, -1, -1);
	bench_load(b, SPACE_GLOBAL, 4, 1, 0);
	bench_launch(b, 1, 2);
	bench_cta(b);
	bench_exec(b, 0, 0, 1, UINT32_MAX);
	bench_exec(b, 0, 0, 2, UINT32_MAX);
	bench_exec(b, 1, 1, 1, UINT32_MAX);
	bench_addrs(b, 0, BASE, 128);
	bench_addrs(b, 1, BASE + 0x10000, 128);
	b->closed_until = 60; /* until then the network takes nothing: nearly all requests wait in the buffer */
	bench_play(b, 1);
	cr_assert_eq(b->n_sent, 64);
	for (unsigned i = 0; i < 64; i++)
		if (b->sent[i].addr < BASE + 0x10000) {
			cr_assert_eq(b->sent[i].addr, BASE + of_0 * 128, "in order");
			of_0++;
			first = first < i ? first : i;
			last = i;
		}
	cr_assert_eq(of_0, 32);
	cr_assert_eq(last - first, 31, "all of warp 0's, one after the other");
	cr_assert_gt(first, 0);
	cr_assert_lt(first, 20, "before most of warp 1's, which are older");
	cr_assert_eq(b->sm.lsu.mrpb.stats.requests, 64);
	cr_assert_gt(b->sm.lsu.mrpb.stats.reordered, 20);
	bench_free(b);
}

/* A bank conflict of 32 cycles has the port to itself: the load that joined before it is served when it is over. */
Test(mrpb, shared_memory_has_the_port_first)
{
	struct bench *b = with_mrpb();

	bench_load(b, SPACE_GLOBAL, 4, 1, 0);
	bench_load(b, SPACE_SHARED, 4, 2, 0);
	b->kernel.shared_bytes = 8192;
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 2, UINT32_MAX);
	bench_addrs(b, 0, BASE, 4);
	bench_addrs(b, 0, 0, 128);
	bench_play(b, 1);
	/* issue 0, joined 1; the other issues in 1 and has the port in 2 to 33 */
	cr_assert_eq(bench_issued(b, 0, 1), 1);
	cr_assert_eq(b->sent_at[0], 34 * b->sm.period);
	bench_free(b);
}
