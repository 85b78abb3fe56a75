/* 860: an L1 whose policies go by the locality table: bypassed lines are not allocated, pinned ones stay until the
 * timer ends, prefetches lie in their structure and wait for no page (ldesc, sections 4.4 and 4.5). */
#include <criterion/criterion.h>

#include "support/l1_rig.h"

enum { SETS = 32, WAYS = 4, LINE = 128 }; /* of the gtx480 */

static void open_rig(struct l1_rig *r, const char *const *keys)
{
	const struct buffer_pins none = {0};
	struct hw_binder golden = hw_golden_binder(&r->arena);
	struct err e = {""};

	l1_rig_open(r, keys);
	r->m.l1.bypass.policy = BYPASS_LOCALITY;
	r->m.l1.prefetch.policy = PREFETCH_LOCALITY;
	cr_assert_eq(machine_resolve(&r->m, &e), 0, "%s", e.text);
	l1_init(&r->l1, &r->arena, &r->m, 0, &r->route, NULL, L1_RIG_BUFFERS);
	cr_assert_eq(l1_init_pins(&r->l1, &r->m, &none, "sm0.l1", &golden, &e), 0, "%s", e.text);
	cr_assert_eq(l1_init_prefetch_unit(&r->l1, &r->arena, &r->m, "sm0.l1", &golden, &e), 0, "%s", e.text);
}

static enum l1_result load(struct l1_rig *r, uint64_t cycle, uint64_t addr, struct locality_answer says)
{
	struct l1_access a = l1_rig_load(addr, 1);

	a.locality = says;
	a.locality.addr = addr;
	return l1_access(&r->l1, cycle, &a);
}

static enum l1_result bring(struct l1_rig *r, uint64_t cycle, uint64_t addr, enum locality_caching caching)
{
	enum l1_result done = load(r, cycle, addr, (struct locality_answer){.match = true, .caching = caching});
	uint32_t n;

	if (done == L1_MISS)
		l1_rig_reply(r, l1_rig_take(r), &n);
	return done;
}

Test(cache_by_locality, that_says_no_reuse_goes_past_the_cache_and_what_is_there_serves)
{
	struct l1_rig r;
	struct mem_req m;

	open_rig(&r, NULL);
	bring(&r, 1, 0x1000, LOCALITY_AS_IS);
	for (unsigned i = 0; i < 3; i++) {
		cr_assert_eq(bring(&r, 10 + i, 0x8004, LOCALITY_BYPASS), L1_SENT, "as often as it is asked");
		m = l1_rig_take(&r);
		cr_assert(m.addr == 0x8004 && m.bytes == 32 && m.kind == REQ_READ && m.no_reuse, "a sector");
	}
	cr_assert_eq(r.l1.stats.evictions, 0);
	cr_assert_eq(bring(&r, 20, 0x1000, LOCALITY_BYPASS), L1_HIT);
	cr_assert_eq(bring(&r, 21, 0x8000, LOCALITY_AS_IS), L1_MISS, "it was not kept");
	cr_assert_eq(r.l1.policy.bypasses, 3);
	l1_rig_close(&r);
}

/* Lines of one set. */
static uint64_t line(uint64_t i)
{
	return 0x10000 + i * SETS * LINE;
}

Test(cache_by_locality, that_pins_keeps_lines_before_others_until_the_timer_ends)
{
	static const char *const keys[] = {"l1.pin.timer=1000", NULL};
	struct l1_rig r;

	open_rig(&r, keys);
	bring(&r, 1, line(0), LOCALITY_SOFT_PIN);
	bring(&r, 3, line(1), LOCALITY_HARD_PIN);
	for (uint64_t i = 2; i < 20; i++)
		cr_assert_eq(bring(&r, 10 * i, line(i), LOCALITY_AS_IS), L1_MISS);
	cr_assert_eq(bring(&r, 300, line(0), LOCALITY_SOFT_PIN), L1_HIT, "18 lines have passed through two ways");
	cr_assert_eq(bring(&r, 310, line(1), LOCALITY_HARD_PIN), L1_HIT);
	for (uint64_t i = 2; i < 2 + WAYS; i++)
		bring(&r, 400 + 10 * i, line(20 + i), LOCALITY_HARD_PIN);
	cr_assert_eq(bring(&r, 900, line(0), LOCALITY_AS_IS), L1_MISS, "hard pins have taken its way: way 0 gives way");
	cr_assert_eq(bring(&r, 910, line(1), LOCALITY_AS_IS), L1_HIT);
	cr_assert_eq(r.l1.replacement.ended, 0);
	for (uint64_t i = 40; i < 40 + WAYS; i++)
		bring(&r, 1000 + 10 * i, line(i), LOCALITY_AS_IS);
	cr_assert_eq(r.l1.replacement.ended, 1, "1,000 cycles after the first pin");
	cr_assert_eq(bring(&r, 2000, line(1), LOCALITY_AS_IS), L1_MISS, "four lines have taken four ways");
	l1_rig_close(&r);
}

static uint64_t prefetched(struct l1_rig *r, uint64_t cycle, uint64_t addr, struct locality_answer says)
{
	uint64_t line = 0;

	cr_assert_eq(load(r, cycle, addr, says), L1_MISS);
	l1_rig_take(r);
	l1_prefetch(&r->l1, cycle + 1);
	if (l1_has_packet(&r->l1))
		line = l1_rig_take(r).addr;
	return line;
}

Test(cache_by_locality, says_what_a_miss_prefetches_within_its_structure)
{
	const struct locality_answer next = {.match = true, .prefetch = LOCALITY_NEXT_LINE, .bound = 0x10180};
	const struct locality_answer stride = {.match = true, .prefetch = LOCALITY_STRIDE, .distance = 43008, .bound = 0x30000};
	struct l1_rig r;

	open_rig(&r, NULL);
	cr_expect_eq(prefetched(&r, 10, 0x10004, next), 0x10080);
	cr_expect_eq(prefetched(&r, 20, 0x10100, next), 0, "0x10180 is behind the end");
	cr_expect_eq(prefetched(&r, 30, 0x20010, stride), 0x2a800, "0x2a810 is in another page, but addresses are physical");
	cr_expect_eq(prefetched(&r, 40, 0x2b004, stride), 0, "behind the end");
	cr_expect_eq(prefetched(&r, 50, 0x40000, (struct locality_answer){.match = true, .bound = 0x50000}), 0);
	cr_expect_eq(r.l1.stats.prefetch.proposed, 2);
	cr_expect_eq(r.l1.stats.prefetch.other_page, 0);
	l1_rig_close(&r);
}

static bool page_of_two(void *ctx, uint64_t cycle, uint64_t *addr, uint8_t *mode)
{
	(void)ctx, (void)cycle;
	if (*addr >> 16 != 2)
		return false;
	*addr = 0x70000 | (*addr & 0xffff);
	*mode = 1;
	return true;
}

Test(cache_by_locality, is_of_virtual_addresses_and_waits_for_no_page)
{
	const struct locality_answer stride = {.match = true, .prefetch = LOCALITY_STRIDE, .distance = 0x8000, .bound = 0x40000};
	struct l1_rig r;
	struct l1_access a;

	open_rig(&r, NULL);
	r.l1.prefetch.translator = (struct l1_translator){NULL, page_of_two};
	a = l1_rig_load(0x91000, 1); /* physical, of virtual address 0x21000 */
	a.locality = stride;
	a.locality.addr = 0x21000;
	cr_assert_eq(l1_access(&r.l1, 1, &a), L1_MISS);
	l1_rig_take(&r);
	l1_prefetch(&r.l1, 2);
	cr_expect_eq(l1_rig_take(&r).addr, 0x79000);
	a = l1_rig_load(0x99000, 1);
	a.locality = stride;
	a.locality.addr = 0x29000;
	cr_assert_eq(l1_access(&r.l1, 3, &a), L1_MISS);
	l1_rig_take(&r);
	l1_prefetch(&r.l1, 4);
	cr_expect_not(l1_has_packet(&r.l1), "page 3 is not known");
	cr_expect_not(l1_would_prefetch(&r.l1));
	cr_expect_eq(r.l1.stats.prefetch.other_page, 1);
	l1_rig_close(&r);
}
