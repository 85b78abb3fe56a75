/* 421: L1 loads: hit, miss, merge, what goes down and what comes back; every reservation fail, and when it ends. */
#include <criterion/criterion.h>

#include "hw/twins/pric.h"
#include "support/l1_rig.h"

enum { WAY = 4096 /* bytes between addresses of one set: 32 sets of 128 bytes */ };

static enum l1_result load(struct l1_rig *r, uint64_t cycle, uint64_t addr, uint32_t token)
{
	struct l1_access a = l1_rig_load(addr, token);

	return l1_access(&r->l1, cycle, &a);
}

static uint64_t fails(const struct l1_rig *r, enum l1_result cause)
{
	return r->l1.stats.fail_cycles[cause - L1_FAIL_LINE];
}

Test(l1_load, a_miss_asks_for_the_line_and_its_reply_makes_later_loads_hit)
{
	struct l1_rig r;
	struct mem_req m;
	uint32_t n;
	const struct mshr_waiter *w;

	l1_rig_open(&r, NULL);
	cr_assert_eq(load(&r, 1, 0x12345, 77), L1_MISS);
	m = l1_rig_take(&r);
	cr_assert_eq(m.addr, 0x12300);
	cr_assert_eq(m.kind, REQ_READ);
	cr_assert_eq(m.bytes, 128);
	cr_assert_eq(m.dest, 0x12300 / 256 % 6, "one slice a channel");
	w = l1_rig_reply(&r, m, &n);
	cr_assert_eq(n, 1);
	cr_assert(w[0].client == REQ_CLIENT_LOAD && w[0].token == 77);
	cr_assert_eq(load(&r, 2, 0x12340, 78), L1_HIT);
	cr_assert_not(l1_has_packet(&r.l1));
	l1_rig_close(&r);
}

Test(l1_load, misses_to_a_line_on_its_way_merge_and_are_served_in_order)
{
	struct l1_rig r;
	uint32_t n;
	const struct mshr_waiter *w;

	l1_rig_open(&r, NULL);
	cr_assert_eq(load(&r, 1, 0x1000, 5), L1_MISS);
	for (uint32_t i = 1; i < 8; i++)
		cr_assert_eq(load(&r, 1 + i, 0x1000 + 4 * i, 5 + i), L1_MERGED);
	w = l1_rig_reply(&r, l1_rig_take(&r), &n);
	cr_assert_eq(n, 8);
	for (uint32_t i = 0; i < 8; i++)
		cr_assert_eq(w[i].token, 5 + i);
	cr_assert_not(l1_has_packet(&r.l1), "one packet for all");
	l1_rig_close(&r);
}

Test(l1_fail, the_ninth_access_to_a_line_on_its_way_finds_no_room_to_merge)
{
	struct l1_rig r;
	uint32_t n;

	l1_rig_open(&r, NULL);
	for (uint32_t i = 0; i < 8; i++)
		load(&r, 10 + i, 0x1000, i);
	cr_assert_eq(load(&r, 18, 0x1000, 8), L1_FAIL_MERGE);
	l1_rig_reply(&r, l1_rig_take(&r), &n);
	cr_assert_eq(load(&r, 30, 0x1000, 8), L1_HIT);
	cr_assert_eq(fails(&r, L1_FAIL_MERGE), 30 - 18, "a fail a cycle");
	l1_rig_close(&r);
}

Test(l1_fail, the_fifth_line_of_a_set_on_its_way_finds_no_way)
{
	struct l1_rig r;
	struct mem_req first;
	uint32_t n;

	l1_rig_open(&r, NULL);
	for (uint32_t i = 0; i < 4; i++)
		cr_assert_eq(load(&r, i, 0x1000 + i * WAY, i), L1_MISS);
	cr_assert_eq(load(&r, 4, 0x1000 + 4 * WAY, 4), L1_FAIL_LINE);
	first = l1_rig_take(&r);
	cr_assert_eq(load(&r, 5, 0x1000 + 4 * WAY, 4), L1_FAIL_LINE, "a packet that leaves does not help");
	l1_rig_reply(&r, first, &n);
	cr_assert_eq(load(&r, 9, 0x1000 + 4 * WAY, 4), L1_MISS);
	cr_assert_eq(fails(&r, L1_FAIL_LINE), 9 - 4);
	cr_assert_eq(r.l1.stats.evictions, 1, "the line that had just come makes room");
	l1_rig_close(&r);
}

Test(l1_fail, the_ninth_packet_finds_the_miss_queue_full)
{
	struct l1_rig r;

	l1_rig_open(&r, NULL);
	for (uint32_t i = 0; i < 8; i++)
		cr_assert_eq(load(&r, i, 0x1000 + i * 128, i), L1_MISS);
	cr_assert_eq(load(&r, 8, 0x8000, 8), L1_FAIL_QUEUE);
	cr_assert_eq(load(&r, 10, 0x8000, 8), L1_FAIL_QUEUE);
	l1_rig_take(&r);
	cr_assert_eq(load(&r, 11, 0x8000, 8), L1_MISS);
	cr_assert_eq(fails(&r, L1_FAIL_QUEUE), 11 - 8);
	cr_assert_eq(load(&r, 12, 0x1084, 9), L1_MERGED, "the queue is full again, but a merge needs no place in it");
	l1_rig_close(&r);
}

Test(l1_fail, the_thirty_third_line_on_its_way_finds_no_mshr_entry)
{
	struct l1_rig r;
	struct mem_req m = {0};
	uint32_t n;

	l1_rig_open(&r, NULL);
	for (uint32_t i = 0; i < 32; i++) {
		cr_assert_eq(load(&r, i, 0x1000 + i * 128, i), L1_MISS);
		m = l1_rig_take(&r);
	}
	cr_assert_eq(load(&r, 32, 0x8000, 32), L1_FAIL_ENTRY);
	l1_rig_reply(&r, m, &n);
	cr_assert_eq(load(&r, 40, 0x8000, 32), L1_MISS);
	cr_assert_eq(fails(&r, L1_FAIL_ENTRY), 8);
	l1_rig_close(&r);
}

/* dwt-pric, section 4.3: 32 lanes down a column whose rows are 4 KB apart. The linear index puts them all into one set;
 * PRIC into
 * 32 different ones when the first row's number is a multiple of 32 (paper-checked in
 * docs/reference/hardware/pric.md). */
Test(l1_index, a_warp_down_a_column_fills_one_set_or_with_pric_all_of_them)
{
	const char *const linear[] = {"l1.miss_queue=64", NULL}, *const pric[] = {"l1.miss_queue=64", "l1.index=pric", NULL};
	struct l1_rig r;

	l1_rig_open(&r, linear);
	for (uint32_t i = 0; i < 4; i++)
		cr_assert_eq(load(&r, i, 0x100000 + i * 4096, i), L1_MISS);
	cr_assert_eq(load(&r, 4, 0x100000 + 4 * 4096, 4), L1_FAIL_LINE);
	l1_rig_close(&r);
	l1_rig_open(&r, pric);
	for (uint32_t i = 0; i < 32; i++)
		cr_assert_eq(load(&r, i, 0x100000 + i * 4096, i), L1_MISS);
	for (uint32_t set = 0; set < 32; set++)
		cr_assert_eq(tags_state(&r.l1.tags, set * 4), TAGS_RESERVED, "set %u", set);
	l1_rig_close(&r);
}

struct seen {
	uint32_t n, set[8];
	uint64_t cycle[8], tag[8];
};

static void see(void *ctx, uint64_t cycle, uint32_t set, uint64_t tag)
{
	struct seen *s = ctx;

	s->cycle[s->n] = cycle;
	s->set[s->n] = set;
	s->tag[s->n++] = tag;
}

Test(l1_index, every_lookup_can_be_watched)
{
	struct l1_rig r;
	struct seen s = {0};
	struct l1_observer o = {.ctx = &s, .lookup = see};
	struct l1_access store = l1_rig_store(0x1080, 3);

	l1_rig_open(&r, NULL);
	l1_observe(&r.l1, &o);
	load(&r, 7, 0x1000 + 5 * WAY, 1);
	l1_access(&r.l1, 9, &store);
	cr_assert_eq(s.n, 2);
	cr_assert_eq(s.cycle[0], 7);
	cr_assert_eq(s.set[0], 0);
	cr_assert_eq(s.tag[0], 6);
	cr_assert_eq(s.cycle[1], 9);
	cr_assert_eq(s.set[1], 1);
	cr_assert_eq(s.tag[1], 1);
	l1_rig_close(&r);
}

static void upside_down(void *ctx, uint64_t cycle, const void *of_port, void *to_port)
{
	const struct pric_in *in = of_port;
	struct pric_out *out = to_port;
	struct seen *s = ctx;

	s->cycle[s->n] = cycle;
	s->tag[s->n++] = in->addr;
	*out = (struct pric_out){.set = 31 - (uint32_t)(in->addr / 128 % 32)};
}

Test(l1_index, a_port_that_is_not_golden_is_asked_at_each_lookup_and_its_answer_taken)
{
	struct l1_rig r;
	struct seen s = {0};
	struct pric_port port = {.golden = NULL, .ctx = &s, .eval = upside_down};

	l1_rig_open(&r, NULL);
	l1_init(&r.l1, &r.arena, &r.m, 0, &r.route, &port, 0);
	cr_assert_eq(load(&r, 5, 0x10084, 1), L1_MISS);
	cr_assert_eq(load(&r, 6, 0x10088, 2), L1_MERGED);
	cr_assert_eq(s.n, 2);
	cr_assert_eq(s.cycle[0], 5);
	cr_assert_eq(s.cycle[1], 6);
	cr_assert_eq(s.tag[0], 0x10080, "the line's address");
	cr_assert_eq(tags_state(&r.l1.tags, 30 * 4), TAGS_RESERVED);
	l1_rig_close(&r);
}
