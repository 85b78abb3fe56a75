/* 403: tags of any shape, narrow or wide, against the textbook: a set is a list of lines, most recently used first. */
#include <criterion/criterion.h>
#include <string.h>

#include "cache/tags.h"
#include "support/random.h"

enum { MAX_WAYS = 300, MAX_SETS = 64 };

struct listed {
	uint64_t line;
	bool reserved, dirty;
};

struct model { /* by set: the lines in order, most recently used first */
	struct listed way[MAX_SETS][MAX_WAYS];
	uint32_t n[MAX_SETS];
};

static uint32_t where(const struct model *m, uint32_t set, uint64_t line)
{
	uint32_t i = 0;

	while (i < m->n[set] && m->way[set][i].line != line)
		i++;
	return i;
}

static void to_front(struct model *m, uint32_t set, uint32_t i, struct listed l)
{
	memmove(&m->way[set][1], &m->way[set][0], i * sizeof l);
	m->way[set][0] = l;
}

static void drop(struct model *m, uint32_t set, uint32_t i)
{
	memmove(&m->way[set][i], &m->way[set][i + 1], (--m->n[set] - i) * sizeof m->way[set][0]);
}

/* The list's index of the victim, n if there is a free way; MAX_WAYS: all reserved. */
static uint32_t victim(const struct model *m, uint32_t set, uint32_t ways)
{
	if (m->n[set] < ways)
		return m->n[set];
	for (uint32_t i = ways; i-- > 0;)
		if (!m->way[set][i].reserved)
			return i;
	return MAX_WAYS;
}

/* One random operation on both. */
static void step(struct tags *t, struct model *m, uint64_t *seed, uint64_t lines)
{
	uint64_t line = random_u64(seed) % lines, what = random_u64(seed) % 16;
	uint32_t set = tags_set(t, 0, line), i = where(m, set, line), v = victim(m, set, t->ways), slot = UINT32_MAX;
	enum tags_result r = tags_probe(t, set, line, &slot);
	bool there = i < m->n[set];

	cr_assert_eq(set, line % t->sets);
	cr_assert_eq(r, there ? m->way[set][i].reserved ? TAGS_HIT_RESERVED : TAGS_HIT : v == MAX_WAYS ? TAGS_FAIL : TAGS_MISS);
	if (r == TAGS_FAIL)
		return;
	if (r == TAGS_MISS) {
		bool reserved = what < 6;

		if (v == m->n[set]) {
			cr_assert_eq(tags_state(t, slot), TAGS_INVALID);
			m->n[set]++;
		} else {
			cr_assert_eq(tags_line(t, slot), m->way[set][v].line);
			cr_assert_eq(tags_state(t, slot) == TAGS_DIRTY, m->way[set][v].dirty);
		}
		tags_take(t, slot, line, reserved ? TAGS_RESERVED : TAGS_VALID);
		to_front(m, set, v, (struct listed){line, reserved, false});
		return;
	}
	cr_assert_eq(tags_line(t, slot), line);
	if (r == TAGS_HIT_RESERVED && what < 6) {
		tags_fill(t, slot);
		m->way[set][i].reserved = false;
	} else if (r == TAGS_HIT && what == 6) {
		tags_drop(t, slot);
		drop(m, set, i);
	} else {
		struct listed l = m->way[set][i];

		if (what > 12) {
			tags_write(t, slot, (uint64_t[2]){1, 0});
			l.dirty = true;
		}
		tags_touch(t, slot);
		to_front(m, set, i, l);
	}
}

static void compare(uint32_t sets, uint32_t ways, unsigned steps)
{
	struct arena a = {0};
	struct tags t;
	struct model *m = arena_alloc(&a, sizeof *m);
	uint64_t seed = sets * 1000003 + ways;

	tags_init(&t, &a, sets, ways, 128, NULL);
	cr_assert_eq(t.many_ways != NULL, ways > TAGS_FEW_WAYS);
	for (unsigned i = 0; i < steps; i++)
		step(&t, m, &seed, (uint64_t)sets * ways * 5 / 4 + 3);
	arena_free(&a);
}

Test(shapes, narrow_sets_behave_like_lists)
{
	for (uint32_t ways = 1; ways <= TAGS_FEW_WAYS; ways++)
		compare(ways % 3 ? 4 : 1, ways, 20000);
}

Test(shapes, sets_of_many_ways_behave_like_lists)
{
	compare(1, 33, 50000);
	compare(64, 64, 200000);
	compare(2, 128, 100000);
	compare(1, 300, 100000);
}
