/* 402: tags: what may happen to a line between the miss that reserves it and its fill; dirty bytes. */
#include <criterion/criterion.h>

#include "cache/tags.h"

static struct tags tags_of(struct arena *a, uint32_t ways)
{
	struct tags t;

	tags_init(&t, a, 1, ways, 128, NULL);
	return t;
}

static uint32_t reserve(struct tags *t, uint64_t line)
{
	uint32_t slot;

	cr_assert_eq(tags_probe(t, 0, line, &slot), TAGS_MISS);
	tags_take(t, slot, line, TAGS_RESERVED);
	return slot;
}

Test(reserved, a_set_with_all_ways_reserved_fails_until_one_is_filled)
{
	for (uint32_t ways = 1; ways <= 40; ways++) {
		struct arena a = {0};
		struct tags t = tags_of(&a, ways);
		uint32_t slot = 0, first = 0;

		for (uint64_t line = 0; line < ways; line++) {
			slot = reserve(&t, line);
			first = line == 0 ? slot : first;
		}
		cr_assert_eq(tags_probe(&t, 0, 99, &slot), TAGS_FAIL, "%u ways", ways);
		cr_assert_eq(tags_probe(&t, 0, 0, &slot), TAGS_HIT_RESERVED);
		cr_assert_eq(slot, first);
		tags_fill(&t, slot);
		cr_assert_eq(tags_probe(&t, 0, 0, &slot), TAGS_HIT);
		cr_assert_eq(tags_probe(&t, 0, 99, &slot), TAGS_MISS);
		cr_assert_eq(slot, first, "the only way that is not reserved");
		arena_free(&a);
	}
}

Test(reserved, a_reserved_line_is_passed_over_even_if_it_is_the_oldest)
{
	struct arena a = {0};
	struct tags t = tags_of(&a, 4);
	uint32_t slot;

	reserve(&t, 10);
	for (uint64_t line = 11; line < 14; line++)
		tags_fill(&t, reserve(&t, line));
	cr_assert_eq(tags_probe(&t, 0, 99, &slot), TAGS_MISS);
	cr_assert_eq(tags_line(&t, slot), 11);
}

Test(reserved, a_fill_does_not_make_the_line_younger)
{
	struct arena a = {0};
	struct tags t = tags_of(&a, 2);
	uint32_t old = reserve(&t, 1), young = reserve(&t, 2), slot;

	tags_fill(&t, young);
	tags_fill(&t, old);
	cr_assert_eq(tags_probe(&t, 0, 3, &slot), TAGS_MISS);
	cr_assert_eq(slot, old, "line 1 was used before line 2, whichever came back first");
}

Test(reserved, a_touch_while_reserved_counts_as_use_and_keeps_it_reserved)
{
	struct arena a = {0};
	struct tags t = tags_of(&a, 2);
	uint32_t one = reserve(&t, 1), two = reserve(&t, 2), slot;

	tags_touch(&t, one);
	cr_assert_eq(tags_state(&t, one), TAGS_RESERVED);
	cr_assert_eq(tags_probe(&t, 0, 3, &slot), TAGS_FAIL);
	tags_fill(&t, one);
	tags_fill(&t, two);
	cr_assert_eq(tags_probe(&t, 0, 3, &slot), TAGS_MISS);
	cr_assert_eq(slot, two);
}

Test(dirty, bytes_written_are_remembered_until_the_line_is_clean)
{
	struct arena a = {0};
	struct tags t = tags_of(&a, 2);
	uint32_t slot = reserve(&t, 7);

	tags_fill(&t, slot);
	cr_assert_eq(tags_state(&t, slot), TAGS_VALID);
	tags_write(&t, slot, (uint64_t[2]){0xff, 0});
	tags_write(&t, slot, (uint64_t[2]){0xf0f, 1});
	cr_assert_eq(tags_state(&t, slot), TAGS_DIRTY);
	cr_assert_eq(t.dirty[slot].byte[0], 0xfff);
	cr_assert_eq(t.dirty[slot].byte[1], 1);
	tags_clean(&t, slot);
	cr_assert_eq(tags_state(&t, slot), TAGS_VALID);
	cr_assert_eq(t.dirty[slot].byte[0] | t.dirty[slot].byte[1], 0);
}

Test(dirty, a_line_written_while_reserved_is_dirty_after_its_fill)
{
	struct arena a = {0};
	struct tags t = tags_of(&a, 2);
	uint32_t slot = reserve(&t, 7);

	tags_write(&t, slot, (uint64_t[2]){0, 1});
	cr_assert_eq(tags_state(&t, slot), TAGS_RESERVED);
	tags_fill(&t, slot);
	cr_assert_eq(tags_state(&t, slot), TAGS_DIRTY);
}

Test(dirty, a_new_line_in_the_slot_starts_clean)
{
	struct arena a = {0};
	struct tags t = tags_of(&a, 1);
	uint32_t slot = reserve(&t, 7);

	tags_fill(&t, slot);
	tags_write(&t, slot, (uint64_t[2]){1, 0});
	slot = reserve(&t, 8);
	tags_fill(&t, slot);
	cr_assert_eq(tags_state(&t, slot), TAGS_VALID);
}
