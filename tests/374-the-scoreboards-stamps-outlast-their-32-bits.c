/* 374: the stamps of registers are kept in 32 bits from a base that moves up: what can still be waited for stays
 * exact, what has been there for long stays there. */
#include <criterion/criterion.h>

#include "sm/scoreboard.h"

static const uint16_t reg[] = {0, 2};

static uint64_t stamp(const struct scoreboard *s, unsigned slot, unsigned r)
{
	return scoreboard_stamp(s, scoreboard_of(s, slot)[r]);
}

Test(scoreboard, keeps_what_it_is_given)
{
	struct arena a = {0};
	struct scoreboard s;

	scoreboard_init(&s, &a, 2, 3);
	scoreboard_set(&s, 1, reg, 2, sm_stamp(40, true), 7);
	cr_assert_eq(stamp(&s, 1, 0), 81);
	cr_assert_eq(stamp(&s, 1, 2), 81);
	cr_assert_eq(stamp(&s, 1, 1), 0);
	cr_assert_eq(stamp(&s, 0, 0), 0, "another warp's");
	scoreboard_set(&s, 0, reg, 1, SM_STAMP_NEVER, 7);
	cr_assert_eq(stamp(&s, 0, 0), SM_STAMP_NEVER);
	scoreboard_set(&s, 0, reg, 1, SM_STAMP_COLLECT, 7);
	cr_assert_eq(stamp(&s, 0, 0), SM_STAMP_COLLECT);
	arena_free(&a);
}

/* In cycle 2^30 + 5 a stamp no longer fits behind base 0. */
Test(scoreboard, moves_its_base)
{
	const uint64_t now = (UINT64_C(1) << 30) + 5;
	struct arena a = {0};
	struct scoreboard s;

	scoreboard_init(&s, &a, 4, 3);
	scoreboard_set(&s, 0, reg, 2, sm_stamp(100, false), 90);
	scoreboard_set(&s, 1, reg, 2, SM_STAMP_NEVER, 90);
	scoreboard_set(&s, 2, reg, 2, sm_stamp((UINT64_C(1) << 30) - 1, true), now - 6);
	cr_assert_eq(stamp(&s, 0, 0), 200, "still exact");
	scoreboard_set(&s, 3, reg, 2, sm_stamp(now + 300, true), now);
	cr_assert_eq(s.base, 2 * now);
	cr_assert_eq(stamp(&s, 3, 2), 2 * (now + 300) + 1);
	cr_assert_eq(stamp(&s, 1, 2), SM_STAMP_NEVER);
	cr_assert_leq(stamp(&s, 0, 0) >> 1, now, "long there");
	cr_assert_leq(stamp(&s, 2, 0) >> 1, now, "there");
	arena_free(&a);
}

/* Values that come ahead of and behind the move keep the times at which they can be read. */
Test(scoreboard, keeps_what_is_on_its_way)
{
	const uint64_t now = (UINT64_C(3) << 30) - 2;
	struct arena a = {0};
	struct scoreboard s;

	scoreboard_init(&s, &a, 2, 3);
	for (uint64_t cycle = 0; cycle < now; cycle += UINT64_C(1) << 28)
		scoreboard_set(&s, 0, reg, 1, sm_stamp(cycle + 4, false), cycle);
	scoreboard_set(&s, 0, reg, 1, sm_stamp(now + 4096, true), now);
	scoreboard_move(&s, now + 1);
	cr_assert_eq(stamp(&s, 0, 0), 2 * (now + 4096) + 1);
	cr_assert_eq(s.base, 2 * (now + 1));
	arena_free(&a);
}
