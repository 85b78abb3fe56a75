/* 404: MSHRs: new, merged, and the two ways to fail. */
#include <criterion/criterion.h>

#include "cache/mshr.h"

Test(mshr, the_second_miss_to_a_line_merges_and_the_reply_serves_both_in_order)
{
	struct arena a = {0};
	struct mshr m;
	uint32_t entry, found, n;
	const uint32_t *token;

	mshr_init(&m, &a, 4, 8);
	cr_assert_eq(mshr_alloc(&m, 70, 111, &entry), MSHR_NEW);
	cr_assert_eq(mshr_merge(&m, entry, 222), MSHR_MERGED);
	cr_assert(mshr_find(&m, 70, &found));
	cr_assert_eq(found, entry);
	token = mshr_tokens(&m, entry, &n);
	cr_assert_eq(n, 2);
	cr_assert_eq(token[0], 111);
	cr_assert_eq(token[1], 222);
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
	cr_assert_eq(mshr_alloc(&m, 5, 0, &entry), MSHR_NEW);
	for (uint32_t i = 1; i < 8; i++) {
		cr_assert_eq(mshr_merge(&m, entry, i), MSHR_MERGED);
		cr_assert_eq(mshr_last_place(&m, entry), entry * 8 + i);
	}
	cr_assert_eq(mshr_merge(&m, entry, 8), MSHR_FAIL_MERGE);
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
		cr_assert_eq(mshr_alloc(&m, 100 + i, i, &entry[i]), MSHR_NEW);
		cr_assert_lt(entry[i], 32);
		cr_assert_not(seen[entry[i]]);
		seen[entry[i]] = true;
	}
	cr_assert_eq(mshr_alloc(&m, 200, 0, &again), MSHR_FAIL_ENTRY);
	cr_assert_eq(mshr_merge(&m, entry[3], 0), MSHR_FAIL_MERGE, "one access an entry: nothing merges");
	mshr_free(&m, entry[17]);
	cr_assert_eq(mshr_alloc(&m, 200, 0, &again), MSHR_NEW);
	cr_assert_eq(again, entry[17]);
	arena_free(&a);
}
