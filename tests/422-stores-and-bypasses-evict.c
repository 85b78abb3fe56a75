/* 422: L1 stores, volatile accesses, atomics: what they do to a line that they hit, and what goes down. */
#include <criterion/criterion.h>

#include "support/l1_rig.h"

enum { WAY = 4096 };

static enum l1_result act(struct l1_rig *r, uint64_t cycle, struct l1_access a)
{
	return l1_access(&r->l1, cycle, &a);
}

static struct l1_access volatile_load(uint64_t addr, uint32_t token)
{
	struct l1_access a = l1_rig_load(addr, token);

	a.bypass = true;
	return a;
}

Test(l1_store, a_global_store_goes_down_with_its_bytes_and_evicts_the_line)
{
	struct l1_rig r;
	struct mem_req m;
	uint32_t n;
	const struct mshr_waiter *w;

	l1_rig_open(&r, NULL);
	l1_rig_bring(&r, 0, 0x1000);
	cr_assert_eq(act(&r, 1, l1_rig_load(0x1000, 1)), L1_HIT);
	cr_assert_eq(act(&r, 2, l1_rig_store(0x1044, 9)), L1_SENT);
	m = l1_rig_take(&r);
	cr_assert_eq(m.kind, REQ_WRITE);
	cr_assert_eq(m.addr, 0x1044);
	cr_assert_eq(m.bytes, 4);
	cr_assert_eq(m.mask[0], 0);
	cr_assert_eq(m.mask[1], 0xf0);
	w = l1_rig_reply(&r, m, &n);
	cr_assert_eq(n, 1);
	cr_assert(w[0].client == REQ_CLIENT_STORE && w[0].token == 9);
	cr_assert_eq(act(&r, 3, l1_rig_load(0x1000, 1)), L1_MISS);
	l1_rig_close(&r);
}

Test(l1_store, a_store_that_misses_allocates_nothing)
{
	struct l1_rig r;

	l1_rig_open(&r, NULL);
	cr_assert_eq(act(&r, 0, l1_rig_store(0x1000, 1)), L1_SENT);
	cr_assert_eq(act(&r, 1, l1_rig_local_store(0x2000, 2)), L1_SENT);
	cr_assert_eq(act(&r, 2, l1_rig_load(0x1000, 3)), L1_MISS);
	cr_assert_eq(act(&r, 3, l1_rig_load(0x2000, 4)), L1_MISS);
	l1_rig_close(&r);
}

Test(l1_store, a_local_store_stays_in_the_line_and_goes_down_when_the_line_is_evicted)
{
	struct l1_rig r;
	struct mem_req m;
	uint32_t n;

	l1_rig_open(&r, NULL);
	l1_rig_bring(&r, 0, 0x1000);
	cr_assert_eq(act(&r, 1, l1_rig_local_store(0x1008, 1)), L1_HIT);
	cr_assert_eq(act(&r, 2, l1_rig_local_store(0x107c, 2)), L1_HIT);
	cr_assert_not(l1_has_packet(&r.l1));
	for (uint64_t i = 1; i < 4; i++)
		l1_rig_bring(&r, 2 + i, 0x1000 + i * WAY);
	cr_assert_eq(act(&r, 10, l1_rig_load(0x1000 + 4 * WAY, 3)), L1_MISS);
	m = l1_rig_take(&r);
	cr_assert_eq(m.kind, REQ_WRITE, "the write-back goes first");
	cr_assert_eq(m.addr, 0x1000);
	cr_assert_eq(m.bytes, 8);
	cr_assert_eq(m.mask[0], 0xf00);
	cr_assert_eq(m.mask[1], UINT64_C(0xf) << 60);
	l1_rig_reply(&r, m, &n);
	cr_assert_eq(n, 0, "nobody waits for its acknowledgement");
	cr_assert_eq(l1_rig_take(&r).addr, 0x1000 + 4 * WAY);
	cr_assert_eq(r.l1.stats.write_backs, 1);
	l1_rig_close(&r);
}

Test(l1_store, a_dirty_victim_needs_two_places_in_the_miss_queue)
{
	const char *const keys[] = {"l1.miss_queue=2", NULL}, *const one[] = {"l1.miss_queue=1", NULL};

	for (unsigned k = 0; k < 2; k++) {
		struct l1_rig r;

		l1_rig_open(&r, k ? one : keys);
		for (uint64_t i = 0; i < 4; i++)
			l1_rig_bring(&r, i, 0x1000 + i * WAY);
		act(&r, 4, l1_rig_local_store(0x1000, 1));
		for (uint64_t i = 1; i < 4; i++)
			cr_assert_eq(act(&r, 4 + i, l1_rig_load(0x1000 + i * WAY, 1)), L1_HIT);
		cr_assert_eq(act(&r, 8, l1_rig_load(0x80, 1)), L1_MISS);
		cr_assert_eq(act(&r, 9, l1_rig_load(0x1000 + 4 * WAY, 2)), L1_FAIL_QUEUE);
		l1_rig_take(&r);
		cr_assert_eq(act(&r, 10, l1_rig_load(0x1000 + 4 * WAY, 2)), L1_MISS,
			     "an empty queue takes both, however short it is");
		cr_assert_eq(l1_rig_take(&r).kind, REQ_WRITE);
		cr_assert_eq(l1_rig_take(&r).kind, REQ_READ);
		l1_rig_close(&r);
	}
}

Test(l1_bypass, a_volatile_load_asks_for_its_sectors_and_evicts_the_line)
{
	struct l1_rig r;
	struct l1_access a = volatile_load(0x1020, 6);
	struct mem_req m;
	uint32_t n;

	l1_rig_open(&r, NULL);
	l1_rig_bring(&r, 0, 0x1000);
	a.mask[1] = 1; /* bytes 32..35 and byte 64: two sectors of 32 bytes */
	cr_assert_eq(act(&r, 1, a), L1_SENT);
	m = l1_rig_take(&r);
	cr_assert_eq(m.kind, REQ_READ);
	cr_assert_eq(m.bytes, 64);
	cr_assert_eq(l1_rig_reply(&r, m, &n)[0].token, 6);
	cr_assert_eq(n, 1);
	cr_assert_eq(act(&r, 2, l1_rig_load(0x1000, 1)), L1_MISS);
	l1_rig_close(&r);
}

Test(l1_bypass, an_atomic_on_a_dirty_line_sends_the_line_down_first)
{
	struct l1_rig r;
	struct l1_access a = l1_rig_load(0x1000, 4);

	l1_rig_open(&r, NULL);
	l1_rig_bring(&r, 0, 0x1000);
	act(&r, 1, l1_rig_local_store(0x1000, 1));
	a.kind = REQ_ATOMIC;
	a.lanes = UINT32_MAX;
	a.width = 4;
	cr_assert_eq(act(&r, 2, a), L1_SENT);
	cr_assert_eq(l1_rig_take(&r).kind, REQ_WRITE);
	cr_assert_eq(l1_rig_take(&r).bytes, 128);
	cr_assert_eq(act(&r, 3, l1_rig_load(0x1000, 1)), L1_MISS);
	l1_rig_close(&r);
}

Test(l1_bypass, a_line_on_its_way_is_not_evicted)
{
	struct l1_rig r;
	struct mem_req m;
	uint32_t n;

	l1_rig_open(&r, NULL);
	cr_assert_eq(act(&r, 0, l1_rig_load(0x1000, 1)), L1_MISS);
	m = l1_rig_take(&r);
	cr_assert_eq(act(&r, 1, l1_rig_store(0x1000, 2)), L1_SENT);
	cr_assert_eq(act(&r, 2, volatile_load(0x1000, 3)), L1_SENT);
	cr_assert_eq(act(&r, 3, l1_rig_load(0x1000, 4)), L1_MERGED);
	l1_rig_reply(&r, m, &n);
	cr_assert_eq(n, 2);
	cr_assert_eq(act(&r, 4, l1_rig_load(0x1000, 5)), L1_HIT);
	l1_rig_close(&r);
}

Test(l1_bypass, a_disabled_cache_sends_everything_down)
{
	const char *const keys[] = {"l1.enabled=false", NULL};
	struct l1_rig r;

	l1_rig_open(&r, keys);
	for (uint32_t i = 0; i < 3; i++) {
		cr_assert_eq(act(&r, i, l1_rig_load(0x1000, i)), L1_SENT);
		cr_assert_eq(l1_rig_take(&r).bytes, 32);
	}
	cr_assert_eq(act(&r, 3, l1_rig_local_store(0x1000, 9)), L1_SENT);
	cr_assert_eq(l1_total(&r.l1).bypasses, 3);
	cr_assert_eq(l1_total(&r.l1).writes, 1);
	l1_rig_close(&r);
}

Test(l1_store, between_kernels_everything_is_dropped)
{
	struct l1_rig r;

	l1_rig_open(&r, NULL);
	l1_rig_bring(&r, 0, 0x1000);
	act(&r, 1, l1_rig_local_store(0x1000, 1));
	l1_invalidate(&r.l1);
	cr_assert_not(l1_has_packet(&r.l1));
	cr_assert_eq(act(&r, 2, l1_rig_load(0x1000, 2)), L1_MISS);
	l1_rig_close(&r);
}

/* The mode of a page goes with its lines: up with the request, and down with what an evicted dirty line writes back. */
Test(l1_store, a_line_keeps_the_mode_of_its_page_until_it_is_written_back)
{
	struct l1_rig r;
	struct mem_req m;
	uint32_t n;

	l1_rig_open(&r, NULL);
	for (uint8_t way = 0; way < 4; way++) { /* four ways of set 0, with four modes; each gets dirty */
		struct l1_access a = l1_rig_load(0x100000 + way * WAY, way);

		a.mode = (uint8_t)(7 + way);
		cr_assert_eq(act(&r, 10 * way, a), L1_MISS);
		m = l1_rig_take(&r);
		cr_assert_eq(m.mode, 7 + way);
		l1_rig_reply(&r, m, &n);
		cr_assert_eq(act(&r, 10 * way + 1, l1_rig_local_store(0x100000 + way * WAY, 9)), L1_HIT);
	}
	for (uint8_t way = 0; way < 4; way++) {
		struct l1_access a = l1_rig_load(0x200000 + way * WAY, way);

		a.mode = 1;
		cr_assert_eq(act(&r, 100 + 10 * way, a), L1_MISS);
		m = l1_rig_take(&r);
		cr_assert_eq(m.kind, REQ_WRITE);
		cr_assert_eq(m.addr, 0x100000 + way * WAY);
		cr_assert_eq(m.mode, 7 + way, "way %u is written back with mode %u", way, m.mode);
		m = l1_rig_take(&r);
		cr_assert_eq(m.kind, REQ_READ);
		cr_assert_eq(m.mode, 1);
		l1_rig_reply(&r, m, &n);
	}
	l1_rig_close(&r);
}

Test(l1_store, a_store_a_bypass_and_an_atomic_carry_the_mode_of_their_page)
{
	struct l1_rig r;

	l1_rig_open(&r, NULL);
	for (unsigned i = 0; i < 3; i++) {
		struct l1_access a = i == 0 ? l1_rig_store(0x1000, 1) : volatile_load(0x1000, 1);

		a.mode = 11;
		if (i == 2)
			a.kind = REQ_ATOMIC;
		cr_assert_eq(act(&r, i, a), L1_SENT);
		cr_assert_eq(l1_rig_take(&r).mode, 11);
	}
	l1_rig_close(&r);
}
