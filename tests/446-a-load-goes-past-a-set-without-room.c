/* 446: an L1 behind an MRPB sends a load past itself where all ways of its set are reserved, instead of failing. */
#include <criterion/criterion.h>

#include "support/l1_rig.h"

enum { WAY = 32 * 128 /* bytes from a line of a set to the next: 32 sets of 4 ways */ };

static void open(struct l1_rig *r, const char *bypass)
{
	const char *const keys[] = {"l1.front.policy=mrpb", bypass, NULL};

	l1_rig_open(r, keys);
}

static enum l1_result load(struct l1_rig *r, uint64_t cycle, uint64_t line)
{
	struct l1_access a = l1_rig_load(line * WAY, (uint32_t)line);

	return l1_access(&r->l1, cycle, &a);
}

Test(past_full_sets, a_load_bypasses_only_where_no_way_is_free)
{
	struct l1_rig r;
	struct mem_req past = {0};
	uint32_t n;

	open(&r, "l1.front.bypass=true");
	for (uint64_t i = 0; i < 4; i++)
		cr_assert_eq(load(&r, i, i), L1_MISS);
	cr_assert_eq(load(&r, 4, 4), L1_SENT);
	cr_assert_eq(load(&r, 5, 3), L1_MERGED, "a line on its way takes what comes to it");
	for (unsigned i = 0; i < 5; i++)
		past = l1_rig_take(&r);
	cr_assert_eq(past.addr, 4 * WAY);
	cr_assert_eq(past.bytes, 32, "the sector that it touches, no line");
	cr_assert_eq(past.client, REQ_CLIENT_LOAD);
	cr_assert_eq(r.l1.stats.past_full_sets, 1);
	cr_assert_eq(l1_total(&r.l1).bypasses, 1);
	cr_assert_eq(r.l1.stats.fail_cycles[0], 0);

	l1_rig_reply(&r, past, &n);
	cr_assert_eq(n, 1);
	cr_assert_eq(load(&r, 6, 4), L1_SENT, "its line was not kept, and there is no room yet");
	l1_rig_close(&r);
}

Test(past_full_sets, without_the_bypass_it_fails)
{
	struct l1_rig r;

	open(&r, "l1.front.bypass=false");
	for (uint64_t i = 0; i < 4; i++)
		cr_assert_eq(load(&r, i, i), L1_MISS);
	cr_assert_eq(load(&r, 4, 4), L1_FAIL_LINE);
	l1_finish(&r.l1, 6);
	cr_assert_eq(r.l1.stats.fail_cycles[0], 2);
	l1_rig_close(&r);
}

/* A store takes no way, so it never bypasses for want of one; a full miss queue still fails a bypass. */
Test(past_full_sets, a_bypass_needs_room_in_the_miss_queue)
{
	struct l1_rig r;

	open(&r, "l1.miss_queue=4");
	for (uint64_t i = 0; i < 4; i++)
		cr_assert_eq(load(&r, i, i), L1_MISS);
	cr_assert_eq(load(&r, 4, 4), L1_FAIL_QUEUE);
	l1_rig_take(&r);
	cr_assert_eq(load(&r, 5, 4), L1_SENT);
	cr_assert_eq(r.l1.stats.past_full_sets, 1, "a retry counts once");
	l1_rig_close(&r);
}
