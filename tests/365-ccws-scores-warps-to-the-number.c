/* 365: the throttle ccws: lost locality, scores and who may load, worked out by hand; and against a reference that
 * scores all warps anew in every cycle. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "policy/warp_throttle.h"
#include "support/random.h"

#define T   (&warp_throttle_ccws)
#define ALL UINT64_MAX

struct rig {
	struct arena a;
	struct machine m;
	void *state;
};

static void open(struct rig *r)
{
	struct err e = {""};

	*r = (struct rig){0};
	cr_assert_eq(machine_load(&r->m, "gtx480", "csim/machines", &e), 0, "%s", e.text);
	cr_assert_eq(r->m.throttle.base, 100);
	cr_assert_eq(r->m.throttle.k, 8);
	T->init(&r->state, &r->a, &r->m);
	T->launch(r->state, 0, 0);
}

static uint64_t ask(struct rig *r, uint64_t cycle, uint64_t running)
{
	return T->may_load(r->state, &(struct warp_view){.cycle = cycle, .running = running, .eligible = running});
}

/* A load of `warp` that brings `line` in; in its place goes `victim`, which `by` had brought in. */
static bool loads(struct rig *r, uint64_t cycle, uint64_t insts, unsigned warp, uint64_t line, uint64_t victim, unsigned by)
{
	return T->observe(r->state, &(struct warp_load){.cycle = cycle,
							.insts = insts,
							.line = line,
							.warp = warp,
							.brought_in = true,
							.evicted = true,
							.victim = victim,
							.victim_warp = by});
}

/* Four warps: the cut-off is 400. */
Test(ccws, a_lost_line_raises_its_warps_score_and_holds_others_back)
{
	struct rig r;

	open(&r);
	cr_assert_eq(ask(&r, 0, 0xf), ALL);
	cr_assert_eq(T->next(r.state, 0), UINT64_MAX);
	cr_assert_not(loads(&r, 10, 10, 1, 500, 16, 2), "warp 1 never had the line");

	/* 1 x 8 x 400 / 20 = 160: 160 + 3 x 100 reach 400 with the last warp only */
	cr_assert(loads(&r, 20, 20, 2, 16, 700, 3));
	cr_assert_eq(ask(&r, 20, 0xf), ALL);

	/* 2 x 8 x 400 / 24 = 266: 266 + 100 + 100 */
	cr_assert_not(loads(&r, 22, 22, 0, 501, 16, 2));
	cr_assert(loads(&r, 24, 24, 2, 16, 800, 3));
	cr_assert_eq(ask(&r, 24, 0xf), 0x7, "slots 2, 0 and 1");
	/* (266 - 66) + 200 is 400, a cycle later it is not */
	cr_assert_eq(T->next(r.state, 24), 24 + 67);
	cr_assert_eq(ask(&r, 24 + 66, 0xf), 0x7);
	cr_assert_eq(ask(&r, 24 + 67, 0xf), ALL);

	/* 3 x 8 x 400 / 30 = 320 for warp 3, 266 - 76 = 190 for warp 2: 510 */
	cr_assert(loads(&r, 100, 30, 3, 700, 900, 1));
	cr_assert_eq(ask(&r, 100, 0xf), 0xc);
	/* 510 - 2 x 55 = 400, a cycle later 398 */
	cr_assert_eq(T->next(r.state, 100), 156);
	cr_assert_eq(ask(&r, 155, 0xf), 0xc);
	/* 264 + 134 + 100 = 498: the lower slot of those at the base; warp 2 is at the base 34 cycles later, and 230 +
	 * 2 x 100 go on to reach 400 until warp 3 has 199, in cycle 221 */
	cr_assert_eq(ask(&r, 156, 0xf), 0xd);
	cr_assert_eq(T->next(r.state, 156), 190);
	cr_assert_eq(ask(&r, 190, 0xf), 0xb, "warp 2 is at the base: behind slots 0 and 1");
	cr_assert_eq(T->next(r.state, 190), 221);
	cr_assert_eq(ask(&r, 221, 0xf), ALL);
	arena_free(&r.a);
}

Test(ccws, the_cut_off_follows_the_warps_that_run_and_the_counts_the_cycles)
{
	struct warp_throttle_counts n;
	struct rig r;

	open(&r);
	ask(&r, 0, 0xff);
	cr_assert_not(loads(&r, 1, 10, 0, 501, 16, 7));
	cr_assert(loads(&r, 5, 16, 7, 16, 17, 6)); /* 1 x 8 x 800 / 16 = 400: with four more 800 */
	cr_assert_eq(ask(&r, 5, 0xff), 0x8f);
	cr_assert_eq(ask(&r, 15, 0xf0), 0x90, "390, and a warp more for the 400 of four warps");
	T->count(r.state, 20, &n);
	cr_assert_eq(n.lost, 1);
	cr_assert_eq(n.victims, 2);
	cr_assert_eq(n.limited, 15);
	cr_assert_eq(n.loaders, 10 * 5 + 5 * 2);

	/* a warp that ends leaves its score: the next one in its slot begins at the base */
	ask(&r, 20, 0x70);
	cr_assert_eq(ask(&r, 21, 0xf0), ALL);
	arena_free(&r.a);
}

/* Two sets of eight tags a warp: the ninth victim of a set takes the tag that was noted longest ago. */
Test(ccws, victim_tags_forget_the_oldest_and_what_was_stored_to)
{
	struct rig r;

	open(&r);
	ask(&r, 0, 1);
	for (uint64_t i = 0; i < 8; i++)
		loads(&r, i, 1000, 1, 501, 2 * i, 0);
	loads(&r, 8, 1000, 1, 501, 0, 0);  /* line 0 once more: now 2 is the oldest */
	loads(&r, 9, 1000, 1, 501, 16, 0); /* the ninth line of set 0 */
	loads(&r, 9, 1000, 1, 501, 17, 0); /* the other set */
	cr_assert_not(loads(&r, 10, 1000, 0, 2, 999, 1));
	for (uint64_t line = 0; line <= 16; line += 2)
		if (line != 2)
			cr_assert(loads(&r, 10, 1000, 0, line, 999, 1), "line %u", (unsigned)line);
	cr_assert_not(loads(&r, 11, 1000, 2, 17, 998, 1), "the tags are warp 0's");
	T->dropped(r.state, 17);
	cr_assert_not(loads(&r, 12, 1000, 0, 17, 997, 1), "it was stored to");
	T->launch(r.state, 20, 0);
	cr_assert_not(loads(&r, 21, 1000, 0, 4, 996, 1), "the kernel before lost it");
	arena_free(&r.a);
}

/* ---- a reference: all scores, every cycle ---- */

enum { WARPS = 12 };

/* The highest first, the lower slot first of equals, until the sum reaches the cut-off. */
static uint64_t reference(const unsigned *score, uint64_t running)
{
	unsigned cut_off = 100 * (unsigned)__builtin_popcountll(running), sum = 0;
	uint64_t chosen = 0;

	while (chosen != running && sum < cut_off) {
		int best = -1;

		for (int w = 0; w < WARPS; w++)
			if ((running & ~chosen) >> w & 1 && (best < 0 || score[w] > score[best]))
				best = w;
		chosen |= UINT64_C(1) << best;
		sum += score[best];
	}
	return chosen;
}

Test(ccws, what_holds_between_asks_is_what_every_cycle_would_say)
{
	unsigned score[WARPS], lost = 0, limited = 0, asked = 0;
	uint64_t seed = 365, running = 0xfff, answer, due = 0;
	struct rig r;

	open(&r);
	for (unsigned w = 0; w < WARPS; w++)
		score[w] = 100;
	for (uint64_t w = 0; w < WARPS; w++) /* line w + 1000 is lost by warp w */
		loads(&r, 0, 1, WARPS, 2000, w + 1000, (unsigned)w);
	answer = ask(&r, 0, running);
	for (uint64_t cycle = 1; cycle < 30000; cycle++) {
		bool stale = due <= cycle;

		for (unsigned w = 0; w < WARPS; w++)
			score[w] -= score[w] > 100;
		if (random_below(&seed, 150) == 0) {
			unsigned w = (unsigned)random_below(&seed, WARPS);
			uint64_t insts = 100 + cycle / 64, llds;

			running |= UINT64_C(1) << w;
			ask(&r, cycle, running);
			llds = ++lost * 8 * 100 * (uint64_t)__builtin_popcountll(running) / insts;
			score[w] = llds > 100 ? (unsigned)llds : 100;
			cr_assert(loads(&r, cycle, insts, w, w + 1000, 3000 + cycle, WARPS + 1));
			stale = true;
		}
		if (random_below(&seed, 700) == 0) {
			unsigned w = (unsigned)random_below(&seed, WARPS);

			running ^= UINT64_C(1) << w;
			score[w] = 100;
			stale = true;
		}
		if (stale) {
			answer = ask(&r, cycle, running);
			due = T->next(r.state, cycle);
			cr_assert_gt(due, cycle);
			asked++;
		}
		cr_assert_eq(answer & running, reference(score, running), "cycle %u", (unsigned)cycle);
		limited += (answer & running) != running;
	}
	cr_assert_gt(limited, 5000);
	cr_assert_lt(asked, 5000);
	arena_free(&r.a);
}
