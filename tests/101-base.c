/* 101: the base library: errors keep their first cause, arenas hand out zeroed aligned memory, queues keep time,
 * hash maps hold what a list holds. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/hash_map.h"
#include "base/queue.h"
#include "support/at_tick.h"
#include "support/random.h"

Test(base, an_error_keeps_its_first_cause_and_takes_a_prefix)
{
	struct err e = {""};

	cr_assert_eq(err_set(&e, "bad key \"%s\"", "l1.asoc"), -1);
	err_set(&e, "later and less telling");
	err_prefix(&e, "%s:%d", "m.yaml", 12);
	cr_assert_str_eq(e.text, "m.yaml:12: bad key \"l1.asoc\"");
}

Test(base, an_arena_hands_out_zeroed_aligned_memory_of_any_size)
{
	struct arena a = {0};

	for (size_t n = 1; n < 300000; n = n * 3 + 1) {
		unsigned char *p = arena_alloc(&a, n);

		cr_assert_eq((uintptr_t)p % (n >= 64 ? 64 : 16), 0, "%zu bytes", n);
		for (size_t i = 0; i < n; i++)
			cr_assert_eq(p[i], 0);
		memset(p, 0xff, n);
	}
	cr_assert_str_eq(arena_printf(&a, "%s-%d", "x", 7), "x-7");
	arena_free(&a);
}

struct number {
	int n;
};
QUEUE_OF(number);

Test(base, a_queue_shows_an_element_from_its_arrival_on_and_gives_its_credit_back_later)
{
	struct arena a = {0};
	struct number_queue q;
	struct ticks when = {0};

	queue_init(&q, &a, 2, /* credit_delay */ at_tick(5));
	*queue_push(&q, at_tick(10)) = (struct number){1};
	*queue_push(&q, at_tick(12)) = (struct number){2};
	cr_assert_not(queue_has_space(&q, at_tick(12), &when));
	cr_assert(ticks_is_never(when));
	cr_assert_null(queue_front(&q, at_tick(9)));
	cr_assert_eq(queue_front(&q, at_tick(10))->n, 1);
	queue_pop(&q, at_tick(20));
	cr_assert_not(queue_has_space(&q, at_tick(24), &when), "the credit is on its way until 25");
	cr_assert_eq(when.n, 25);
	cr_assert(queue_has_space(&q, at_tick(25), &when));
	cr_assert_eq(queue_front(&q, at_tick(20))->n, 2);
	arena_free(&a);
}

/* Against an array by key: keys that are a power of two apart, as lines of a slice are, inserted and removed in any
 * order, with the map never empty and often full. */
Test(base, a_hash_map_holds_what_was_inserted_and_not_removed)
{
	enum { KEYS = 64, MOST = 24, STEPS = 20000 };

	for (unsigned shift = 0; shift < 58; shift += 19) {
		struct arena a = {0};
		struct hash_map map, copy;
		bool in[KEYS] = {false};
		uint32_t value[KEYS] = {0}, n = 0, got;
		uint64_t seed = shift + 1;

		hash_map_init(&map, &a, MOST);
		for (unsigned step = 0; step < STEPS; step++) {
			uint32_t k = (uint32_t)random_below(&seed, KEYS);
			uint64_t key = (uint64_t)k << shift;

			if (in[k]) {
				hash_map_remove(&map, key);
				n--;
			} else if (n < MOST) {
				hash_map_insert(&map, key, value[k] = step);
				n++;
			} else {
				continue;
			}
			in[k] = !in[k];
			for (uint32_t i = 0; i < KEYS; i++) {
				cr_assert_eq(hash_map_find(&map, (uint64_t)i << shift, &got), in[i], "step %u, key %u", step, i);
				cr_assert(!in[i] || got == value[i], "step %u, key %u: %u", step, i, got);
			}
		}
		hash_map_init(&copy, &a, 2 * MOST);
		hash_map_insert_all(&copy, &map);
		for (uint32_t i = 0; i < KEYS; i++)
			cr_assert(hash_map_find(&copy, (uint64_t)i << shift, &got) == in[i] && (!in[i] || got == value[i]));
		arena_free(&a);
	}
}
