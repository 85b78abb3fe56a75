/* 384: prefetches of an L1 of sectors, with lines that get their way at the miss or when they come: a prefetch asks for
 * all sectors of its line, in as many packets as l1.packet_sectors says; a line that is there in part is left alone. */
#include <criterion/criterion.h>

#include "support/l1_rig.h"
#include "support/program.h"

#define SET(allocate, packet)                                                                                                      \
	((const char *const[]){"l1.sectors=4", allocate, packet, "l1.prefetch.policy=next-line", "l1.prefetch.queue=2", NULL})
static const char *const allocates[] = {"l1.allocate=miss", "l1.allocate=fill"};

static enum l1_result load(struct l1_rig *r, uint64_t cycle, uint64_t addr)
{
	struct l1_access a = l1_rig_load(addr, 1);

	return l1_access(&r->l1, cycle, &a);
}

/* A load of 0x1000 misses, and what it proposes is fetched. Its own packet is answered. */
static void prefetch(struct l1_rig *r, const char *allocate, const char *packet)
{
	uint32_t n;

	l1_rig_open(r, SET(allocate, packet));
	cr_assert_eq(load(r, 10, 0x1000), L1_MISS);
	l1_rig_reply(r, l1_rig_take(r), &n);
	cr_assert_eq(n, 1);
	l1_prefetch(&r->l1, 11);
	cr_assert_eq(r->l1.stats.prefetch.issued, 1);
}

Test(prefetch_sectors, a_line_comes_whole)
{
	for (unsigned i = 0; i < 2; i++) {
		struct l1_rig r;
		struct mem_req m;
		uint32_t n;

		prefetch(&r, allocates[i], "l1.packet_sectors=4");
		m = l1_rig_take(&r);
		cr_assert(m.addr == 0x1080 && m.bytes == 128 && !l1_has_packet(&r.l1));
		l1_rig_reply(&r, m, &n);
		cr_assert_eq(n, 0, "nobody waits for it");
		for (uint32_t s = 0; s < 4; s++)
			cr_assert_eq(load(&r, 12 + s, 0x1080 + 32 * s), L1_HIT);
		cr_assert(r.l1.stats.prefetch.useful == 1 && r.l1.stats.prefetch.late == 0);
		l1_rig_close(&r);
	}
}

/* Its sectors come one by one; a load waits for the one that it needs. */
Test(prefetch_sectors, a_load_waits_for_its_own_sector)
{
	for (unsigned i = 0; i < 2; i++) {
		struct l1_rig r;
		struct mem_req m[4];
		uint32_t n;

		prefetch(&r, allocates[i], "l1.packet_sectors=1");
		for (unsigned s = 0; s < 4; s++) {
			m[s] = l1_rig_take(&r);
			cr_assert(m[s].addr == 0x1080 + 32 * s && m[s].bytes == 32);
		}
		cr_assert_eq(load(&r, 12, 0x10c0), L1_MERGED);
		cr_assert(r.l1.stats.prefetch.useful == 1 && r.l1.stats.prefetch.late == 1);
		l1_rig_reply(&r, m[0], &n);
		cr_assert_eq(n, 0);
		l1_rig_reply(&r, m[2], &n);
		cr_assert_eq(n, 1);
		cr_assert_eq(load(&r, 13, 0x1080), L1_HIT);
		l1_rig_reply(&r, m[1], &n);
		l1_rig_reply(&r, m[3], &n);
		cr_assert_eq(n, 0);
		cr_assert_eq(mshr_in_use(&r.l1.mshr), 0);
		cr_assert_eq(r.l1.stats.prefetch.useful, 1);
		l1_rig_close(&r);
	}
}

/* 8 packets have room for a line's 4 and the 2 that are left free, once, not with 3 that wait. */
Test(prefetch_sectors, room_is_wanted_for_all_packets)
{
	for (unsigned i = 0; i < 2; i++) {
		struct l1_rig r;

		l1_rig_open(&r, SET(allocates[i], "l1.packet_sectors=1"));
		for (uint32_t k = 0; k < 3; k++)
			cr_assert_eq(load(&r, k, 0x100000 + 0x10000 * k), L1_MISS);
		l1_prefetch(&r.l1, 4);
		cr_assert_eq(r.l1.stats.prefetch.dropped, 1);
		l1_rig_take(&r);
		l1_prefetch(&r.l1, 5);
		cr_assert_eq(r.l1.stats.prefetch.issued, 1);
		cr_assert_eq(miss_queue_waiting(&r.l1.queue), 6);
		l1_rig_close(&r);
	}
}

Test(prefetch_sectors, a_line_in_part_or_on_its_way_is_left_alone)
{
	for (unsigned i = 0; i < 2; i++) {
		struct l1_rig r;

		l1_rig_open(&r, SET(allocates[i], "l1.packet_sectors=4"));
		l1_rig_bring(&r, 0, 0x1080);
		l1_prefetch(&r.l1, 1);
		l1_rig_take(&r);
		cr_assert_eq(load(&r, 2, 0x1000), L1_MISS);
		l1_prefetch(&r.l1, 3); /* 0x1080 is there in part */
		cr_assert_eq(r.l1.stats.prefetch.needless, 1);
		cr_assert_eq(load(&r, 4, 0x2080), L1_MISS);
		cr_assert_eq(load(&r, 5, 0x2000), L1_MISS);
		l1_prefetch(&r.l1, 6);
		l1_prefetch(&r.l1, 7); /* 0x2100; 0x2080 is on its way */
		cr_assert_eq(r.l1.stats.prefetch.needless, 2);
		l1_rig_close(&r);
	}
}

Test(prefetch_sectors, what_comes_after_its_launch_is_dropped)
{
	for (unsigned i = 0; i < 2; i++) {
		struct l1_rig r;
		struct mem_req m;
		uint32_t n;

		prefetch(&r, allocates[i], "l1.packet_sectors=4");
		m = l1_rig_take(&r);
		l1_invalidate(&r.l1);
		l1_rig_reply(&r, m, &n);
		cr_assert_eq(n, 0);
		cr_assert_eq(load(&r, 20, 0x1080), L1_MISS);
		l1_rig_close(&r);
	}
}

/* Also one that comes in parts: with the last of them. */
Test(prefetch_sectors, what_comes_in_parts_after_its_launch_is_dropped_whole)
{
	for (unsigned i = 0; i < 2; i++) {
		struct l1_rig r;
		struct mem_req m[4];
		uint32_t n;

		prefetch(&r, allocates[i], "l1.packet_sectors=1");
		for (unsigned s = 0; s < 4; s++)
			m[s] = l1_rig_take(&r);
		l1_rig_reply(&r, m[0], &n);
		l1_invalidate(&r.l1);
		for (unsigned s = 1; s < 4; s++) {
			l1_rig_reply(&r, m[s], &n);
			cr_assert_eq(n, 0);
		}
		for (uint32_t s = 0; s < 4; s++)
			cr_assert_neq(load(&r, 20 + s, 0x1080 + 32 * s), L1_HIT, "sector %u", s);
		l1_rig_close(&r);
	}
}

/* Status 1 if an invariant were broken or a result wrong. */
Test(prefetch_sectors, programs_keep_their_invariants_and_results)
{
#define APART " --set sm.unified_bytes=0 --set sm.carveouts=0 --set l1.assoc=16"
	static const char *const run[] = {
		"bfs --machine qv100 --l1-prefetch next-line",
		"spmv --machine qv100 --l1-prefetch next-line --set l1.packet_sectors=1 --no-skip",
		"histogram --machine qv100 --l1-front mrpb",
		"syrk --machine qv100 --plan ldesc" APART,
		"spmv --machine qv100 --plan ldesc --no-skip" APART,
		"spmv --machine qv100 --plan ldesc-pref",
		"nn --machine gtx480-ldesc --set l1.sectors=2 --l1-prefetch next-line:mshrs=4",
		"spmv --machine titanv --set l1.sectors=4 --l1-prefetch next-line --l1-bypass streaming:rate=50,period=500",
	};

	for (unsigned i = 0; i < sizeof run / sizeof run[0]; i++) {
		struct program p = program_run("locus run %s --size test", run[i]);

		cr_assert_eq(p.status, 0, "%s: %s%s", run[i], p.err, p.out);
		program_free(&p);
	}
}

Test(prefetch_sectors, a_plan_that_pins_in_an_l1_that_changes_is_refused)
{
	struct program p = program_run("locus run syrk --size test --machine qv100 --plan ldesc");

	cr_assert(program_is_clean_error(&p));
	cr_assert(strstr(p.err, "sm.unified_bytes: the plan pins lines"), "%s", p.err);
	program_free(&p);
}
