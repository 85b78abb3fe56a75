/* 437: an L1 whose policies go by the locality table asks the block pin_replacement for the loads that bypass too,
 * and gets no way for them; what does not bypass is given its ways as before. */
#include <criterion/criterion.h>

#include "support/l1_rig.h"

static void open_rig(struct l1_rig *r)
{
	const struct buffer_pins none = {0};
	struct hw_binder golden = hw_golden_binder(&r->arena);
	struct err e = {""};

	l1_rig_open(r, NULL);
	r->m.l1.bypass.policy = BYPASS_LOCALITY;
	cr_assert_eq(machine_resolve(&r->m, &e), 0, "%s", e.text);
	l1_init(&r->l1, &r->arena, &r->m, 0, &r->route, NULL, L1_RIG_BUFFERS);
	cr_assert_eq(l1_init_pins(&r->l1, &r->m, &none, "sm0.l1", &golden, &e), 0, "%s", e.text);
}

static enum l1_result load(struct l1_rig *r, uint64_t cycle, uint64_t addr, enum locality_caching caching)
{
	struct l1_access a = l1_rig_load(addr, 1);

	a.locality = (struct locality_answer){.addr = addr, .match = true, .caching = caching};
	return l1_access(&r->l1, cycle, &a);
}

/* What the block answers to the request of the access that came last. */
static struct pin_replacement_out answer(const struct l1_rig *r)
{
	const struct replacement *t = &r->l1.replacement;
	struct pin_replacement_port port = t->port;
	struct pin_replacement_in in = {.rsp_ready = 1};
	struct pin_replacement_out out;

	pin_replacement_port_eval(&port, t->clock.cycle, &in, &out);
	return out;
}

Test(l1_bypass, asks_the_block_which_gives_no_way)
{
	struct l1_rig r;
	struct pin_replacement_out out;

	open_rig(&r);
	cr_assert_eq(load(&r, 1, 0x8000, LOCALITY_BYPASS), L1_SENT);
	out = answer(&r);
	cr_expect(out.rsp_valid && !out.rsp_found, "asked, and given none of four ways");
	cr_assert_eq(load(&r, 2, 0x8000, LOCALITY_AS_IS), L1_MISS, "it was not kept");
	out = answer(&r);
	cr_expect(out.rsp_valid && out.rsp_found && out.rsp_way == 0);
	l1_rig_close(&r);
}

/* Way by way: what does not bypass between loads that do takes ways 0, 1, 2, 3 and none is lost. */
Test(l1_bypass, leaves_the_ways_to_others)
{
	struct l1_rig r;
	uint32_t n;

	open_rig(&r);
	for (uint64_t i = 0; i < 4; i++) {
		cr_assert_eq(load(&r, 10 * i + 1, 0x100000 + i * 0x1000, LOCALITY_BYPASS), L1_SENT);
		l1_rig_take(&r);
		cr_assert_eq(load(&r, 10 * i + 2, 0x200000 + i * 0x1000, LOCALITY_HARD_PIN), L1_MISS);
		cr_expect_eq(answer(&r).rsp_way, i);
		l1_rig_reply(&r, l1_rig_take(&r), &n);
	}
	for (uint64_t i = 0; i < 4; i++)
		cr_expect_eq(load(&r, 100 + i, 0x200000 + i * 0x1000, LOCALITY_HARD_PIN), L1_HIT);
	cr_expect_eq(r.l1.stats.evictions, 0);
	l1_rig_close(&r);
}

/* All ways wait for their lines: a load that bypasses is not held up, one that does not is. */
Test(l1_bypass, waits_for_no_way)
{
	struct l1_rig r;

	open_rig(&r);
	for (uint64_t i = 0; i < 4; i++) {
		cr_assert_eq(load(&r, i + 1, 0x200000 + i * 0x1000, LOCALITY_AS_IS), L1_MISS);
		l1_rig_take(&r);
	}
	cr_assert_eq(load(&r, 10, 0x100000, LOCALITY_BYPASS), L1_SENT);
	cr_assert_eq(load(&r, 11, 0x300000, LOCALITY_AS_IS), L1_FAIL_LINE);
	l1_rig_close(&r);
}
