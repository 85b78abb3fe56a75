/* 604: the set monitor counts an access to a set whose previous access had another tag, in the cycles that its header
 * states. */
#include <criterion/criterion.h>
#include <string.h>

#include "hw/twins/set_monitor.h"
#include "support/random.h"

struct bench {
	struct set_monitor s;
	struct set_monitor_out out; /* of the last step, before its edge */
};

static struct bench bench(uint32_t sets, uint32_t tag_w, uint32_t count_w)
{
	struct set_monitor_params p = {.sets = sets, .tag_w = tag_w, .count_w = count_w};
	struct err e = {""};
	struct bench b;

	cr_assert_eq(set_monitor_params_check(&p, &e), 0, "%s", e.text);
	memset(&b, 0, sizeof b);
	set_monitor_reset(&b.s, &p);
	return b;
}

static void step(struct bench *b, struct set_monitor_in in)
{
	set_monitor_eval(&b->s, &in, &b->out);
	set_monitor_tick(&b->s, &in);
}

static void access_set(struct bench *b, uint32_t set, uint64_t tag)
{
	do
		step(b, (struct set_monitor_in){.acc_valid = 1, .acc_set = set, .acc_tag = tag});
	while (!b->out.acc_ready);
}

static void drain(struct bench *b)
{
	do
		step(b, (struct set_monitor_in){.rsp_ready = 1});
	while (b->out.busy);
}

static uint32_t read_set(struct bench *b, uint32_t set)
{
	do
		step(b, (struct set_monitor_in){.req_valid = 1, .req_set = set});
	while (!b->out.req_ready);
	do
		step(b, (struct set_monitor_in){.rsp_ready = 1});
	while (!b->out.rsp_valid);
	return b->out.rsp_count;
}

Test(set_monitor, the_first_access_and_the_same_tag_again_are_no_conflict)
{
	struct bench b = bench(32, 20, 16);

	access_set(&b, 3, 0);
	access_set(&b, 3, 0);
	access_set(&b, 4, 9);
	access_set(&b, 3, 0);
	drain(&b);
	cr_assert_eq(read_set(&b, 3), 0);
	cr_assert_eq(read_set(&b, 4), 0);
}

Test(set_monitor, another_tag_in_the_same_set_is_a_conflict_whatever_other_sets_do)
{
	struct bench b = bench(32, 20, 16);

	access_set(&b, 3, 1);
	access_set(&b, 4, 2);
	access_set(&b, 3, 2); /* 1 */
	access_set(&b, 3, 2);
	access_set(&b, 3, 1); /* 2 */
	drain(&b);
	cr_assert_eq(read_set(&b, 3), 2);
	cr_assert_eq(read_set(&b, 4), 0);
}

Test(set_monitor, an_access_is_in_the_table_two_edges_after_it_is_offered_and_not_one)
{
	struct bench b = bench(4, 4, 4);

	access_set(&b, 1, 7);
	cr_assert_eq(b.s.seen[1], 0, "after its first edge it is pending");
	cr_assert_eq(b.s.acc_valid, 1);
	step(&b, (struct set_monitor_in){0});
	cr_assert_eq(b.s.seen[1], 1);
	cr_assert_eq(b.s.tag[1], 7);
	cr_assert_eq(b.s.acc_valid, 0);
}

Test(set_monitor, a_response_is_there_two_edges_after_its_request_and_not_one)
{
	struct bench b = bench(4, 4, 4);

	step(&b, (struct set_monitor_in){.req_valid = 1, .req_set = 2});
	cr_assert(b.out.req_ready);
	step(&b, (struct set_monitor_in){0});
	cr_assert_not(b.out.rsp_valid, "one edge after");
	cr_assert_not(b.out.req_ready, "a request is pending");
	step(&b, (struct set_monitor_in){.rsp_ready = 1});
	cr_assert(b.out.rsp_valid, "two edges after");
	step(&b, (struct set_monitor_in){0});
	cr_assert_not(b.out.rsp_valid, "taken");
	cr_assert_not(b.out.busy);
}

Test(set_monitor, a_response_holds_under_back_pressure_while_its_set_goes_on_counting)
{
	struct bench b = bench(4, 4, 4);

	access_set(&b, 2, 1);
	access_set(&b, 2, 2);
	drain(&b);
	step(&b, (struct set_monitor_in){.req_valid = 1, .req_set = 2});
	step(&b, (struct set_monitor_in){0});
	for (unsigned i = 0; i < 10; i++) {
		step(&b, (struct set_monitor_in){.acc_valid = 1, .acc_set = 2, .acc_tag = 3 + i % 2});
		cr_assert(b.out.acc_ready, "accesses pass a response that waits");
		cr_assert(b.out.rsp_valid);
		cr_assert_eq(b.out.rsp_count, 1, "step %u: %u", i, b.out.rsp_count);
		cr_assert(b.out.busy);
	}
	drain(&b);
	cr_assert_eq(read_set(&b, 2), 11);
}

Test(set_monitor, a_request_goes_before_the_pending_access_which_is_not_lost)
{
	struct bench b = bench(4, 4, 4);

	access_set(&b, 0, 1);
	drain(&b);
	step(&b, (struct set_monitor_in){.acc_valid = 1, .acc_set = 0, .acc_tag = 2, .req_valid = 1, .req_set = 0});
	cr_assert(b.out.acc_ready && b.out.req_ready);
	step(&b, (struct set_monitor_in){.acc_valid = 1, .acc_set = 0, .acc_tag = 3});
	cr_assert_not(b.out.acc_ready, "the table serves the request");
	step(&b, (struct set_monitor_in){.acc_valid = 1, .acc_set = 0, .acc_tag = 3, .rsp_ready = 1});
	cr_assert(b.out.acc_ready, "one cycle later it goes on");
	cr_assert(b.out.rsp_valid);
	cr_assert_eq(b.out.rsp_count, 0, "the request saw the table before the access");
	drain(&b);
	cr_assert_eq(read_set(&b, 0), 2);
}

Test(set_monitor, a_counter_stays_at_its_largest_value)
{
	struct bench b = bench(2, 1, 2);

	access_set(&b, 1, 0);
	for (unsigned i = 1; i <= 5; i++) {
		access_set(&b, 1, i % 2);
		drain(&b);
		cr_assert_eq(read_set(&b, 1), i < 3 ? i : 3, "conflict %u", i);
	}
}

Test(set_monitor, nothing_moves_without_a_valid_input_when_it_is_not_busy)
{
	struct bench b = bench(8, 6, 8);
	struct set_monitor before;

	for (unsigned i = 0; i < 50; i++)
		access_set(&b, i % 8, i % 5);
	drain(&b);
	before = b.s;
	for (unsigned i = 0; i < 20; i++)
		step(&b, (struct set_monitor_in){.acc_set = i % 8, .acc_tag = i, .req_set = i % 3, .rsp_ready = i & 1});
	cr_assert_eq(memcmp(&before, &b.s, sizeof before), 0);
}

/* The counts are a property of the order of accesses alone: a list of last tags gives the same. */
Test(set_monitor, random_streams_give_the_counts_of_a_plain_list)
{
	uint64_t seed = 0x9e3779b97f4a7c15u;

	for (unsigned run = 0; run < 20; run++) {
		struct bench b = bench(16, 3, 16);
		int64_t last[16];
		uint32_t want[16] = {0};

		memset(last, -1, sizeof last);
		for (unsigned i = 0; i < 2000; i++) {
			struct set_monitor_in in = {0};
			uint64_t x = random_u64(&seed);

			in.acc_valid = x >> 1 & 1, in.acc_set = x >> 8 & 15, in.acc_tag = x >> 16 & 7;
			in.req_valid = (x >> 24 & 3) == 0, in.req_set = x >> 32 & 15, in.rsp_ready = x >> 40 & 1;
			step(&b, in);
			if (!in.acc_valid || !b.out.acc_ready)
				continue;
			want[in.acc_set] += last[in.acc_set] >= 0 && last[in.acc_set] != (int64_t)in.acc_tag;
			last[in.acc_set] = (int64_t)in.acc_tag;
		}
		drain(&b);
		for (uint32_t set = 0; set < 16; set++)
			cr_assert_eq(read_set(&b, set), want[set], "run %u, set %u", run, set);
	}
}
