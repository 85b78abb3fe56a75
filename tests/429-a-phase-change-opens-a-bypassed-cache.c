/* 429: a stream of loads is bypassed at the end of the first full period, and a change of phase opens the cache again:
 * to the cycle, in an L1 that its loads keep busy. And bypassing changes no dirty line: in an L2 slice they serve reads
 * and take writes as before, and are written back when they make room. */
#include <criterion/criterion.h>

#include "support/l1_rig.h"
#include "support/mem_rig.h"

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})
#define PERIOD	 UINT64_C(10000)

/* ---- an L1: a load a cycle, answered at once ---- */

static enum l1_result load(struct l1_rig *r, uint64_t cycle, uint64_t addr)
{
	struct l1_access a = l1_rig_load(addr, 1);
	enum l1_result done = l1_access(&r->l1, cycle, &a);
	uint32_t n;

	while (l1_has_packet(&r->l1))
		l1_rig_reply(r, l1_rig_take(r), &n);
	return done;
}

Test(phases, a_stream_is_bypassed_from_cycle_10000_on_and_a_working_set_is_not_from_30000_on)
{
	enum { STREAM = 0x10000000, SET_OF_LINES = 0x4000000, LINES = 64 };
	struct l1_rig r;

	l1_rig_open(&r, SET("l1.bypass.policy=streaming"));
	for (uint64_t c = 0; c < PERIOD; c++)
		cr_assert_eq(load(&r, c, STREAM + c * 128), L1_MISS, "cycle %lu", c);
	for (uint64_t c = PERIOD; c < 2 * PERIOD; c++)
		cr_assert_eq(load(&r, c, STREAM + c * 128), L1_SENT, "cycle %lu", c);
	for (uint64_t c = 2 * PERIOD; c < 3 * PERIOD; c++) /* the new phase: its tags hit, its data is not there */
		cr_assert_eq(load(&r, c, SET_OF_LINES + c % LINES * 128), L1_SENT, "cycle %lu", c);
	cr_assert_eq(r.l1.policy.tag_hits, PERIOD - LINES);
	for (uint64_t c = 3 * PERIOD; c < 3 * PERIOD + LINES; c++)
		cr_assert_eq(load(&r, c, SET_OF_LINES + c % LINES * 128), L1_MISS, "cycle %lu", c);
	for (uint64_t c = 3 * PERIOD + LINES; c < 5 * PERIOD; c++)
		cr_assert_eq(load(&r, c, SET_OF_LINES + c % LINES * 128), L1_HIT, "cycle %lu", c);
	l1_rig_close(&r);
}

/* ---- an L2 slice: three of its lines are dirty before it is bypassed ---- */

enum { CHANNEL_STRIDE = 256 * 6, DIRTY = 3, L2_PERIOD = 1000 };
#define SLICE "l2.bypass.policy=streaming", "l2.bypass.period=1000", "l2.bytes=4K", "l2.assoc=4"

static uint64_t period_at(const struct mem_rig *r, uint64_t n)
{
	return n * L2_PERIOD * r->m.clock.period[CLOCK_L2];
}

/* Lines of one set of slice 0, which has 8 sets: 256 bytes of each stride of a channel fill two. */
static uint64_t line(uint64_t i)
{
	return i * 4 * CHANNEL_STRIDE;
}

static void access_by(struct mem_rig *r, uint64_t tick, enum req_kind kind, uint64_t addr, uint16_t bytes)
{
	struct mem_req q;

	mem_rig_send(r, tick, 0, kind, addr, bytes, 77);
	cr_assert(mem_rig_reply(r, tick + period_at(r, 1) / 2, 0, &q) && q.token == 77);
}

/* Three dirty lines; then a period in which all reads miss, so that the next one is bypassed. */
static struct mem_rig *bypassed_with_dirty_lines(void)
{
	struct mem_rig *r = mem_rig_new(SET(SLICE));

	for (unsigned i = 0; i < DIRTY; i++)
		access_by(r, period_at(r, i), REQ_WRITE, line(i), 128);
	access_by(r, period_at(r, DIRTY), REQ_READ, line(100) + 128, 128);
	cr_assert_eq(memsys_facts(r->s).dirty_lines, DIRTY);
	return r;
}

Test(dirty_lines, of_a_bypassed_slice_serve_reads_and_take_writes)
{
	struct mem_rig *r = bypassed_with_dirty_lines();
	uint64_t fetches = memsys_facts(r->s).fetches;

	access_by(r, period_at(r, 4), REQ_READ, line(7) + 128, 128);
	cr_assert_eq(memsys_facts(r->s).l2.bypasses, 1, "the slice is bypassed");
	cr_assert_eq(memsys_facts(r->s).dirty_lines, DIRTY);
	access_by(r, period_at(r, 5), REQ_READ, line(1), 128);
	cr_assert_eq(memsys_facts(r->s).l2.hits, 1, "served by the slice");
	access_by(r, period_at(r, 5) + period_at(r, 1) / 2 + 1, REQ_WRITE, line(2) + 4, 4);
	cr_assert_eq(memsys_facts(r->s).dirty_lines, DIRTY);
	cr_assert_eq(memsys_facts(r->s).fetches, fetches + 1, "by the bypassed read alone");
	cr_assert_eq(memsys_facts(r->s).writes_down, 0);
	mem_rig_free(r);
}

/* A bypassed read's tag takes the way of the least recently used line. */
Test(dirty_lines, of_a_bypassed_slice_are_written_back_when_they_make_room)
{
	struct mem_rig *r = bypassed_with_dirty_lines();

	for (unsigned i = 0; i < 4; i++) {
		access_by(r, period_at(r, 4 + i), REQ_READ, line(10 + i), 128);
		cr_assert_eq(memsys_facts(r->s).l2.bypasses, i + 1);
		cr_assert_eq(memsys_facts(r->s).writes_down, i, "the first tag takes the free way");
		cr_assert_eq(memsys_facts(r->s).dirty_lines, DIRTY - i);
	}
	mem_rig_free(r);
}

/* Opening drops lines without data; none of them is dirty. */
Test(dirty_lines, of_a_bypassed_slice_stay_when_it_opens)
{
	struct mem_rig *r = bypassed_with_dirty_lines();

	access_by(r, period_at(r, 4), REQ_READ, line(10), 128);
	access_by(r, period_at(r, 5), REQ_READ, line(10), 128); /* meets its tag: a good period */
	cr_assert_eq(memsys_facts(r->s).l2.bypasses, 2);
	access_by(r, period_at(r, 6), REQ_READ, line(10), 128);
	cr_assert_eq(memsys_facts(r->s).l2.bypasses, 2, "open: the line comes in");
	cr_assert_eq(memsys_facts(r->s).dirty_lines, DIRTY);
	cr_assert_eq(memsys_facts(r->s).writes_down, 0);
	for (unsigned i = 0; i < DIRTY; i++)
		access_by(r, period_at(r, 7 + i), REQ_READ, line(i), 128);
	cr_assert_eq(memsys_facts(r->s).l2.hits, DIRTY);
	mem_rig_free(r);
}
