/* 383: bypasses of an L1 of sectors, with lines that get their way at the miss or when they come: what a policy is told
 * of a load is about the sectors that it needs. Tags of bypassed loads live on by sectors, as a cache in use would have
 * them; sectors with data go on serving hits. Each outcome follows from the loads before it. */
#include <criterion/criterion.h>

#include "support/l1_rig.h"
#include "support/program.h"

#define PERIOD UINT64_C(100)
#define SET(allocate)                                                                                                              \
	((const char *const[]){"l1.sectors=4", allocate, "l1.bypass.policy=streaming", "l1.bypass.period=100",                     \
			       "l1.mshr_entries=64", NULL})
static const char *const allocates[] = {"l1.allocate=miss", "l1.allocate=fill"};

static enum l1_result load(struct l1_rig *r, uint64_t cycle, uint64_t addr)
{
	struct l1_access a = l1_rig_load(addr, 1);

	return l1_access(&r->l1, cycle, &a);
}

static void answer(struct l1_rig *r)
{
	uint32_t n;

	while (l1_has_packet(&r->l1))
		l1_rig_reply(r, l1_rig_take(r), &n);
}

/* A period of 20 loads that miss, the last of them of 0x1000, and one that hits; the next period is bypassed. */
static void open_bypassed(struct l1_rig *r, const char *allocate)
{
	l1_rig_open(r, SET(allocate));
	for (uint32_t i = 0; i < 20; i++) {
		cr_assert_eq(load(r, i, i == 19 ? 0x1000 : 0x100000 + i * 128), L1_MISS);
		answer(r);
	}
	cr_assert_eq(load(r, PERIOD - 1, 0x1000), L1_HIT, "20 of 21 loads missed");
}

Test(bypass_sectors, tags_live_on_by_sectors)
{
	for (unsigned i = 0; i < 2; i++) {
		struct l1_rig r;
		struct mem_req m;

		open_bypassed(&r, allocates[i]);
		cr_assert_eq(load(&r, PERIOD, 0x200000), L1_SENT);
		m = l1_rig_take(&r);
		cr_assert(m.bytes == 32 && m.client == REQ_CLIENT_LOAD, "the sector that it needs");
		cr_assert_eq(r.l1.policy.tag_hits, 0);
		cr_assert_eq(load(&r, PERIOD + 1, 0x200004), L1_SENT);
		cr_assert_eq(r.l1.policy.tag_hits, 1, "a cache in use would have had that sector");
		cr_assert_eq(load(&r, PERIOD + 2, 0x200020), L1_SENT);
		cr_assert_eq(r.l1.policy.tag_hits, 1, "but not the next one");
		cr_assert_eq(load(&r, PERIOD + 3, 0x200020), L1_SENT);
		cr_assert_eq(r.l1.policy.tag_hits, 2);
		cr_assert_eq(r.l1.policy.bypasses, 4);
		l1_rig_close(&r);
	}
}

Test(bypass_sectors, sectors_with_data_go_on_serving)
{
	for (unsigned i = 0; i < 2; i++) {
		struct l1_rig r;

		open_bypassed(&r, allocates[i]);
		cr_assert_eq(load(&r, PERIOD, 0x1000), L1_HIT);
		cr_assert_eq(load(&r, PERIOD + 1, 0x1020), L1_SENT);
		cr_assert_eq(load(&r, PERIOD + 2, 0x1020), L1_SENT);
		cr_assert_eq(r.l1.policy.tag_hits, 1);
		cr_assert_eq(load(&r, PERIOD + 3, 0x1004), L1_HIT);
		answer(&r);
		/* 3 of 4 hit: the cache is opened, and the sector without data is gone */
		cr_assert_eq(load(&r, 2 * PERIOD, 0x1000), L1_HIT);
		cr_assert_eq(load(&r, 2 * PERIOD + 1, 0x1020), L1_MISS);
		cr_assert_eq(l1_rig_take(&r).bytes, 32);
		cr_assert_eq(load(&r, 2 * PERIOD + 2, 0x1020), L1_MERGED);
		cr_assert_eq(r.l1.stats.evictions, 0);
		l1_rig_close(&r);
	}
}

/* A line on its way when the bypass begins is waited for; of a sector that is not, nobody has asked. */
Test(bypass_sectors, what_is_on_its_way_is_waited_for)
{
	for (unsigned i = 0; i < 2; i++) {
		struct l1_rig r;
		struct mem_req m;
		uint32_t n;

		l1_rig_open(&r, SET(allocates[i]));
		for (uint32_t k = 0; k < 20; k++) {
			cr_assert_eq(load(&r, k, 0x100000 + k * 128), L1_MISS);
			answer(&r);
		}
		cr_assert_eq(load(&r, 30, 0x3000), L1_MISS);
		m = l1_rig_take(&r);
		cr_assert_eq(load(&r, PERIOD, 0x3004), L1_MERGED);
		cr_assert_eq(load(&r, PERIOD + 1, 0x3020), L1_SENT);
		l1_rig_take(&r);
		l1_rig_reply(&r, m, &n);
		cr_assert_eq(n, 2);
		cr_assert_eq(load(&r, PERIOD + 2, 0x3000), L1_HIT);
		l1_rig_close(&r);
	}
}

/* A store to a sector without data is one that a cache in use would have met: it stays or goes as l1.write_hit says. */
Test(bypass_sectors, stores_meet_tags_by_sectors)
{
	struct l1_access store = l1_rig_store(0x200000, 9);
	struct l1_rig r;

	open_bypassed(&r, allocates[1]);
	load(&r, PERIOD, 0x200000);
	load(&r, PERIOD + 1, 0x200020);
	cr_assert_eq(l1_access(&r.l1, PERIOD + 2, &store), L1_SENT);
	cr_assert_eq(load(&r, PERIOD + 3, 0x200020), L1_SENT);
	cr_assert_eq(r.l1.policy.tag_hits, 1);
	cr_assert_eq(load(&r, PERIOD + 4, 0x200000), L1_SENT);
	cr_assert_eq(r.l1.policy.tag_hits, 1, "the store has evicted its tag");
	l1_rig_close(&r);
}

/* Status 1 if an invariant were broken or a result wrong. */
Test(bypass_sectors, programs_keep_their_invariants_and_results)
{
	static const char *const option[] = {
		"--l1-bypass streaming:rate=50,period=1000",
		"--l1-bypass streaming:rate=50,period=1000 --throttle dwt-cs --no-skip",
		"--throttle pcal:2",
		"--l1-bypass streaming:rate=30,period=500 --set l1.allocate=miss --set sm.unified_bytes=0 --set sm.carveouts=0",
	};
	static const char *const workload[] = {"bfs", "histogram", "heartwall"};

	for (unsigned i = 0; i < sizeof option / sizeof option[0]; i++)
		for (unsigned w = 0; w < sizeof workload / sizeof workload[0]; w++) {
			struct program p = program_run("locus run %s --size test --machine qv100 %s", workload[w], option[i]);

			cr_assert_eq(p.status, 0, "%s %s: %s%s", workload[w], option[i], p.err, p.out);
			program_free(&p);
		}
}
