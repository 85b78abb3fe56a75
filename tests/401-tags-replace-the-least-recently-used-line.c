/* 401: tags: least recently used replacement, worked out by hand. */
#include <criterion/criterion.h>

#include "cache/tags.h"

struct cache {
	struct arena arena;
	struct tags t;
};

static struct cache cache_of(uint32_t sets, uint32_t ways)
{
	struct cache c = {{0}, {0}};

	tags_init(&c.t, &c.arena, sets, ways, 128, NULL);
	return c;
}

/* An access that allocates at once, as a simple cache does. */
static enum tags_result use(struct cache *c, uint64_t line)
{
	uint32_t slot;
	enum tags_result r = tags_probe(&c->t, tags_set(&c->t, 0, line), line, &slot);

	if (r == TAGS_HIT)
		tags_touch(&c->t, slot);
	else
		tags_take(&c->t, slot, line, TAGS_VALID);
	return r;
}

static unsigned misses(struct cache *c, const uint64_t *lines, unsigned n)
{
	unsigned m = 0;

	for (unsigned i = 0; i < n; i++)
		m += use(c, lines[i]) == TAGS_MISS;
	return m;
}

Test(tags, the_least_recently_used_of_four_lines_makes_room)
{
	struct cache c = cache_of(1, 4);
	const uint64_t fill[] = {1, 2, 3, 4, 1};

	cr_assert_eq(misses(&c, fill, 5), 4);
	cr_assert_eq(use(&c, 5), TAGS_MISS, "5 takes the place of 2: 1 was used after it");
	cr_assert_eq(use(&c, 1), TAGS_HIT);
	cr_assert_eq(use(&c, 3), TAGS_HIT);
	cr_assert_eq(use(&c, 4), TAGS_HIT);
	cr_assert_eq(use(&c, 5), TAGS_HIT);
	cr_assert_eq(use(&c, 2), TAGS_MISS, "and 2 is gone; 1 makes room for it");
	cr_assert_eq(use(&c, 1), TAGS_MISS);
}

Test(tags, a_loop_over_one_line_more_than_the_set_holds_misses_always)
{
	for (uint32_t ways = 1; ways <= 70; ways++) {
		struct cache fits = cache_of(1, ways), over = cache_of(1, ways);

		for (unsigned round = 0; round < 3; round++) {
			for (uint64_t line = 0; line < ways; line++)
				cr_assert_eq(use(&fits, line), round ? TAGS_HIT : TAGS_MISS, "%u ways", ways);
			for (uint64_t line = 0; line <= ways; line++)
				cr_assert_eq(use(&over, line), TAGS_MISS, "%u ways", ways);
		}
		arena_free(&fits.arena);
		arena_free(&over.arena);
	}
}

/* Mattson: an access hits in a fully associative LRU cache of w lines exactly if fewer than w other lines were used
 * since the line's last use (its stack distance). In a b c d b c a e b d a the distances of the re-uses are: b 2, c 2,
 * a 3, then b 3, d 4, a 3: with three ways the two of distance 2 hit, with four the three of distance 3 join them, with
 * five that of distance 4. */
Test(tags, hits_follow_the_stack_distances)
{
	const uint64_t trace[] = {'a', 'b', 'c', 'd', 'b', 'c', 'a', 'e', 'b', 'd', 'a'};
	const unsigned hits[] = {0, 0, 0, 2, 5, 6};

	for (uint32_t ways = 1; ways <= 5; ways++) {
		struct cache c = cache_of(1, ways);

		cr_assert_eq(11 - misses(&c, trace, 11), hits[ways], "%u ways", ways);
	}
}

Test(tags, lines_compete_in_their_own_set_only)
{
	struct cache c = cache_of(4, 2);

	for (uint64_t line = 0; line < 8; line++)
		cr_assert_eq(use(&c, line), TAGS_MISS);
	for (uint64_t line = 0; line < 8; line++)
		cr_assert_eq(use(&c, line), TAGS_HIT);
	cr_assert_eq(use(&c, 12), TAGS_MISS, "set 0 loses line 0");
	cr_assert_eq(use(&c, 0), TAGS_MISS);
	for (uint64_t line = 1; line < 4; line++)
		cr_assert_eq(use(&c, line), TAGS_HIT, "line %lu", line);
}

Test(tags, an_invalid_way_is_taken_before_any_valid_one)
{
	for (uint32_t ways = 3; ways <= 48; ways += 45) {
		struct cache c = cache_of(1, ways);
		uint32_t slot;

		for (uint64_t line = 0; line < ways; line++)
			use(&c, line);
		cr_assert_eq(tags_probe(&c.t, 0, 1, &slot), TAGS_HIT);
		tags_drop(&c.t, slot);
		cr_assert_eq(tags_probe(&c.t, 0, 1, &slot), TAGS_MISS);
		cr_assert_eq(tags_state(&c.t, slot), TAGS_INVALID);
		use(&c, 1000);
		for (uint64_t line = 0; line < ways; line++)
			if (line != 1)
				cr_assert_eq(tags_probe(&c.t, 0, line, &slot), TAGS_HIT, "line %lu", line);
	}
}
