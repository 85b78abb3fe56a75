/* 404: MSHRs: new, merged, and the two ways to fail. */
#include <criterion/criterion.h>

#include "cache/mshr.h"

static const struct mshr_waiter somebody;

Test(mshr, the_second_miss_to_a_line_merges_and_the_reply_serves_both_in_order)
{
	struct arena a = {0};
	struct mshr m;
	uint32_t entry, found, n;
	const struct mshr_waiter *w;

	mshr_init(&m, &a, 4, 8);
	cr_assert_eq(mshr_alloc(&m, 70, (struct mshr_waiter){1, 111}, &entry), MSHR_NEW);
	cr_assert_eq(mshr_merge(&m, entry, (struct mshr_waiter){2, 111}), MSHR_MERGED);
	cr_assert(mshr_find(&m, 70, &found));
	cr_assert_eq(found, entry);
	w = mshr_waiters(&m, entry, &n);
	cr_assert_eq(n, 2);
	cr_assert(w[0].client == 1 && w[0].token == 111);
	cr_assert(w[1].client == 2 && w[1].token == 111, "clients may have the same tokens");
	mshr_free(&m, entry);
	cr_assert_not(mshr_find(&m, 70, &found));
	cr_assert_eq(mshr_in_use(&m), 0);
	arena_free(&a);
}

Test(mshr, an_entry_holds_exactly_merges_accesses)
{
	struct arena a = {0};
	struct mshr m;
	uint32_t entry;

	mshr_init(&m, &a, 32, 8);
	cr_assert_eq(mshr_alloc(&m, 5, somebody, &entry), MSHR_NEW);
	for (uint32_t i = 1; i < 8; i++) {
		cr_assert_eq(mshr_merge(&m, entry, somebody), MSHR_MERGED);
		cr_assert_eq(mshr_last_slot(&m, entry), entry * 8 + i);
	}
	cr_assert_eq(mshr_merge(&m, entry, somebody), MSHR_FAIL_MERGE);
	arena_free(&a);
}

Test(mshr, exactly_entries_lines_can_be_in_flight_and_a_free_one_is_used_again)
{
	struct arena a = {0};
	struct mshr m;
	uint32_t entry[32], again;
	bool seen[32] = {false};

	mshr_init(&m, &a, 32, 1);
	for (uint32_t i = 0; i < 32; i++) {
		cr_assert_eq(mshr_alloc(&m, 100 + i, somebody, &entry[i]), MSHR_NEW);
		cr_assert_lt(entry[i], 32);
		cr_assert_not(seen[entry[i]]);
		seen[entry[i]] = true;
	}
	cr_assert_eq(mshr_alloc(&m, 200, somebody, &again), MSHR_FAIL_ENTRY);
	cr_assert_eq(mshr_merge(&m, entry[3], somebody), MSHR_FAIL_MERGE, "one access an entry: nothing merges");
	mshr_free(&m, entry[17]);
	cr_assert_eq(mshr_alloc(&m, 200, somebody, &again), MSHR_NEW);
	cr_assert_eq(again, entry[17]);
	arena_free(&a);
}
