/* 405: pins: a victim is an invalid way, else the least recently used unpinned line, else the least recently used soft
 * pin, else way 0, or the first way that is not reserved (ldesc, section 5.2). */
#include <criterion/criterion.h>

#include "cache/tags.h"
#include "support/random.h"

enum { WAYS = 4, MAX_WAYS = 40 };

struct cache {
	struct arena arena;
	struct tags t;
};

static struct cache cache_of(uint32_t ways)
{
	struct cache c = {{0}, {0}};

	tags_init(&c.t, &c.arena, 1, ways, 128, NULL);
	return c;
}

static uint32_t bring(struct cache *c, uint64_t line, enum cache_pin pin)
{
	uint32_t slot;

	cr_assert_eq(tags_probe(&c->t, 0, line, &slot), TAGS_MISS);
	tags_take(&c->t, slot, line, TAGS_VALID);
	tags_pin(&c->t, slot, pin);
	return slot;
}

static uint64_t victim_line(struct cache *c, uint64_t newcomer)
{
	uint32_t slot;

	return tags_probe(&c->t, 0, newcomer, &slot) == TAGS_MISS ? tags_line(&c->t, slot) : 0;
}

Test(pins, unpinned_lines_leave_before_soft_pins_and_these_before_hard_ones)
{
	struct cache c = cache_of(WAYS);

	bring(&c, 1, CACHE_HARD_PIN); /* the oldest, in way 0 */
	bring(&c, 2, CACHE_SOFT_PIN);
	bring(&c, 3, CACHE_UNPINNED);
	bring(&c, 4, CACHE_UNPINNED);
	cr_assert_eq(victim_line(&c, 5), 3);
	bring(&c, 5, CACHE_SOFT_PIN);
	cr_assert_eq(victim_line(&c, 6), 4);
	bring(&c, 6, CACHE_HARD_PIN);
	cr_assert_eq(victim_line(&c, 7), 2, "the older soft pin");
	bring(&c, 7, CACHE_HARD_PIN);
	cr_assert_eq(victim_line(&c, 8), 5);
	bring(&c, 8, CACHE_HARD_PIN);
	cr_assert_eq(victim_line(&c, 9), 1, "all are hard: way 0");
	bring(&c, 9, CACHE_HARD_PIN);
	cr_assert_eq(victim_line(&c, 10), 9, "way 0 again, though it is the youngest");
	arena_free(&c.arena);
}

Test(pins, a_line_on_its_way_is_never_the_victim)
{
	struct cache c = cache_of(WAYS);
	uint32_t slot[WAYS];

	for (uint32_t i = 0; i < WAYS; i++)
		slot[i] = bring(&c, i + 1, CACHE_HARD_PIN);
	tags_drop(&c.t, slot[0]);
	cr_assert_eq(tags_probe(&c.t, 0, 9, &slot[0]), TAGS_MISS);
	tags_take(&c.t, slot[0], 9, TAGS_RESERVED);
	cr_assert_eq(victim_line(&c, 10), 2, "way 0 is reserved: the next one");
	arena_free(&c.arena);
}

Test(pins, a_pin_ends_with_its_line)
{
	struct cache c = cache_of(WAYS);

	for (uint64_t line = 1; line <= WAYS; line++)
		bring(&c, line, line == 3 ? CACHE_UNPINNED : CACHE_HARD_PIN);
	bring(&c, 5, CACHE_UNPINNED); /* in the way of 3 */
	cr_assert_eq(victim_line(&c, 6), 5);
	tags_drop_all(&c.t);
	cr_assert_eq(c.t.pins, 0);
	arena_free(&c.arena);
}

/* Any shape, narrow or wide, against the rule written out over arrays: age, pin and state by slot. */
struct rule {
	uint64_t age[MAX_WAYS], clock;
	enum cache_pin pin[MAX_WAYS];
	bool valid[MAX_WAYS], reserved[MAX_WAYS];
};

static uint32_t oldest(const struct rule *r, uint32_t ways, enum cache_pin pin)
{
	uint32_t best = MAX_WAYS;

	for (uint32_t i = 0; i < ways; i++)
		if (!r->reserved[i] && r->pin[i] == pin && (best == MAX_WAYS || r->age[i] < r->age[best]))
			best = i;
	return best;
}

static uint32_t expected(const struct rule *r, uint32_t ways)
{
	for (enum cache_pin p = CACHE_UNPINNED; p < CACHE_HARD_PIN; p++)
		if (oldest(r, ways, p) != MAX_WAYS)
			return oldest(r, ways, p);
	for (uint32_t i = 0; i < ways; i++)
		if (!r->reserved[i])
			return i;
	return MAX_WAYS;
}

static void random_steps(uint32_t ways, uint64_t seed)
{
	struct cache c = cache_of(ways);
	struct rule r = {.clock = 0};
	uint64_t next_line = 1;
	uint32_t slot;

	for (unsigned n = 0; n < 3000; n++) {
		uint32_t i = (uint32_t)(random_u64(&seed) % ways), full = 0, want;

		for (uint32_t k = 0; k < ways; k++)
			full += r.valid[k];
		if (full < ways || random_u64(&seed) % 3 == 0) { /* a new line */
			enum tags_result got = tags_probe(&c.t, 0, next_line, &slot);

			want = expected(&r, ways);
			cr_assert_eq(got, full < ways || want != MAX_WAYS ? TAGS_MISS : TAGS_FAIL);
			if (got == TAGS_FAIL)
				continue;
			if (full == ways)
				cr_assert_eq(slot, want, "%u ways, step %u", ways, n);
			else
				cr_assert_not(r.valid[slot], "an invalid way is taken first");
			r.reserved[slot] = random_u64(&seed) % 4 == 0;
			tags_take(&c.t, slot, next_line++, r.reserved[slot] ? TAGS_RESERVED : TAGS_VALID);
			r.pin[slot] = (enum cache_pin)(random_u64(&seed) % 3);
			tags_pin(&c.t, slot, r.pin[slot]);
			r.valid[slot] = true;
			r.age[slot] = ++r.clock;
		} else if (r.valid[i] && r.reserved[i]) {
			tags_fill(&c.t, i);
			r.reserved[i] = false;
		} else if (r.valid[i] && random_u64(&seed) % 16 == 0) {
			tags_drop(&c.t, i);
			r.valid[i] = false;
			r.pin[i] = CACHE_UNPINNED;
		} else if (r.valid[i]) {
			tags_touch(&c.t, i);
			r.age[i] = ++r.clock;
		}
	}
	arena_free(&c.arena);
}

Test(pins, any_shape_follows_the_rule)
{
	for (uint32_t ways = 1; ways <= MAX_WAYS; ways++)
		random_steps(ways, ways);
}
