/* 428: an L1 that is held open is used, whatever its loads find, and is judged again by the first
 * full period after it has been let go; to the cycle. */
#include <criterion/criterion.h>
#include <signal.h>

#include "support/l1_rig.h"

#define STREAMING ((const char *const[]){"l1.bypass.policy=streaming", NULL})
#define PERIOD	  UINT64_C(10000)

static enum l1_result load(struct l1_rig *r, uint64_t cycle, uint64_t addr)
{
	struct l1_access a = l1_rig_load(addr, 1);
	enum l1_result done = l1_access(&r->l1, cycle, &a);
	uint32_t n;

	while (l1_has_packet(&r->l1))
		l1_rig_reply(r, l1_rig_take(r), &n);
	return done;
}

/* A load of a line that no other one touches. */
static enum l1_result miss(struct l1_rig *r, uint64_t cycle)
{
	return load(r, cycle, 0x10000000 + cycle * 128);
}

Test(held_open, loads_allocate_from_the_cycle_in_which_the_hold_begins)
{
	struct l1_rig r;

	l1_rig_open(&r, STREAMING);
	miss(&r, 5);
	l1_hold_open(&r.l1, PERIOD, true);
	cr_assert_eq(miss(&r, PERIOD), L1_MISS, "it would be bypassed from this cycle on");
	for (uint64_t p = 1; p < 6; p++)
		cr_assert_eq(miss(&r, p * PERIOD + 1), L1_MISS, "period %lu", p);
	cr_assert_eq(r.l1.policy.bypasses, 0);
	l1_rig_close(&r);
}

Test(held_open, a_cache_that_was_bypassed_drops_its_lines_without_data_and_keeps_those_with)
{
	struct l1_rig r;

	l1_rig_open(&r, STREAMING);
	load(&r, 5, 0x4000000);
	cr_assert_eq(load(&r, PERIOD, 0x5000000), L1_SENT);
	cr_assert_eq(load(&r, PERIOD + 9, 0x5000000), L1_SENT, "still");
	cr_assert_eq(r.l1.policy.tag_hits, 1);
	l1_hold_open(&r.l1, PERIOD + 10, true);
	cr_assert_eq(load(&r, PERIOD + 10, 0x5000000), L1_MISS, "its tag has gone");
	cr_assert_eq(load(&r, PERIOD + 11, 0x5000000), L1_HIT);
	cr_assert_eq(load(&r, PERIOD + 12, 0x4000000), L1_HIT);
	l1_rig_close(&r);
}

/* Cycle of the first bypassed load, of one a cycle that all miss, if the cache is let go in that cycle. */
static uint64_t bypassed_after(uint64_t let_go)
{
	struct l1_rig r;
	uint64_t cycle = let_go - 20;

	l1_rig_open(&r, STREAMING);
	l1_hold_open(&r.l1, 7, true);
	for (;; cycle++) {
		if (cycle == let_go)
			l1_hold_open(&r.l1, cycle, false);
		if (miss(&r, cycle) == L1_SENT)
			break;
		cr_assert_lt(cycle, 10 * PERIOD);
	}
	l1_rig_close(&r);
	return cycle;
}

Test(held_open, the_first_full_period_after_it_is_judged)
{
	cr_assert_eq(bypassed_after(3 * PERIOD - 1), 4 * PERIOD, "one cycle of a period does not count");
	cr_assert_eq(bypassed_after(3 * PERIOD), 4 * PERIOD, "let go in its first cycle a period is full");
	cr_assert_eq(bypassed_after(3 * PERIOD + 1), 5 * PERIOD);
	cr_assert_eq(bypassed_after(4 * PERIOD - 1), 5 * PERIOD);
}

Test(held_open, a_hold_within_a_period_makes_it_void)
{
	struct l1_rig r;

	l1_rig_open(&r, STREAMING);
	miss(&r, 5);
	l1_hold_open(&r.l1, 6, true);
	l1_hold_open(&r.l1, 7, false);
	miss(&r, 7);
	cr_assert_eq(miss(&r, PERIOD), L1_MISS);
	cr_assert_eq(miss(&r, 2 * PERIOD), L1_SENT);
	l1_rig_close(&r);
}

/* A bypassed load that a full miss queue held back is tried again in the cycle of the hold: an open cache may lack
 * something else. */
Test(held_open, a_load_that_waits_is_tried_again_at_once)
{
	struct l1_rig r;
	struct l1_access a = l1_rig_load(0x5000000, 2);

	l1_rig_open(&r, STREAMING);
	miss(&r, 5);
	for (uint64_t i = 0; i < r.m.l1.c.miss_queue; i++) {
		struct l1_access other = l1_rig_load(0x6000000 + i * 128, 3);

		cr_assert_eq(l1_access(&r.l1, PERIOD + i, &other), L1_SENT);
	}
	cr_assert_eq(l1_access(&r.l1, PERIOD + 100, &a), L1_FAIL_QUEUE);
	l1_hold_open(&r.l1, PERIOD + 110, true);
	cr_assert_eq(l1_policy_due(&r.l1), PERIOD + 110);
	cr_assert_eq(l1_access(&r.l1, PERIOD + 110, &a), L1_FAIL_QUEUE);
	cr_assert_eq(l1_policy_due(&r.l1), 2 * PERIOD);
	l1_rig_take(&r);
	cr_assert_eq(l1_access(&r.l1, PERIOD + 112, &a), L1_MISS);
	l1_rig_close(&r);
}

Test(held_open, a_cache_without_a_policy_has_nothing_to_hold)
{
	struct l1_rig r;

	l1_rig_open(&r, NULL);
	l1_hold_open(&r.l1, 5, true);
	cr_assert_eq(miss(&r, 6), L1_MISS);
	cr_assert_eq(l1_policy_due(&r.l1), UINT64_MAX);
	l1_rig_close(&r);
}

Test(held_open, a_hold_of_no_cycle_is_a_broken_contract, .signal = SIGABRT)
{
	struct l1_rig r;

	l1_rig_open(&r, STREAMING);
	l1_hold_open(&r.l1, 7, true);
	l1_hold_open(&r.l1, 7, false);
}

Test(held_open, two_loads_in_a_cycle_are_a_broken_contract, .signal = SIGABRT)
{
	struct l1_rig r;

	l1_rig_open(&r, STREAMING);
	miss(&r, 7);
	load(&r, 7, 0x4000000);
}
