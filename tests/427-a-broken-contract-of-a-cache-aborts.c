/* 427: what the headers of the caches ask of their callers is checked, as test 122 has it of the rest of the model.
 * Contracts that cost too much for a release build are checked in builds with sanitizers. */
#include <criterion/criterion.h>

#include "base/panic.h"
#include "cache/l2/l2_pipe.h"
#include "cache/mshr.h"
#include "cache/tags.h"
#include "support/at_tick.h"
#include "support/contract.h"
#include "support/l1_rig.h"

static struct arena arena;

static void merge_into_no_entry(void)
{
	struct mshr m;

	mshr_init(&m, &arena, 4, 2);
	mshr_merge(&m, 4, (struct mshr_waiter){0, 0});
}

static void free_an_entry_twice(void)
{
	struct mshr m;
	uint32_t entry;

	mshr_init(&m, &arena, 4, 2);
	mshr_alloc(&m, 7, (struct mshr_waiter){0, 0}, &entry);
	mshr_free(&m, entry);
	mshr_free(&m, entry);
}

static void an_entry_for_no_line(void)
{
	struct mshr m;
	uint32_t entry;

	mshr_init(&m, &arena, 4, 2);
	mshr_alloc(&m, MSHR_NO_LINE, (struct mshr_waiter){0, 0}, &entry);
}

static struct tags some_tags(void)
{
	struct tags t;

	tags_init(&t, &arena, 4, 2, 64, NULL);
	return t;
}

static void write_to_an_invalid_line(void)
{
	struct tags t = some_tags();

	tags_write(&t, 0, (const uint64_t[2]){1, 0});
}

static void take_a_slot_as_dirty(void)
{
	struct tags t = some_tags();

	tags_take(&t, 0, 4, TAGS_DIRTY);
}

static void a_line_becomes_dirty_by_no_byte(void)
{
	struct tags t = some_tags();

	tags_take(&t, 0, 4, TAGS_VALID);
	tags_write(&t, 0, (const uint64_t[2]){0, 0});
}

/* An L1 in which the fifth line of a set has just found no way. */
static void fail(struct l1_rig *r)
{
	l1_rig_open(r, NULL);
	for (uint32_t i = 0; i <= 4; i++) {
		struct l1_access a = l1_rig_load(0x1000 + i * 4096, i);

		cr_assert_eq(l1_access(&r->l1, i, &a), i < 4 ? L1_MISS : L1_FAIL_LINE);
	}
}

static void another_line_after_a_fail(void)
{
	struct l1_rig r;
	struct l1_access a = l1_rig_load(0x1000, 4);

	fail(&r);
	l1_access(&r.l1, 5, &a);
}

static void another_token_after_a_fail(void)
{
	struct l1_rig r;
	struct l1_access a = l1_rig_load(0x1000 + 4 * 4096, 5);

	fail(&r);
	l1_access(&r.l1, 5, &a);
}

static void another_kind_after_a_fail(void)
{
	struct l1_rig r;
	struct l1_access a = l1_rig_store(0x1000 + 4 * 4096, 4);

	fail(&r);
	l1_access(&r.l1, 5, &a);
}

static void lines_dropped_after_a_fail(void)
{
	struct l1_rig r;

	fail(&r);
	l1_invalidate(&r.l1);
}

static void a_store_of_no_byte(void)
{
	struct l1_rig r;
	struct l1_access a = l1_rig_store(0x1000, 0);

	l1_rig_open(&r, NULL);
	a.mask[0] = a.mask[1] = 0;
	l1_access(&r.l1, 0, &a);
}

Test(contract, of_caches)
{
	static const struct broken cases[] = {
		{"merge into no entry", merge_into_no_entry, "mshr", "entry < m->entries"},
		{"free an entry twice", free_an_entry_twice, "mshr", "MSHR_NO_LINE"},
		{"an entry for no line", an_entry_for_no_line, "mshr", "line != MSHR_NO_LINE"},
		{"write to an invalid line", write_to_an_invalid_line, "tags", "TAGS_INVALID"},
		{"take a slot as dirty", take_a_slot_as_dirty, "tags", "TAGS_VALID"},
		{"dirty by no byte", a_line_becomes_dirty_by_no_byte, "tags", "mask[0] | mask[1]"},
		{"another line after a fail", another_line_after_a_fail, "l1", "is_failed"},
		{"another token after a fail", another_token_after_a_fail, "l1", "is_failed"},
		{"another kind after a fail", another_kind_after_a_fail, "l1", "is_failed"},
		{"lines dropped after a fail", lines_dropped_after_a_fail, "l1", "!l->failing"},
		{"a store of no byte", a_store_of_no_byte, "l1", "a->mask[0] | a->mask[1]"},
	};

	CONTRACT_CHECK(cases);
}

/* ---- contracts that cost too much for a release build ---- */

static void two_packets_in_a_cycle(void)
{
	struct l1_rig r;
	struct ticks when;

	l1_rig_open(&r, NULL);
	for (uint32_t i = 0; i < 2; i++) {
		struct l1_access a = l1_rig_load(0x1000 + i * 4096, i);

		l1_access(&r.l1, i, &a);
	}
	l1_send(&r.l1, ticks_of(2, r.l1.period), &r.link, &when);
	l1_send(&r.l1, ticks_of(2, r.l1.period), &r.link, &when);
}

static void a_second_entry_for_a_line(void)
{
	struct mshr m;
	uint32_t entry;

	mshr_init(&m, &arena, 4, 2);
	mshr_alloc(&m, 7, (struct mshr_waiter){0, 0}, &entry);
	mshr_alloc(&m, 7, (struct mshr_waiter){1, 0}, &entry);
}

static void a_step_between_edges(void)
{
	struct l2_pipe p = {.period = 66};

	l2_pipe_begin(&p, at_tick(67));
}

Test(contract, of_caches_that_cost_much)
{
	static const struct broken cases[] = {
		{"two packets in a cycle", two_packets_in_a_cycle, "l1", "sent_at"},
		{"a second entry for a line", a_second_entry_for_a_line, "mshr", "!mshr_find"},
		{"a step between edges", a_step_between_edges, "l2_pipe", "ticks_is_edge"},
	};

	if (!CHECK_COSTLY)
		cr_skip_test("make SAN=1 checks them");
	CONTRACT_CHECK(cases);
}
