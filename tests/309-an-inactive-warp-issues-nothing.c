/* 309: the warp throttle: the oldest N warps of each scheduler issue, the others do not, and a warp that waits at a
 * barrier, or has exited, leaves its place to the next; or those of the oldest N CTAs do. */
#include <criterion/criterion.h>

#include "policy/warp_throttle.h"
#include "support/sm_bench.h"

static struct bench *limited(uint32_t warps)
{
	struct bench *b = bench_new();

	b->m.throttle.policy = warps ? THROTTLE_SWT : THROTTLE_NONE;
	b->m.throttle.warps = warps;
	return b;
}

/* Every warp runs n instructions; with `barrier` the third is one. */
static void play(struct bench *b, unsigned ctas, unsigned warps, unsigned n, int barrier)
{
	for (unsigned i = 0; i < n; i++)
		bench_op(b, (int)i == barrier ? OP_BARRIER : OP_INT_ADD, (int)i == barrier ? -1 : 10 + (int)i, -1, -1);
	bench_launch(b, ctas, warps);
	for (unsigned c = 0; c < ctas; c++) {
		bench_cta(b);
		for (unsigned w = 0; w < warps; w++)
			bench_exec(b, w, 0, n, UINT32_MAX);
	}
	bench_play(b, ctas);
}

/* Two schedulers of three warps each, which could issue an instruction a cycle: with one active warp a scheduler the
 * second pair begins when the first has exited. The throttle is asked at the begin of a cycle, so the exit of cycle 3
 * shows in cycle 4. */
Test(throttle, one_warp_a_scheduler_runs_after_the_other)
{
	struct bench *b = limited(1);

	b->m.sm.scheduler = SCHED_LRR; /* would take turns */
	play(b, 1, 6, 4, -1);
	for (unsigned w = 0; w < 6; w++)
		for (unsigned i = 0; i < 4; i++)
			cr_assert_eq(bench_issued(b, w, i), w / 2 * 4 + i, "warp %u, instruction %u", w, i);
	cr_assert_eq(b->sm.stats.stalls[STALL_THROTTLED][0], 0, "there was always one that issued");
	bench_free(b);
}

Test(throttle, without_a_limit_round_robin_takes_turns)
{
	struct bench *b = limited(0);

	b->m.sm.scheduler = SCHED_LRR;
	play(b, 1, 6, 4, -1);
	for (unsigned w = 0; w < 6; w++)
		cr_assert_eq(bench_issued(b, w, 0), w / 2, "warp %u", w);
	bench_free(b);
}

/* A dependent pair (4 cycles from add to result): with one active warp nobody issues in between, though others
 * could. */
Test(throttle, a_cycle_in_which_only_inactive_warps_could_issue_is_counted_as_throttled)
{
	struct bench *b = limited(1);

	bench_op(b, OP_INT_ADD, 10, -1, -1);
	bench_op(b, OP_INT_ADD, 11, 10, -1);
	bench_launch(b, 1, 3); /* warps 0 and 2 have one scheduler */
	bench_cta(b);
	for (unsigned w = 0; w < 3; w++)
		bench_exec(b, w, 0, 2, UINT32_MAX);
	bench_play(b, 1);
	cr_assert_eq(bench_issued(b, 0, 1), b->m.op.int32.latency[0]);
	cr_assert_eq(bench_issued(b, 2, 0), b->m.op.int32.latency[0] + 1);
	cr_assert_eq(b->sm.stats.stalls[STALL_THROTTLED][0], b->m.op.int32.latency[0] - 1);
	bench_free(b);
}

/* All six warps of the CTA must reach the barrier: the two that wait there give their places to the next two, and so
 * on. */
Test(throttle, a_warp_at_a_barrier_leaves_its_slot_to_the_next)
{
	struct bench *b = limited(1);

	play(b, 1, 6, 4, 2);
	for (unsigned w = 0; w < 6; w++) {
		cr_assert_eq(bench_issued(b, w, 2), w / 2 * 3 + 2, "warp %u reaches the barrier", w);
		cr_assert_geq(bench_issued(b, w, 3), 9, "warp %u leaves it when all are there", w);
	}
	cr_assert_eq(b->sm.stats.barriers, 1);
	cr_assert_eq(b->n_done, 1);
	bench_free(b);
}

/* The oldest: by CTA in the order of arrival, then by slot; worked out by hand over the view alone. */
Test(throttle, the_oldest_are_taken_by_cta_and_then_by_slot)
{
	const uint64_t own[] = {0x55, 0xaa}, of_cta[] = {0xf0, 0x0f};
	struct warp_view v = {.eligible = 0xff, .schedulers = 2, .own = own, .n_ctas = 2, .of_cta = of_cta};

	cr_assert_eq(warp_throttle_oldest(&v, 1), 0x30);
	cr_assert_eq(warp_throttle_oldest(&v, 2), 0xf0);
	cr_assert_eq(warp_throttle_oldest(&v, 3), 0xf3);
	v.eligible = 0xff & ~UINT64_C(0x50); /* both of scheduler 0 in the older CTA wait */
	cr_assert_eq(warp_throttle_oldest(&v, 1), 0x21);
	cr_assert_eq(warp_throttle_oldest(&v, 64), 0xaf);
}

/* Three CTAs of a warp a scheduler: one after the other, where all could take turns. */
Test(throttle, one_cta_runs_after_the_other)
{
	struct bench *b = bench_new();

	b->m.throttle.policy = THROTTLE_CTA;
	b->m.throttle.ctas = 1;
	b->m.sm.scheduler = SCHED_LRR;
	play(b, 3, 2, 4, -1);
	for (unsigned w = 0; w < 6; w++)
		for (unsigned i = 0; i < 4; i++)
			cr_assert_eq(bench_issued(b, w, i), w / 2 * 4 + i, "warp %u, instruction %u", w, i);
	bench_free(b);
}

/* Worked out by hand: CTAs in the order 0xf0, 0x0f, 0xf00. All warps of a chosen one are active, those at a barrier
 * too; one without a warp that can go on counts not. */
Test(throttle, the_oldest_ctas_are_taken_whole)
{
	const uint64_t own[] = {0x555, 0xaaa}, of_cta[] = {0xf0, 0x0f, 0xf00};
	struct warp_view v = {.eligible = 0xfff, .schedulers = 2, .own = own, .n_ctas = 3, .of_cta = of_cta};
	struct machine m = {.throttle = {.policy = THROTTLE_CTA, .ctas = 1}};
	const struct warp_throttle *t = warp_throttle_of(&m);
	struct arena a = {0};
	void *one, *two;

	t->init(&one, &a, &m);
	m.throttle.ctas = 2;
	t->init(&two, &a, &m);
	cr_assert_eq(t->active(one, &v), 0xf0);
	cr_assert_eq(t->active(two, &v), 0xff);
	v.eligible = 0xf6f; /* 0x90 wait */
	cr_assert_eq(t->active(one, &v), 0xf0);
	v.eligible = 0xf0f;
	cr_assert_eq(t->active(one, &v), 0x0f);
	cr_assert_eq(t->active(two, &v), 0xf0f);
	v.eligible = 0;
	cr_assert_eq(t->active(two, &v), 0);
	arena_free(&a);
}

/* A throttle of a test's own: nobody may issue before cycle 100, and then everybody. */
static uint64_t late(void *state, const struct warp_view *v)
{
	(void)state;
	return v->cycle < 100 ? 0 : ~UINT64_C(0);
}
static uint64_t late_next(const void *state, uint64_t cycle)
{
	(void)state;
	return cycle < 100 ? 100 : UINT64_MAX;
}

Test(throttle, the_answer_is_asked_for_again_in_the_cycle_that_the_throttle_names)
{
	static struct warp_throttle throttle = {.name = "late", .active = late, .next = late_next};
	struct bench *b = limited(0);

	bench_op(b, OP_INT_ADD, 10, -1, -1);
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 1, UINT32_MAX);
	b->throttle = &throttle;
	bench_play(b, 1);
	cr_assert_eq(bench_issued(b, 0, 0), 100);
	cr_assert_eq(b->sm.stats.stalls[STALL_THROTTLED][0], 100);
	bench_free(b);
}
