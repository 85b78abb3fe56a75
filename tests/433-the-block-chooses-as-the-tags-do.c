/* 433: tags whose victims come from the block pin_replacement have those that tags without it choose, whatever
 * happens to their lines and however much of it in one cycle. */
#include <criterion/criterion.h>

#include "cache/replacement.h"
#include "cache/tags.h"
#include "support/random.h"

enum { MAX_SLOTS = 64 * 16 };

struct side {
	struct tags t;
	struct replacement r;
};

struct pair {
	struct arena arena;
	struct side own, block;
	uint64_t cycle, seed, next_line, fails, pinned_victims;
	bool on_its_way[MAX_SLOTS];
};

static void pair_open(struct pair *p, uint32_t sets, uint32_t ways, uint64_t seed)
{
	struct machine_cache c = {.bytes = sets * ways * 128, .line = 128, .assoc = ways};
	struct hw_binder golden;
	struct err e = {""};

	*p = (struct pair){.seed = seed, .cycle = seed * 100, .next_line = 1};
	golden = hw_golden_binder(&p->arena);
	tags_init(&p->own.t, &p->arena, sets, ways, 128, NULL);
	tags_init(&p->block.t, &p->arena, sets, ways, 128, NULL);
	cr_assert_eq(replacement_init(&p->block.r, &c, INT32_MAX, "sm0.l1", &golden, &e), 0, "%s", e.text);
	tags_replace_by(&p->block.t, &p->block.r);
}

static uint32_t below(struct pair *p, uint32_t n)
{
	return (uint32_t)(random_u64(&p->seed) % n);
}

static void on_both(struct pair *p, void (*what)(struct tags *t, uint32_t slot), uint32_t slot)
{
	what(&p->own.t, slot);
	what(&p->block.t, slot);
}

/* A newcomer, if a way of its set is not reserved. */
static void look_up_new(struct pair *p)
{
	uint64_t line = p->next_line++ * p->own.t.sets + below(p, p->own.t.sets);
	uint32_t set = tags_set(&p->own.t, 0, line), own = 0, block = 0;
	enum tags_result r = tags_probe(&p->own.t, set, line, &own);
	enum tags_state state = below(p, 3) ? TAGS_RESERVED : TAGS_VALID;
	enum cache_pin pin = (enum cache_pin)below(p, 3);

	cr_assert_eq(tags_probe(&p->block.t, set, line, &block), r, "line %llu", (unsigned long long)line);
	p->fails += r == TAGS_FAIL;
	if (r == TAGS_FAIL || below(p, 8) == 0) /* another resource is missing */
		return;
	cr_assert_eq(block, own, "%u ways, line %llu", p->own.t.ways, (unsigned long long)line);
	p->pinned_victims += p->own.t.pin[own] != CACHE_UNPINNED;
	for (int i = 0; i < 2; i++) {
		struct tags *t = i ? &p->block.t : &p->own.t;

		tags_take(t, own, line, state);
		tags_pin(t, own, pin);
	}
	p->on_its_way[own] = state == TAGS_RESERVED;
}

static void some_line_comes(struct pair *p)
{
	uint32_t slot = below(p, tags_slots(&p->own.t));

	if (!p->on_its_way[slot])
		return;
	on_both(p, tags_fill, slot);
	p->on_its_way[slot] = false;
	if (below(p, 10) == 0)
		on_both(p, tags_drop, slot);
}

static void act(struct pair *p)
{
	uint32_t slot = below(p, tags_slots(&p->own.t));

	if (below(p, 500) == 0) {
		tags_drop_all(&p->own.t);
		tags_drop_all(&p->block.t);
	} else if (below(p, 2)) {
		look_up_new(p);
	} else if (tags_state(&p->own.t, slot) != TAGS_INVALID) {
		on_both(p, below(p, 8) || p->on_its_way[slot] ? tags_touch : tags_drop, slot);
	}
}

static void random_cycles(uint32_t sets, uint32_t ways, uint64_t seed)
{
	struct pair p;

	pair_open(&p, sets, ways, seed);
	for (unsigned n = 0; n < 6000; n++) {
		unsigned replies = below(&p, 4);

		p.cycle += below(&p, 3) ? 1 : 1 + below(&p, 20);
		replacement_at(&p.block.r, p.cycle);
		for (unsigned i = 0; i < replies * sets; i++) /* several in a cycle */
			some_line_comes(&p);
		if (below(&p, 5))
			act(&p);
	}
	replacement_finish(&p.block.r);
	cr_assert(p.pinned_victims > 10, "%u x %u: %llu", sets, ways, (unsigned long long)p.pinned_victims);
	cr_assert(p.fails > 0 || ways > 2);
	arena_free(&p.arena);
}

Test(replacement, the_block_gives_the_victims_of_the_tags_own_rule)
{
	static const uint32_t shape[][2] = {{1, 1}, {1, 2}, {1, 4}, {4, 3}, {2, 6}, {2, 16}, {32, 4}};

	for (unsigned i = 0; i < sizeof shape / sizeof shape[0]; i++)
		for (uint64_t seed = 1; seed <= 4; seed++)
			random_cycles(shape[i][0], shape[i][1], seed);
}

Test(replacement, a_cache_beyond_the_block_is_refused)
{
	struct machine_cache c = {.bytes = 128 * 32, .line = 128, .assoc = 32};
	struct arena a = {0};
	struct hw_binder golden = hw_golden_binder(&a);
	struct replacement r = {0};
	struct err e = {""};

	cr_assert_eq(replacement_init(&r, &c, 1000, "sm0.l1", &golden, &e), -1);
	cr_assert_str_eq(e.text, "l1.pin: pin replacement: 32 ways: 1 to 16 are possible");
	arena_free(&a);
}
