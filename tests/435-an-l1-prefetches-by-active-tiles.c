/* 435: an L1 with a prefetch unit: distances follow the CTAs on the SM; a prefetch waits for a cycle without accesses
 * and leaves loads their resources; a launch begins with nothing waiting and no tile. */
#include <criterion/criterion.h>

#include "support/l1_rig.h"

enum { BASE = 0x100000, BOUND = 0x800000, ROW = 43008 };

/* Two CTAs of a column of four are in one tile; the distances are histo's, in rows. */
static const uint32_t distance[] = {10 * ROW, 5 * ROW, 3 * ROW, 2 * ROW};
static const uint32_t grid[3] = {3, 4, 1};
static struct locality_entry entry[2] = {{.base = 0, .bound = BASE, .prefetch = LOCALITY_NEXT_LINE},
					 {.base = BASE, .bound = BOUND, .prefetch = LOCALITY_STRIDE, .distance = ROW}};
static struct plan_tiles tiles[2] = {{.n_distances = 0}, {{1, 2, 1}, {3, 2, 1}, 4, distance}};
static const struct plan_launch launch = {.n_localities = 2, .locality = entry, .tiles = tiles};

static void open_rig(struct l1_rig *r, const char *const *keys)
{
	struct hw_binder golden = hw_golden_binder(&r->arena);
	struct err e = {""};

	l1_rig_open(r, keys);
	r->m.l1.prefetch.policy = PREFETCH_LOCALITY;
	l1_init(&r->l1, &r->arena, &r->m, 0, &r->route, NULL, L1_RIG_BUFFERS);
	cr_assert_eq(l1_init_prefetch_unit(&r->l1, &r->arena, &r->m, "sm0.l1", &golden, &e), 0, "%s", e.text);
	prefetch_begin_launch(r->l1.prefetch.unit, 0, &launch, grid);
}

static enum l1_result load(struct l1_rig *r, uint64_t cycle, uint64_t addr)
{
	struct l1_access a = l1_rig_load(addr, 1);

	a.locality = (struct locality_answer){
		.addr = addr, .bound = BOUND, .distance = ROW, .match = true, .entry = 1, .prefetch = LOCALITY_STRIDE};
	return l1_access(&r->l1, cycle, &a);
}

/* The line that a miss prefetches in the next cycle; 0: none. */
static uint64_t fetched(struct l1_rig *r, uint64_t cycle, uint64_t addr)
{
	uint32_t n;

	cr_assert_eq(load(r, cycle, addr), L1_MISS);
	l1_rig_reply(r, l1_rig_take(r), &n);
	l1_prefetch(&r->l1, cycle + 1);
	if (!l1_has_packet(&r->l1))
		return 0;

	struct mem_req m = l1_rig_take(r);

	l1_rig_reply(r, m, &n);
	cr_assert_eq(n, 0, "nobody waits for it");
	return m.addr;
}

Test(prefetch_by_tiles, goes_as_far_as_the_ctas_on_the_sm_allow)
{
	struct l1_rig r;
	struct prefetch *p;

	open_rig(&r, NULL);
	p = r.l1.prefetch.unit;
	cr_expect_eq(fetched(&r, 10, BASE), BASE + ROW, "no CTA: as the table says");
	prefetch_begin_cta(p, 20, 0);
	cr_expect_eq(fetched(&r, 21, BASE + 0x80), BASE + 0x80 + 10 * ROW);
	prefetch_begin_cta(p, 30, 3);
	cr_expect_eq(fetched(&r, 31, BASE + 0x100), BASE + 0x100 + 10 * ROW, "the same tile: CTA (0, 1)");
	prefetch_begin_cta(p, 40, 6);
	prefetch_begin_cta(p, 40, 1);
	cr_expect_eq(fetched(&r, 41, BASE + 0x180), BASE + 0x180 + 3 * ROW, "(0, 2) and (1, 0) are two more");
	prefetch_end_cta(p, 50, 0);
	cr_expect_eq(fetched(&r, 51, BASE + 0x200), BASE + 0x200 + 3 * ROW, "(0, 1) is still there");
	prefetch_end_cta(p, 60, 3);
	cr_expect_eq(fetched(&r, 60, BASE + 0x280), BASE + 0x280 + 3 * ROW, "in the same cycle it still counts");
	cr_expect_eq(fetched(&r, 62, BASE + 0x300), BASE + 0x300 + 5 * ROW);
	cr_expect_eq(p->port.golden->active[1], 2);
	cr_expect_eq(p->port.golden->active[0], 0, "a structure of which no stride is prefetched has no tiles");
	l1_rig_close(&r);
}

Test(prefetch_by_tiles, waits_for_accesses_and_for_one_that_failed)
{
	struct l1_rig r;

	open_rig(&r, (const char *const[]){"l1.miss_queue=4", "l1.prefetch.queue=0", NULL});
	for (unsigned i = 0; i < 4; i++) {
		cr_assert_eq(load(&r, 10 + i, BASE + i * 0x1080), L1_MISS);
		l1_prefetch(&r.l1, 10 + i);
		cr_assert_eq(r.l1.stats.prefetch.issued, 0, "an access has the port");
	}
	cr_assert_eq(load(&r, 14, BASE + 0x8000), L1_FAIL_QUEUE);
	l1_rig_take(&r);
	cr_assert_not(l1_would_prefetch(&r.l1), "a load waits for this very entry");
	l1_prefetch(&r.l1, 15);
	cr_assert_eq(load(&r, 40, BASE + 0x8000), L1_MISS);
	l1_rig_take(&r);
	cr_assert(l1_would_prefetch(&r.l1));
	l1_prefetch(&r.l1, 41);
	cr_assert_eq(r.l1.stats.prefetch.issued, 1);
	l1_prefetch(&r.l1, 42);
	cr_assert_eq(r.l1.stats.prefetch.dropped, 1, "the miss queue is full, and nobody waits for it");
	l1_rig_close(&r);
}

Test(prefetch_by_tiles, leaves_mshr_entries_to_loads)
{
	struct l1_rig r;

	open_rig(&r, (const char *const[]){"l1.mshr_entries=4", "l1.prefetch.mshrs=2", NULL});
	for (unsigned i = 0; i < 3; i++) {
		cr_assert_eq(load(&r, 10 + 10 * i, BASE + i * 0x1080), L1_MISS);
		l1_rig_take(&r);
		l1_prefetch(&r.l1, 11 + 10 * i);
		cr_assert_eq(r.l1.stats.prefetch.issued, 1, "3 are free at the first, 2 and 1 at the others");
		while (l1_has_packet(&r.l1))
			l1_rig_take(&r);
	}
	cr_assert_eq(r.l1.stats.prefetch.dropped, 2);
	l1_rig_close(&r);
}

Test(prefetch_by_tiles, begins_a_launch_with_nothing_waiting)
{
	struct l1_rig r;
	uint32_t n;

	open_rig(&r, NULL);
	cr_assert_eq(load(&r, 10, BASE), L1_MISS);
	cr_assert_eq(load(&r, 11, BASE + 0x1000), L1_MISS);
	l1_rig_reply(&r, l1_rig_take(&r), &n);
	l1_rig_reply(&r, l1_rig_take(&r), &n);
	cr_assert(l1_would_prefetch(&r.l1));
	l1_invalidate(&r.l1);
	cr_assert_not(l1_would_prefetch(&r.l1));
	cr_assert_eq(r.l1.stats.prefetch.proposed, 2);
	cr_assert_eq(r.l1.stats.prefetch.dropped, 2);
	cr_assert_eq(r.l1.prefetch.unit->port.golden->waiting, 0);
	prefetch_begin_launch(r.l1.prefetch.unit, 12, &launch, grid);
	cr_assert_eq(fetched(&r, 13, BASE + 0x80), BASE + 0x80 + ROW);
	l1_rig_close(&r);
}
