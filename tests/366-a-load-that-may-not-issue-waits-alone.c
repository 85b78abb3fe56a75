/* 366: a throttle that restrains loads: on an SM, all other instructions of a warp go on; what the L1 tells it; and
 * pcal, whose warps without a token load past the L1. */
#include <criterion/criterion.h>

#include "policy/warp_throttle.h"
#include "support/sm_bench.h"

/* Warp 1 may not load before cycle 100. */
static uint64_t only_warp_0(void *state, const struct warp_view *v)
{
	(void)state;
	return v->cycle < 100 ? 1 : ~UINT64_C(0);
}
static uint64_t until_100(const void *state, uint64_t cycle)
{
	(void)state;
	return cycle < 100 ? 100 : UINT64_MAX;
}

enum { HELD = 100 };
#define BASE UINT64_C(0x10000000)

/* Warps 0 and 1 have a scheduler each. */
Test(load_throttle, holds_a_warp_at_its_load_to_the_cycle)
{
	static const struct warp_throttle throttle = {.name = "only 0", .may_load = only_warp_0, .next = until_100};
	struct bench *b = bench_new();

	bench_op(b, OP_INT_ADD, 10, -1, -1);
	bench_load(b, SPACE_GLOBAL, 4, 1, 0);
	bench_launch(b, 1, 2);
	bench_cta(b);
	for (unsigned w = 0; w < 2; w++) {
		bench_exec(b, w, 0, 2, UINT32_MAX);
		bench_addrs(b, w, BASE + w * 128, 4);
	}
	b->throttle = &throttle;
	bench_play(b, 1);
	cr_assert_eq(bench_issued(b, 0, 1), 1);
	cr_assert_eq(bench_issued(b, 1, 0), 0);
	cr_assert_eq(bench_issued(b, 1, 1), HELD);
	cr_assert_eq(b->sm.stats.stalls[STALL_THROTTLED][0], 0);
	cr_assert_eq(b->sm.stats.stalls[STALL_THROTTLED][1], HELD - 1);
	bench_free(b);
}

/* Shared memory, stores and constants are no loads of the L1. */
Test(load_throttle, lets_all_other_instructions_issue)
{
	static const struct warp_throttle throttle = {.name = "only 0", .may_load = only_warp_0, .next = until_100};
	struct bench *b = bench_new();

	bench_load(b, SPACE_SHARED, 4, 1, 0);
	bench_store(b, SPACE_GLOBAL, 4, 5, 0);
	bench_load(b, SPACE_CONST, 4, 2, 0);
	bench_load(b, SPACE_LOCAL, 4, 3, 0);
	b->kernel.shared_bytes = 4096;
	b->kernel.local_bytes = 64;
	bench_launch(b, 1, 2);
	bench_cta(b);
	for (unsigned w = 0; w < 2; w++) {
		bench_exec(b, w, 0, 4, UINT32_MAX);
		bench_addrs(b, w, 0, 4);
		bench_addrs(b, w, BASE, 4);
		bench_addrs(b, w, BASE, 0);
		bench_addrs(b, w, 0, 4);
	}
	b->throttle = &throttle;
	bench_play(b, 1);
	for (unsigned i = 0; i < 3; i++)
		cr_assert_lt(bench_issued(b, 1, i), 30, "instruction %u", i);
	cr_assert_lt(bench_issued(b, 0, 3), 30);
	cr_assert_eq(bench_issued(b, 1, 3), HELD);
	bench_free(b);
}

/* ---- what a throttle hears ---- */

enum { MOST_HEARD = 16, WAY = 32 * 128 /* bytes from a line of a set to the next: 32 sets of 4 ways */ };

struct heard {
	unsigned loads, dropped;
	struct warp_load load[MOST_HEARD];
	uint64_t line;
};

static void new_heard(void **state, struct arena *a, const struct machine *m)
{
	(void)m;
	*state = arena_alloc(a, sizeof(struct heard));
}

static bool note_load(void *state, const struct warp_load *l)
{
	struct heard *h = state;

	cr_assert_lt(h->loads, MOST_HEARD);
	h->load[h->loads++] = *l;
	return false;
}

static void note_dropped(void *state, uint64_t line)
{
	struct heard *h = state;

	h->dropped++;
	h->line = line;
}

/* Warp 0 fills a set; warp 1 loads its last line, which is there, and a fifth, for which the first makes room; warp 0
 * loads the first again, for which its second makes room, and stores to it. */
Test(load_throttle, hears_of_each_load_and_of_what_made_room)
{
	static const struct warp_throttle throttle = {
		.name = "hears", .init = new_heard, .observe = note_load, .dropped = note_dropped};
	const unsigned warp[] = {0, 0, 0, 0, 1, 1, 0}, line[] = {0, 1, 2, 3, 3, 4, 0};
	const bool misses[] = {true, true, true, true, false, true, true};
	const struct heard *h;
	struct bench *b = bench_new();

	for (unsigned i = 0; i < 5; i++) {
		bench_load(b, SPACE_GLOBAL, 4, (int)i + 1, i ? (int)i : 0); /* each when the one before is there */
		bench_op(b, OP_BARRIER, -1, (int)i + 1, -1);
	}
	bench_store(b, SPACE_GLOBAL, 4, 1, 5);
	bench_launch(b, 1, 2);
	bench_cta(b);
	bench_exec(b, 0, 0, 8, UINT32_MAX); /* four loads, four barriers */
	bench_exec(b, 0, 9, 1, UINT32_MAX); /* a fifth, at which warp 1 takes its turn */
	bench_exec(b, 0, 8, 1, UINT32_MAX);
	bench_exec(b, 0, 10, 1, UINT32_MAX);
	for (unsigned i = 0; i < 4; i++)
		bench_exec(b, 1, 1, 1, UINT32_MAX);
	bench_exec(b, 1, 0, 1, UINT32_MAX);
	bench_exec(b, 1, 2, 1, UINT32_MAX);
	bench_exec(b, 1, 5, 1, UINT32_MAX); /* when its second load is there */
	for (unsigned i = 0; i < 7; i++)
		bench_addrs(b, warp[i], BASE + line[i] * WAY, 4);
	bench_addrs(b, 0, BASE, 4);
	b->throttle = &throttle;
	bench_play(b, 1);
	h = b->sm.throttle.state;
	cr_assert_eq(h->loads, 7);
	for (unsigned i = 0; i < 7; i++) {
		cr_assert_eq(h->load[i].warp, warp[i], "load %u", i);
		cr_assert_eq(h->load[i].line, BASE / 128 + line[i] * 32, "load %u", i);
		cr_assert_eq(h->load[i].brought_in, misses[i], "load %u", i);
		cr_assert_eq(h->load[i].evicted, i >= 5, "load %u", i);
		cr_assert(!i || h->load[i].insts > h->load[i - 1].insts, "load %u", i);
	}
	cr_assert_eq(h->load[0].insts, 2, "warp 0's load and warp 1's first barrier");
	cr_assert_eq(h->load[5].victim, BASE / 128);
	cr_assert_eq(h->load[5].victim_warp, 0);
	cr_assert_eq(h->load[6].victim, BASE / 128 + 32);
	cr_assert_eq(h->dropped, 1);
	cr_assert_eq(h->line, BASE / 128);
	bench_free(b);
}

/* ---- pcal ---- */

/* Warps 0 and 2 have one scheduler and one token: the loads of warp 2 go past the L1, as long as warp 0 runs. */
Test(pcal, a_warp_without_a_token_loads_past_the_l1)
{
	struct bench *b = bench_new();
	struct l1_counts c;

	b->m.throttle.policy = THROTTLE_PCAL;
	b->m.throttle.tokens = 1;
	bench_load(b, SPACE_GLOBAL, 4, 1, 0);
	bench_op(b, OP_INT_ADD, 2, 1, -1);
	bench_load(b, SPACE_GLOBAL, 4, 3, 2);
	bench_op(b, OP_INT_ADD, 4, 3, -1);
	bench_launch(b, 1, 3);
	bench_cta(b);
	for (unsigned w = 0; w < 3; w += 2) {
		bench_exec(b, w, 0, 4, UINT32_MAX);
		if (w == 0) /* and goes on until warp 2 is done */
			for (unsigned i = 0; i < 100; i++)
				bench_exec(b, w, 3, 1, UINT32_MAX);
		for (unsigned i = 0; i < 2; i++)
			bench_addrs(b, w, BASE + w * 128, 4);
	}
	bench_exec(b, 1, 1, 1, UINT32_MAX); /* of the other scheduler */
	bench_play(b, 1);
	c = l1_total(&b->sm.lsu.l1);
	cr_assert_eq(c.misses, 1);
	cr_assert_eq(c.hits, 1, "warp 0 has a token");
	cr_assert_eq(c.bypasses, 2, "warp 2 has not");
	cr_assert_eq(b->sm.lsu.l1.policy.bypasses, 2);
	cr_assert_eq(b->sm.stats.stalls[STALL_THROTTLED][0], 0, "and is not held back");
	bench_free(b);
}

/* What is in the L1 serves all; who is the oldest afterwards gets the token. */
Test(pcal, lines_serve_all_and_tokens_pass_on)
{
	struct bench *b = bench_new();
	struct l1_counts c;

	b->m.throttle.policy = THROTTLE_PCAL;
	b->m.throttle.tokens = 1;
	b->m.throttle.warps = 1; /* and one active warp: one after the other, each with the token */
	bench_load(b, SPACE_GLOBAL, 4, 1, 0);
	bench_op(b, OP_INT_ADD, 2, 1, -1);
	bench_launch(b, 1, 5);
	bench_cta(b);
	for (unsigned w = 0; w < 5; w += 2) {
		bench_exec(b, w, 0, 2, UINT32_MAX);
		bench_addrs(b, w, BASE + (w == 4 ? 0 : w * 128), 4);
	}
	for (unsigned w = 1; w < 4; w += 2) /* of the other scheduler */
		bench_exec(b, w, 1, 1, UINT32_MAX);
	bench_play(b, 1);
	c = l1_total(&b->sm.lsu.l1);
	cr_assert_eq(c.misses, 2);
	cr_assert_eq(c.hits, 1, "warp 4 finds warp 0's line");
	cr_assert_eq(c.bypasses, 0);
	bench_free(b);
}
