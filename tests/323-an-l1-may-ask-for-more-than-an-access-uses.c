/* 323: l1.miss_room and l1.store_needs_line: fails of GPGPU-Sim 3.2.1's L1 that an access could do without. */
#include <criterion/criterion.h>

#include "support/l1_rig.h"

enum { WAY = 4096 /* bytes between addresses of one set: 32 sets of 128 bytes */ };

static enum l1_result act(struct l1_rig *r, uint64_t cycle, struct l1_access a)
{
	return l1_access(&r->l1, cycle, &a);
}

/* A miss queue of 3, and loads of different lines, none of which has a victim to write back. */
static unsigned misses_accepted(const char *room)
{
	const char *const keys[] = {"l1.miss_queue=3", room, NULL};
	struct l1_rig r;
	unsigned n = 0;

	l1_rig_open(&r, keys);
	while (act(&r, n, l1_rig_load(0x1000 + 128 * n, n)) == L1_MISS)
		n++;
	l1_rig_close(&r);
	return n;
}

/* With room for 2, GPGPU-Sim's queue of 8 takes 7 loads (size + 1 >= 8 fails); here one of 3. */
Test(l1_strict, a_miss_needs_room_for_so_many_packets)
{
	cr_expect_eq(misses_accepted("l1.miss_room=0"), 3);
	cr_expect_eq(misses_accepted("l1.miss_room=1"), 3);
	cr_expect_eq(misses_accepted("l1.miss_room=2"), 2);
	cr_expect_eq(misses_accepted("l1.miss_room=3"), 1);
}

Test(l1_strict, a_load_that_merges_waits_for_that_room_too_and_a_hit_does_not)
{
	const char *const keys[] = {"l1.miss_queue=2", "l1.miss_room=2", NULL};
	struct l1_rig r;

	l1_rig_open(&r, keys);
	l1_rig_bring(&r, 0, 0x8000);
	cr_expect_eq(act(&r, 1, l1_rig_load(0x1000, 1)), L1_MISS);
	cr_expect_eq(act(&r, 2, l1_rig_load(0x8000, 2)), L1_HIT);
	cr_expect_eq(act(&r, 3, l1_rig_load(0x1000, 3)), L1_FAIL_QUEUE, "it would send nothing");
	l1_rig_take(&r);
	cr_expect_eq(act(&r, 9, l1_rig_load(0x1000, 3)), L1_MERGED);
	cr_expect_eq(r.l1.stats.fail_cycles[L1_FAIL_QUEUE - L1_FAIL_LINE], 9 - 3);
	l1_rig_close(&r);
}

Test(l1_strict, a_store_waits_for_a_line_that_it_does_not_take)
{
	const char *const plain[] = {"l1.store_needs_line=false", NULL}, *const needs[] = {"l1.store_needs_line=true", NULL};
	uint32_t n;

	for (unsigned k = 0; k < 2; k++) {
		struct l1_rig r;
		struct mem_req first;

		l1_rig_open(&r, k ? needs : plain);
		for (uint32_t i = 0; i < 4; i++)
			cr_assert_eq(act(&r, i, l1_rig_load(0x1000 + i * WAY, i)), L1_MISS);
		first = l1_rig_take(&r);
		cr_expect_eq(act(&r, 4, l1_rig_store(0x1000 + WAY, 8)), L1_SENT, "its line is in the set");
		cr_expect_eq(act(&r, 5, l1_rig_store(0x1080 + 4 * WAY, 8)), L1_SENT, "another set");
		cr_expect_eq(act(&r, 6, l1_rig_store(0x1000 + 4 * WAY, 9)), k ? L1_FAIL_LINE : L1_SENT);
		l1_rig_reply(&r, first, &n);
		cr_expect_eq(act(&r, 20, l1_rig_store(0x1000 + 4 * WAY, 9)), L1_SENT);
		cr_expect_eq(r.l1.stats.fail_cycles[0], k ? 20 - 6 : 0);
		l1_rig_close(&r);
	}
}
