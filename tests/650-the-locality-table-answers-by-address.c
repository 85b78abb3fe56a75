/* 650: the locality table: an address is answered by the entry that holds it and has the lowest priority number, in
 * the cycles that its header tells. */
#include <criterion/criterion.h>
#include <string.h>

#include "hw/twins/locality_table.h"
#include "support/random.h"

struct bench {
	struct locality_table t;
	struct locality_table_out out; /* of the last step, before its edge */
};

static struct bench bench(uint32_t entries, uint32_t addr_w)
{
	struct locality_table_params p = {.entries = entries, .addr_w = addr_w, .prio_w = 3, .dist_w = 16};
	struct err e = {""};
	struct bench b;

	cr_assert_eq(locality_table_params_check(&p, &e), 0, "%s", e.text);
	memset(&b, 0, sizeof b);
	locality_table_reset(&b.t, &p);
	return b;
}

static void step(struct bench *b, struct locality_table_in in)
{
	locality_table_eval(&b->t, &in, &b->out);
	locality_table_tick(&b->t, &in);
}

/* An entry that can be known by its distance. */
static struct locality_table_in entry(uint32_t index, uint64_t base, uint64_t bound, uint32_t prio)
{
	return (struct locality_table_in){.wr_valid = 1,
					  .wr_index = index,
					  .wr_used = 1,
					  .wr_base = base,
					  .wr_bound = bound,
					  .wr_prio = prio,
					  .wr_caching = LOCALITY_SOFT_PIN,
					  .wr_prefetch = LOCALITY_STRIDE,
					  .wr_distance = 100 + index};
}

static struct locality_table_out look(struct bench *b, uint64_t addr)
{
	step(b, (struct locality_table_in){.look_valid = 1, .look_addr = addr});
	cr_assert(b->out.look_ready);
	step(b, (struct locality_table_in){.ans_ready = 1});
	cr_assert(b->out.ans_valid, "one edge after the look-up");
	return b->out;
}

Test(locality_table, an_entry_holds_its_base_and_not_its_bound)
{
	struct bench b = bench(4, 16);
	struct locality_table_out o;

	step(&b, entry(2, 0x1000, 0x1200, 3));
	for (unsigned i = 0; i < 2; i++) {
		o = look(&b, i ? 0x11ff : 0x1000);
		cr_assert(o.ans_match && o.ans_index == 2 && o.ans_distance == 102 && o.ans_bound == 0x1200);
		cr_assert(o.ans_caching == LOCALITY_SOFT_PIN && o.ans_prefetch == LOCALITY_STRIDE);
		o = look(&b, i ? 0x1200 : 0xfff);
		cr_assert(!o.ans_match && !o.ans_index && !o.ans_distance && !o.ans_bound && !o.ans_caching && !o.ans_prefetch,
			  "no match: the default");
	}
}

Test(locality_table, the_lowest_priority_number_answers_and_of_equal_ones_the_lowest_index)
{
	struct bench b = bench(4, 16);

	step(&b, entry(0, 0x100, 0x900, 5));
	step(&b, entry(1, 0x200, 0x800, 2));
	step(&b, entry(2, 0x300, 0x700, 2));
	step(&b, entry(3, 0x400, 0x500, 1));
	cr_expect_eq(look(&b, 0x150).ans_index, 0);
	cr_expect_eq(look(&b, 0x250).ans_index, 1);
	cr_expect_eq(look(&b, 0x350).ans_index, 1, "before entry 2, which is of the same priority");
	cr_expect_eq(look(&b, 0x450).ans_index, 3);
	cr_expect_eq(look(&b, 0x850).ans_index, 0);
	step(&b, (struct locality_table_in){.wr_valid = 1, .wr_index = 1});
	cr_expect_eq(look(&b, 0x250).ans_index, 0, "an entry that is not used matches nothing");
	cr_expect_eq(look(&b, 0x350).ans_index, 2);
}

Test(locality_table, a_write_comes_behind_the_look_up_of_its_cycle_and_changes_no_answer)
{
	struct bench b = bench(4, 16);
	struct locality_table_in in = entry(0, 0x100, 0x200, 1);

	in.look_valid = 1;
	in.look_addr = 0x180;
	step(&b, in);
	step(&b, (struct locality_table_in){.look_valid = 1, .look_addr = 0x180});
	cr_assert(b.out.ans_valid && !b.out.ans_match, "asked in the cycle of the write");
	step(&b, entry(0, 0x300, 0x400, 1));
	step(&b, (struct locality_table_in){.ans_ready = 1});
	cr_assert(!b.out.ans_match, "it still waits");
	step(&b, (struct locality_table_in){.ans_ready = 1});
	cr_assert(b.out.ans_valid && b.out.ans_match && b.out.ans_bound == 0x200, "of the entry as it was");
	step(&b, (struct locality_table_in){0});
	cr_assert(!b.out.ans_valid && !b.out.busy);
}

Test(locality_table, two_answers_wait_and_a_third_look_up_is_held_back)
{
	struct bench b = bench(4, 16);

	step(&b, entry(1, 0x100, 0x200, 1));
	step(&b, (struct locality_table_in){.look_valid = 1, .look_addr = 0x100});
	step(&b, (struct locality_table_in){.look_valid = 1, .look_addr = 0x800});
	for (unsigned i = 0; i < 5; i++) {
		step(&b, (struct locality_table_in){.look_valid = 1, .look_addr = 0x1ff});
		cr_assert(!b.out.look_ready && b.out.ans_valid && b.out.ans_match && b.out.busy);
	}
	step(&b, (struct locality_table_in){.look_valid = 1, .look_addr = 0x1ff, .ans_ready = 1});
	cr_assert(!b.out.look_ready, "ready depends on registers alone");
	step(&b, (struct locality_table_in){.look_valid = 1, .look_addr = 0x1ff, .ans_ready = 1});
	cr_assert(b.out.look_ready && b.out.ans_valid && !b.out.ans_match, "in the order of the look-ups");
	step(&b, (struct locality_table_in){.ans_ready = 1});
	cr_assert(b.out.ans_valid && b.out.ans_match);
	step(&b, (struct locality_table_in){0});
	cr_assert_not(b.out.ans_valid);
}

Test(locality_table, answers_a_look_up_a_cycle)
{
	struct bench b = bench(2, 16);

	step(&b, entry(0, 0x10, 0x20, 0));
	for (unsigned i = 0; i < 50; i++) {
		step(&b, (struct locality_table_in){.look_valid = 1, .look_addr = i, .ans_ready = 1});
		cr_assert(b.out.look_ready);
		cr_assert_eq(b.out.ans_valid, i > 0);
		cr_assert(!i || b.out.ans_match == (i - 1 >= 0x10 && i - 1 < 0x20), "address %u", i - 1);
	}
}

Test(locality_table, nothing_moves_without_a_valid_input_when_it_is_not_busy)
{
	struct bench b = bench(8, 12);
	struct locality_table before;

	step(&b, entry(3, 0x10, 0x20, 0));
	look(&b, 0x18);
	before = b.t;
	for (unsigned i = 0; i < 20; i++) {
		struct locality_table_in in = entry(i % 8, i, 2 * i, 1);

		in.wr_valid = 0;
		in.look_addr = i;
		in.ans_ready = i & 1;
		step(&b, in);
	}
	cr_assert_eq(memcmp(&before, &b.t, sizeof before), 0);
}

/* ---- against the rule written out ---- */

struct rule {
	struct {
		uint64_t base, bound;
		uint32_t prio;
		bool used;
	} of[LOCALITY_TABLE_MAX];
	uint32_t n;
};

static uint32_t expected(const struct rule *r, uint64_t addr)
{
	uint32_t best = LOCALITY_TABLE_MAX;

	for (uint32_t prio = 0; prio < 8; prio++)
		for (uint32_t i = 0; i < r->n; i++)
			if (best == LOCALITY_TABLE_MAX && r->of[i].used && r->of[i].prio == prio && addr >= r->of[i].base &&
			    addr < r->of[i].bound)
				best = i;
	return best;
}

static void random_steps(uint32_t entries, uint64_t seed)
{
	struct bench b = bench(entries, 8);
	struct rule r = {.n = entries};
	uint32_t owed[4], n_owed = 0;

	for (unsigned i = 0; i < 5000; i++) {
		uint64_t x = random_u64(&seed);
		struct locality_table_in in = entry(x % (entries + 1), x >> 8 & 255, x >> 16 & 255, x >> 24 & 7);

		in.wr_valid = (x >> 28 & 3) == 0;
		in.wr_used = (x >> 30 & 3) != 0;
		in.look_valid = (x >> 32 & 3) != 0;
		in.look_addr = x >> 40 & 255;
		in.ans_ready = x >> 48 & 1;
		step(&b, in);
		cr_assert_eq(b.out.ans_valid, n_owed > 0);
		if (n_owed) {
			cr_assert_eq(b.out.ans_match, owed[0] != LOCALITY_TABLE_MAX, "step %u", i);
			cr_assert_eq(b.out.ans_index, owed[0] == LOCALITY_TABLE_MAX ? 0 : owed[0], "step %u", i);
		}
		if (n_owed && in.ans_ready) {
			owed[0] = owed[1];
			n_owed--;
		}
		if (in.look_valid && b.out.look_ready)
			owed[n_owed++] = expected(&r, in.look_addr);
		if (in.wr_valid && in.wr_index < entries) {
			r.of[in.wr_index].used = in.wr_used;
			r.of[in.wr_index].base = in.wr_base;
			r.of[in.wr_index].bound = in.wr_bound;
			r.of[in.wr_index].prio = in.wr_prio;
		}
	}
}

Test(locality_table, random_steps_give_the_answers_of_the_rule)
{
	static const uint32_t entries[] = {2, 3, 5, 16, 32};

	for (unsigned k = 0; k < 5; k++)
		for (uint64_t seed = 1; seed <= 4; seed++)
			random_steps(entries[k], seed * 77);
}
