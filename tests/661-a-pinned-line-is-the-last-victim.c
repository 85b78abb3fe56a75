/* 661: the block that chooses victims among pinned lines follows the paper's rule (ldesc, section 4.4), in the cycles
 * that its header tells. What is expected of the directed streams is worked out by hand from the rule. */
#include <criterion/criterion.h>
#include <string.h>

#include "hw/twins/pin_replacement.h"
#include "support/pin_rule.h"
#include "support/random.h"

enum { NOBODY = -1, TIMER = 1000 };

struct bench {
	struct pin_replacement s;
	struct pin_replacement_out out; /* of the last step, before its edge */
	uint32_t now;
};

static struct bench bench(uint32_t sets, uint32_t ways)
{
	struct pin_replacement_params p = {.sets = sets, .ways = ways, .timer = TIMER};
	struct err e = {""};
	struct bench b;

	memset(&b, 0, sizeof b);
	cr_assert_eq(pin_replacement_params_check(&p, &e), 0, "%s", e.text);
	pin_replacement_reset(&b.s, &p);
	return b;
}

static void step(struct bench *b, struct pin_replacement_in in)
{
	in.now = b->now++;
	pin_replacement_eval(&b->s, &in, &b->out);
	pin_replacement_tick(&b->s, &in);
}

/* A newcomer asked for a way in the cycle before, and takes the one that it is given, which must be this one. */
static void newcomer(struct bench *b, struct pin_replacement_in in)
{
	in.op_valid = in.rsp_ready = 1;
	in.op_kind = PIN_OP_TAKE;
	b->now--;
	step(b, (struct pin_replacement_in){.req_valid = 1, .req_set = in.op_set});
	step(b, in);
	cr_assert(b->out.rsp_found && b->out.rsp_way == in.op_way, "%u is given, not %u", b->out.rsp_way, in.op_way);
}

static void take(struct bench *b, uint32_t set, uint32_t way, enum pin_replacement_pin pin)
{
	newcomer(b, (struct pin_replacement_in){.op_set = set, .op_way = way, .op_pin = (uint8_t)pin});
}

static void reserve(struct bench *b, uint32_t way, enum pin_replacement_pin pin)
{
	newcomer(b, (struct pin_replacement_in){.op_way = way, .op_reserve = 1, .op_pin = (uint8_t)pin});
}

static void operate(struct bench *b, enum pin_replacement_op kind, uint32_t way)
{
	step(b, (struct pin_replacement_in){.op_valid = 1, .op_kind = (uint8_t)kind, .op_way = way});
}

static int victim(struct bench *b, uint32_t set)
{
	step(b, (struct pin_replacement_in){.req_valid = 1, .req_set = set});
	cr_assert(b->out.req_ready);
	step(b, (struct pin_replacement_in){.rsp_ready = 1});
	cr_assert(b->out.rsp_valid);
	return b->out.rsp_found ? (int)b->out.rsp_way : NOBODY;
}

/* A newcomer with that pin takes the victim's way. */
static int bring(struct bench *b, enum pin_replacement_pin pin)
{
	int way = victim(b, 0);

	step(b,
	     (struct pin_replacement_in){.op_valid = 1, .op_kind = PIN_OP_TAKE, .op_way = (uint32_t)way, .op_pin = (uint8_t)pin});
	return way;
}

Test(pin_replacement, invalid_ways_go_first_from_the_lowest)
{
	struct bench b = bench(2, 4);

	for (int way = 0; way < 4; way++)
		cr_assert_eq(bring(&b, way == 1 ? PIN_NONE : PIN_HARD), way);
	operate(&b, PIN_OP_DROP, 3);
	cr_assert_eq(victim(&b, 0), 3, "though way 1 has no pin and is older");
	operate(&b, PIN_OP_DROP, 0);
	cr_assert_eq(victim(&b, 0), 0);
	cr_assert_eq(victim(&b, 1), 0, "another set is still empty");
}

Test(pin_replacement, lines_without_a_pin_leave_from_the_least_recently_used)
{
	struct bench b = bench(1, 4);

	for (int i = 0; i < 4; i++)
		bring(&b, PIN_NONE);
	operate(&b, PIN_OP_USE, 0); /* from the oldest: 1 2 3 0 */
	operate(&b, PIN_OP_USE, 2); /* 1 3 0 2 */
	cr_assert_eq(bring(&b, PIN_NONE), 1);
	cr_assert_eq(bring(&b, PIN_NONE), 3);
	cr_assert_eq(bring(&b, PIN_NONE), 0);
	cr_assert_eq(bring(&b, PIN_NONE), 2);
	cr_assert_eq(bring(&b, PIN_NONE), 1);
}

Test(pin_replacement, unpinned_lines_leave_before_soft_pins_and_these_before_hard_ones)
{
	struct bench b = bench(1, 4);

	bring(&b, PIN_HARD); /* way 0, the oldest */
	bring(&b, PIN_SOFT); /* 1 */
	bring(&b, PIN_NONE); /* 2 */
	bring(&b, PIN_NONE); /* 3 */
	cr_assert_eq(bring(&b, PIN_SOFT), 2, "the older one without a pin");
	cr_assert_eq(bring(&b, PIN_HARD), 3, "the last one without a pin");
	cr_assert_eq(bring(&b, PIN_HARD), 1, "the older soft pin");
	cr_assert_eq(bring(&b, PIN_HARD), 2, "the last soft pin");
	cr_assert_eq(victim(&b, 0), 0, "all are hard: way 0");
	cr_assert_eq(b.out.rsp_pin, PIN_HARD);
}

static void want(struct bench *b, uint32_t set, uint32_t way, bool rsp_ready)
{
	step(b, (struct pin_replacement_in){.rsp_ready = rsp_ready,
					    .op_valid = 1,
					    .op_kind = PIN_OP_TAKE,
					    .op_set = set,
					    .op_way = way,
					    .op_pin = PIN_HARD});
}

/* "which does not insert data that has no reuse" (section 4.4): whatever the cache asks for. */
Test(pin_replacement, a_request_that_bypasses_is_given_no_way_and_its_line_takes_none)
{
	struct bench b = bench(2, 2);

	step(&b, (struct pin_replacement_in){.req_valid = 1, .req_bypass = 1});
	want(&b, 0, 0, true);
	cr_assert(b.out.rsp_valid && !b.out.rsp_found && b.out.rsp_way == 0, "though both ways are invalid");
	for (uint32_t way = 0; way < 2; way++)
		want(&b, 0, way, false);
	cr_assert(b.s.valid[0] == 0 && b.s.hard[0] == 0 && !b.s.timing);
	cr_assert_eq(b.s.rank[0], 1, "way 0 has been used longest ago");
	cr_assert_eq(bring(&b, PIN_NONE), 0, "a line that does not bypass takes it");
	/* What was given before is not given any more. */
	cr_assert_eq(victim(&b, 0), 1);
	step(&b, (struct pin_replacement_in){.req_valid = 1, .req_bypass = 1});
	want(&b, 0, 1, true);
	want(&b, 0, 1, false);
	cr_assert_eq(b.s.valid[0], 1);
}

Test(pin_replacement, a_line_takes_the_way_that_the_last_response_gave_and_once)
{
	struct bench b = bench(2, 2);

	want(&b, 0, 0, false);
	cr_assert_eq(b.s.valid[0], 0, "nobody has asked");
	cr_assert_eq(victim(&b, 1), 0);
	want(&b, 0, 0, false);
	want(&b, 1, 1, false);
	cr_assert(b.s.valid[0] == 0 && b.s.valid[1] == 0, "it is way 0 of set 1");
	want(&b, 1, 0, false);
	cr_assert(b.s.valid[1] == 1 && b.s.hard[1] == 1);
	step(&b, (struct pin_replacement_in){.op_valid = 1, .op_kind = PIN_OP_DROP, .op_set = 1});
	want(&b, 1, 0, false);
	cr_assert_eq(b.s.valid[1], 0, "once");
	step(&b, (struct pin_replacement_in){.req_valid = 1});
	want(&b, 0, 0, false);
	cr_assert_eq(b.s.valid[0], 0, "the response waits: it has given nothing yet");
	want(&b, 0, 0, true);
	cr_assert_eq(b.s.valid[0], 1);
}

/* "Doing so protects the cache lines in other cache ways from being repeatedly evicted": a stream of hard-pinned
 * newcomers passes through way 0. */
Test(pin_replacement, a_set_full_of_hard_pins_gives_way_0_and_keeps_the_others)
{
	struct bench b = bench(1, 4);

	for (int i = 0; i < 4; i++)
		bring(&b, PIN_HARD);
	for (int i = 0; i < 20; i++)
		cr_assert_eq(bring(&b, PIN_HARD), 0, "newcomer %d", i);
	cr_assert_eq(bring(&b, PIN_NONE), 0);
	cr_assert_eq(bring(&b, PIN_NONE), 0, "it has no pin: the first to leave");
	operate(&b, PIN_OP_DROP, 2);
	cr_assert_eq(bring(&b, PIN_SOFT), 2);
	cr_assert_eq(bring(&b, PIN_HARD), 0);
	cr_assert_eq(bring(&b, PIN_HARD), 2, "the soft one");
}

Test(pin_replacement, a_reserved_way_is_never_the_victim)
{
	struct bench b = bench(1, 4);

	for (uint32_t way = 0; way < 4; way++)
		take(&b, 0, way, PIN_HARD);
	reserve(&b, 0, PIN_HARD);
	cr_assert_eq(victim(&b, 0), 1, "way 0 is reserved: the lowest that is not");
	reserve(&b, 1, PIN_NONE);
	cr_assert_eq(victim(&b, 0), 2, "though way 1 has no pin");
	reserve(&b, 2, PIN_SOFT);
	reserve(&b, 3, PIN_NONE);
	cr_assert_eq(victim(&b, 0), NOBODY);
	cr_assert_eq(b.out.rsp_way, 0);
	cr_assert_eq(b.out.rsp_pin, PIN_NONE);
	step(&b, (struct pin_replacement_in){.fill_valid = 1, .fill_way = 2});
	cr_assert_eq(victim(&b, 0), 2, "the only one whose line is there");
	step(&b, (struct pin_replacement_in){.fill_valid = 1, .fill_way = 3});
	cr_assert_eq(victim(&b, 0), 3, "this one has no pin");
}

Test(pin_replacement, the_response_is_there_in_the_cycle_after_its_request_with_all_before_it)
{
	struct bench b = bench(1, 2);

	take(&b, 0, 0, PIN_NONE);
	reserve(&b, 1, PIN_NONE);
	operate(&b, PIN_OP_USE, 0);
	/* In the request's cycle the other way's line comes, the older one. */
	step(&b, (struct pin_replacement_in){.req_valid = 1, .fill_valid = 1, .fill_way = 1});
	cr_assert_not(b.out.rsp_valid);
	cr_assert(b.out.req_ready);
	step(&b, (struct pin_replacement_in){.req_valid = 1, .rsp_ready = 1, .op_valid = 1, .op_kind = PIN_OP_USE, .op_way = 1});
	cr_assert(b.out.rsp_valid && b.out.rsp_found);
	cr_assert_eq(b.out.rsp_way, 1);
	cr_assert(b.out.req_ready, "a request a cycle");
	step(&b, (struct pin_replacement_in){.rsp_ready = 1});
	cr_assert_eq(b.out.rsp_way, 0, "with the use of the cycle before");
	step(&b, (struct pin_replacement_in){0});
	cr_assert_not(b.out.rsp_valid);
	cr_assert_not(b.out.busy);
}

Test(pin_replacement, a_response_holds_until_it_is_taken_and_follows_the_table)
{
	struct bench b = bench(2, 2);

	take(&b, 1, 0, PIN_NONE);
	take(&b, 1, 1, PIN_NONE);
	step(&b, (struct pin_replacement_in){.req_valid = 1, .req_set = 1});
	for (unsigned i = 0; i < 5; i++) {
		step(&b, (struct pin_replacement_in){.req_valid = 1, .req_set = 0});
		cr_assert(b.out.rsp_valid && b.out.busy);
		cr_assert_not(b.out.req_ready);
		cr_assert_eq(b.out.rsp_way, 0);
	}
	step(&b, (struct pin_replacement_in){
			 .req_valid = 1, .req_set = 0, .op_valid = 1, .op_kind = PIN_OP_USE, .op_set = 1, .op_way = 0});
	step(&b, (struct pin_replacement_in){.req_valid = 1, .req_set = 0});
	cr_assert_eq(b.out.rsp_way, 1, "way 0 has been used meanwhile");
	step(&b, (struct pin_replacement_in){.req_valid = 1, .req_set = 0, .rsp_ready = 1});
	cr_assert(b.out.req_ready);
	step(&b, (struct pin_replacement_in){.rsp_ready = 1});
	cr_assert_eq(b.out.rsp_way, 0, "of the empty set");
}

/* The first pin is of cycle 0. */
static struct bench pinned_set(void)
{
	struct bench b = bench(1, 2);

	take(&b, 0, 0, PIN_HARD);
	take(&b, 0, 1, PIN_HARD);
	operate(&b, PIN_OP_USE, 0);
	return b;
}

Test(pin_replacement, pins_end_in_the_timers_cycle_and_not_one_early)
{
	struct bench b = pinned_set();

	b.now = TIMER - 1;
	step(&b, (struct pin_replacement_in){.req_valid = 1});
	cr_assert_not(b.out.unpin);
	step(&b, (struct pin_replacement_in){.rsp_ready = 1});
	cr_assert_eq(b.out.rsp_way, 0, "all are hard");
	b = pinned_set();
	b.now = TIMER;
	step(&b, (struct pin_replacement_in){.req_valid = 1});
	cr_assert(b.out.unpin);
	step(&b, (struct pin_replacement_in){.rsp_ready = 1});
	cr_assert_not(b.out.unpin, "once");
	cr_assert_eq(b.out.rsp_way, 1, "the least recently used: nothing is pinned any more");
	cr_assert_eq(b.out.rsp_pin, PIN_NONE);
}

Test(pin_replacement, the_timer_starts_again_with_the_next_pin)
{
	struct bench b = pinned_set();

	step(&b, (struct pin_replacement_in){.req_valid = 1});
	b.now = 5 * TIMER;
	step(&b, (struct pin_replacement_in){.rsp_ready = 1, .op_valid = 1, .op_kind = PIN_OP_TAKE, .op_pin = PIN_SOFT});
	cr_assert(b.out.unpin && b.out.rsp_way == 0, "way 0 is given by the pins that end in this cycle");
	cr_assert_eq(victim(&b, 0), 1);
	b.now = 6 * TIMER - 1;
	cr_assert_eq(victim(&b, 0), 1, "the soft pin holds");
	operate(&b, PIN_OP_USE, 1);
	cr_assert_eq(victim(&b, 0), 0, "it has ended");
}

Test(pin_replacement, the_cycle_counter_may_wrap)
{
	struct bench b = bench(1, 2);

	b.now = UINT32_MAX - 10;
	take(&b, 0, 0, PIN_HARD);
	b.now += TIMER - 2;
	step(&b, (struct pin_replacement_in){.req_valid = 1});
	cr_assert_not(b.out.unpin);
	step(&b, (struct pin_replacement_in){.req_valid = 1, .rsp_ready = 1});
	cr_assert(b.out.unpin);
}

Test(pin_replacement, all_lines_are_dropped_but_those_on_their_way)
{
	struct bench b = bench(2, 2);

	take(&b, 0, 0, PIN_HARD);
	reserve(&b, 1, PIN_HARD);
	take(&b, 1, 0, PIN_SOFT);
	operate(&b, PIN_OP_DROP_ALL, 0);
	cr_assert_eq(victim(&b, 0), 0);
	cr_assert(b.s.valid[0] == 2 && b.s.reserved[0] == 2 && b.s.hard[0] == 2 && b.s.valid[1] == 0 && b.s.soft[1] == 0);
	step(&b, (struct pin_replacement_in){.fill_valid = 1, .fill_way = 1, .fill_drop = 1});
	cr_assert(b.s.valid[0] == 0 && b.s.reserved[0] == 0 && b.s.hard[0] == 0);
}

Test(pin_replacement, the_operation_of_a_cycle_comes_before_its_fill)
{
	struct bench b = bench(1, 4);

	take(&b, 0, 0, PIN_NONE);
	newcomer(&b, (struct pin_replacement_in){.op_way = 1, .op_reserve = 1, .op_pin = PIN_SOFT, .fill_valid = 1, .fill_way = 1});
	cr_assert(b.s.valid[0] == 3 && b.s.reserved[0] == 0 && b.s.soft[0] == 2);
}

Test(pin_replacement, nothing_moves_without_a_valid_input_when_it_is_not_busy)
{
	struct bench b = pinned_set();
	struct pin_replacement before = b.s;

	b.now = 3 * TIMER;
	for (unsigned i = 0; i < 20; i++) {
		step(&b, (struct pin_replacement_in){.op_kind = i & 3, .op_way = i & 1, .op_pin = 2, .rsp_ready = i & 1});
		cr_assert_not(b.out.unpin);
	}
	cr_assert_eq(memcmp(&before, &b.s, sizeof before), 0);
}

/* Ranks are a permutation, and the rule over times of last use gives the same victims. */
static void ranks_are_a_permutation(const struct pin_replacement *s, uint32_t set)
{
	uint32_t bits = pin_replacement_bits(s->p.ways), seen = 0;

	for (uint32_t way = 0; way < s->p.ways; way++)
		seen |= 1u << (s->rank[set] >> way * bits & ((1u << bits) - 1));
	cr_assert_eq(seen, (1u << s->p.ways) - 1, "set %u: ranks %#llx", set, (unsigned long long)s->rank[set]);
}

static unsigned random_traffic(const struct pin_replacement_params *p, uint64_t seed, unsigned steps)
{
	static struct pin_replacement s;
	static struct pin_traffic t;
	unsigned ends = 0, answers = 0;

	pin_replacement_reset(&s, p);
	pin_traffic_init(&t, p, seed, 1 + seed % 4);
	t.gaps = seed & 1;
	for (unsigned i = 0; i < steps; i++) {
		struct pin_replacement_out out;
		struct pin_rule after;

		pin_replacement_eval(&s, &t.in, &out);
		cr_assert_eq(out.rsp_valid, t.rule.waits);
		if (t.rule.waits) {
			int want = pin_rule_answer(&t.rule);

			answers++;
			cr_assert_eq(out.rsp_found ? (int)out.rsp_way : NOBODY, want, "%u x %u, seed %llu, step %u", p->sets,
				     p->ways, (unsigned long long)seed, i);
			cr_assert_eq(out.rsp_pin, want < 0				   ? PIN_NONE
						  : t.rule.way[t.rule.pending][want].there ? t.rule.way[t.rule.pending][want].pin
											   : PIN_NONE);
		}
		after = t.rule;
		cr_assert_eq(out.unpin, pin_rule_step(&after, t.cycle, &t.in));
		ends += out.unpin;
		pin_replacement_tick(&s, &t.in);
		for (uint32_t set = 0; set < p->sets; set++)
			ranks_are_a_permutation(&s, set);
		pin_traffic_next(&t, &out);
	}
	cr_assert_gt(answers, steps / 4);
	return ends;
}

Test(pin_replacement, random_traffic_under_back_pressure_follows_the_rule_in_every_shape)
{
	static const struct pin_replacement_params shape[] = {{1, 1, 7},   {1, 2, 100},	  {1, 4, 1},	   {1, 16, 300},
							      {4, 3, 500}, {32, 4, 1000}, {64, 6, 100000}, {2, 16, 50}};

	for (unsigned i = 0; i < sizeof shape / sizeof shape[0]; i++)
		for (uint64_t seed = 1; seed <= 6; seed++) {
			unsigned ends = random_traffic(&shape[i], seed, 4000);

			cr_assert(ends > 0 || shape[i].timer > 4000, "%u x %u: the timer never came", shape[i].sets, shape[i].ways);
		}
}
