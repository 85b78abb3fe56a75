/* 168: of many times side by side, those that are due and the soonest are found: as by looking at one after the
 * other. */
#include <criterion/criterion.h>

#include "base/due.h"
#include "support/at_tick.h"
#include "support/random.h"

enum { MANY = 200 };

static void fill(struct ticks *v, uint32_t n, uint64_t *seed)
{
	static const uint64_t corners[] = {0, 1, 999, 1000, 1001, INT64_MAX, UINT64_C(1) << 63, UINT64_MAX - 1, UINT64_MAX};

	for (uint32_t i = 0; i < due_room(n); i++)
		v[i] = i < n ? at_tick(corners[random_below(seed, sizeof corners / sizeof *corners)]) : TIME_NEVER;
}

Test(due, a_part_is_in_the_set_if_its_time_has_come)
{
	static const uint64_t nows[] = {0, 1, 1000, INT64_MAX, UINT64_C(1) << 63, UINT64_MAX - 1};
	struct ticks v[MANY];
	uint64_t seed = 168;

	for (unsigned round = 0; round < 2000; round++) {
		uint32_t n = 1 + (uint32_t)(random_below(&seed, MANY - DUE_BATCH));
		struct ticks now = at_tick(nows[round % (sizeof nows / sizeof *nows)]);

		fill(v, n, &seed);
		for (uint32_t from = 0; from < n; from += DUE_WORD) {
			uint64_t set = due_set(v, from, due_room(n), now);

			for (uint32_t k = 0; k < DUE_WORD; k++)
				cr_assert_eq(set >> k & 1, from + k < n && v[from + k].n <= now.n, "part %u of %u", from + k, n);
		}
	}
}

Test(due, the_soonest_is_the_smallest_time)
{
	struct ticks v[MANY];
	uint64_t seed = 169;

	for (unsigned round = 0; round < 2000; round++) {
		uint32_t n = 1 + (uint32_t)(random_below(&seed, MANY - DUE_BATCH));
		uint64_t least = UINT64_MAX;

		fill(v, n, &seed);
		for (uint32_t i = 0; i < n; i++)
			least = v[i].n < least ? v[i].n : least;
		cr_assert_eq(due_soonest(v, due_room(n)).n, least);
	}
}

Test(due, a_set_is_taken_from_either_end)
{
	uint64_t up = UINT64_C(1) << 63 | 1 << 5 | 1, down = up;

	cr_expect_eq(due_take(&up, false), 0);
	cr_expect_eq(due_take(&up, false), 5);
	cr_expect_eq(due_take(&up, false), 63);
	cr_expect_eq(up, 0);
	cr_expect_eq(due_take(&down, true), 63);
	cr_expect_eq(due_take(&down, true), 5);
	cr_expect_eq(due_take(&down, true), 0);
	cr_expect_eq(down, 0);
}
