/* 425: prefetches of an L1: what leads to one, when it goes, when it is dropped, and what is counted. */
#include <criterion/criterion.h>

#include "support/l1_rig.h"

#define NEXT_LINE(...) ((const char *const[]){"l1.prefetch.policy=next-line", __VA_ARGS__})

static enum l1_result load(struct l1_rig *r, uint64_t cycle, uint64_t addr)
{
	struct l1_access a = l1_rig_load(addr, 1);

	return l1_access(&r->l1, cycle, &a);
}

Test(prefetch, a_miss_brings_the_next_line_in_a_cycle_in_which_the_port_is_free)
{
	struct l1_rig r;
	struct mem_req m;
	uint32_t n;

	l1_rig_open(&r, NEXT_LINE(NULL));
	cr_assert_not(l1_would_prefetch(&r.l1));
	cr_assert_eq(load(&r, 10, 0x1000), L1_MISS);
	l1_rig_take(&r);
	cr_assert(l1_would_prefetch(&r.l1));
	l1_prefetch(&r.l1, 10);
	cr_assert_not(l1_has_packet(&r.l1), "the load had the port in this cycle");
	l1_prefetch(&r.l1, 11);
	m = l1_rig_take(&r);
	cr_assert(m.addr == 0x1080 && m.kind == REQ_READ && m.bytes == 128);
	cr_assert_not(l1_would_prefetch(&r.l1), "one line for a miss");
	l1_rig_reply(&r, m, &n);
	cr_assert_eq(n, 0, "nobody waits for it");
	cr_assert_eq(load(&r, 12, 0x1080), L1_HIT);
	cr_assert_not(l1_would_prefetch(&r.l1), "a hit proposes nothing");
	cr_assert_eq(load(&r, 13, 0x1084), L1_HIT);
	cr_assert_eq(r.l1.stats.prefetch.issued, 1);
	cr_assert_eq(r.l1.stats.prefetch.useful, 1, "counted at the first load alone");
	cr_assert_eq(r.l1.stats.prefetch.late, 0);
	l1_rig_close(&r);
}

Test(prefetch, a_load_that_meets_its_line_on_its_way_merges_and_is_served)
{
	struct l1_rig r;
	struct mem_req m;
	const struct mshr_waiter *w;
	uint32_t n;

	l1_rig_open(&r, NEXT_LINE(NULL));
	load(&r, 10, 0x1000);
	l1_rig_take(&r);
	l1_prefetch(&r.l1, 11);
	m = l1_rig_take(&r);
	cr_assert_eq(load(&r, 12, 0x1080), L1_MERGED);
	w = l1_rig_reply(&r, m, &n);
	cr_assert(n == 1 && w[0].client == REQ_CLIENT_LOAD && w[0].token == 1);
	cr_assert_eq(r.l1.stats.prefetch.useful, 1);
	cr_assert_eq(r.l1.stats.prefetch.late, 1);
	l1_rig_close(&r);
}

Test(prefetch, a_line_that_is_there_or_on_its_way_or_in_another_page_is_not_fetched)
{
	struct l1_rig r;

	l1_rig_open(&r, NEXT_LINE(NULL));
	load(&r, 1, 0x1080);
	l1_prefetch(&r.l1, 2); /* 0x1100 */
	load(&r, 3, 0x1000);   /* proposes 0x1080 */
	l1_prefetch(&r.l1, 4);
	cr_assert_eq(r.l1.stats.prefetch.issued, 1);
	cr_assert_eq(r.l1.stats.prefetch.needless, 1);
	load(&r, 5, 0x1f80); /* the last line of a page of 4 KB */
	cr_assert_not(l1_would_prefetch(&r.l1));
	cr_assert_eq(r.l1.stats.prefetch.other_page, 1);
	l1_rig_close(&r);
}

/* 32 MSHR entries, 8 of which prefetches leave free: with 23 in use a prefetch takes the 24th, with 24 it is
 * dropped. */
Test(prefetch, prefetches_leave_mshr_entries_and_room_in_the_miss_queue_to_loads)
{
	struct l1_rig r;

	l1_rig_open(&r, NEXT_LINE(NULL));
	for (uint64_t i = 0; i < 23; i++) {
		cr_assert_eq(load(&r, i, 0x100000 + i * 4096 + i * 128), L1_MISS);
		l1_rig_take(&r);
	}
	r.l1.prefetch.head = r.l1.prefetch.tail - 2; /* two proposals are left */
	l1_prefetch(&r.l1, 100);
	cr_assert_eq(r.l1.stats.prefetch.issued, 1);
	l1_prefetch(&r.l1, 101);
	cr_assert_eq(r.l1.stats.prefetch.issued, 1);
	l1_rig_close(&r);

	l1_rig_open(&r, NEXT_LINE("l1.prefetch.queue=2", NULL)); /* of 8 */
	for (uint64_t i = 0; i < 6; i++)
		cr_assert_eq(load(&r, i, 0x100000 + i * 4096 + i * 128), L1_MISS);
	l1_prefetch(&r.l1, 100);
	cr_assert_eq(r.l1.stats.prefetch.issued, 0, "6 wait: 2 must stay free");
	l1_rig_take(&r);
	l1_prefetch(&r.l1, 101);
	cr_assert_eq(r.l1.stats.prefetch.issued, 1);
	l1_rig_close(&r);
}

Test(prefetch, while_a_load_waits_for_a_resource_no_prefetch_goes)
{
	struct l1_rig r;

	l1_rig_open(&r, NEXT_LINE(NULL));
	for (uint64_t i = 0; i < 4; i++)
		load(&r, i, 0x100000 + i * 4096); /* one set */
	cr_assert_eq(load(&r, 4, 0x100000 + 4 * 4096), L1_FAIL_LINE);
	cr_assert_not(l1_would_prefetch(&r.l1));
	l1_prefetch(&r.l1, 5);
	cr_assert_eq(r.l1.stats.prefetch.issued, 0);
	l1_rig_close(&r);
}

Test(prefetch, a_prefetch_that_comes_after_a_launchs_end_is_dropped)
{
	struct l1_rig r;
	struct mem_req m;
	uint32_t n;

	l1_rig_open(&r, NEXT_LINE(NULL));
	load(&r, 10, 0x1000);
	l1_rig_reply(&r, l1_rig_take(&r), &n);
	l1_prefetch(&r.l1, 11);
	m = l1_rig_take(&r);
	l1_invalidate(&r.l1);
	l1_rig_reply(&r, m, &n);
	cr_assert_eq(n, 0);
	cr_assert_eq(load(&r, 20, 0x1080), L1_MISS, "what it brought is of the launch before");
	l1_rig_close(&r);
}

/* A proposal that still waits when the cache is bypassed takes the way of a line without data; when the cache opens
 * again its own line is not among those that are dropped. */
Test(prefetch, a_line_that_takes_the_way_of_one_without_data_has_its_own)
{
	struct l1_rig r;
	struct mem_req m;
	uint32_t n;

	l1_rig_open(&r, NEXT_LINE("l1.bypass.policy=streaming", NULL));
	cr_assert_eq(load(&r, 9999, 0x1000), L1_MISS); /* proposes 0x1080, of set 1 */
	l1_rig_take(&r);
	for (uint64_t i = 0; i < 4; i++) { /* fill set 1 with tags */
		cr_assert_eq(load(&r, 10000 + i, 0x101080 + i * 4096), L1_SENT);
		l1_rig_take(&r);
	}
	l1_prefetch(&r.l1, 10010);
	m = l1_rig_take(&r);
	cr_assert_eq(m.addr, 0x1080);
	for (uint64_t i = 0; i < 20; i++) { /* tags that are met: the next period is open */
		load(&r, 10020 + i, 0x101080 + 3 * 4096);
		l1_rig_take(&r);
	}
	cr_assert_eq(load(&r, 20000, 0x1080), L1_MERGED);
	l1_rig_reply(&r, m, &n);
	cr_assert_eq(load(&r, 20001, 0x1080), L1_HIT);
	l1_rig_close(&r);
}
