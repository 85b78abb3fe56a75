/* 667: the golden twins of DWT-CS's hardware: what an SM counts and says when, how long it samples; what the
 * coordinator makes of it; worked out by hand, and the winner against the rule written out. */
#include <criterion/criterion.h>
#include <string.h>

#include "hw/twins/throttle.h"
#include "hw/twins/throttle_coordinator.h"
#include "support/random.h"

/* ---- an SM ---- */

struct bench {
	struct throttle t;
	struct throttle_out out; /* of the last cycle, before its edge */
	uint32_t now;
};

static struct bench bench(uint32_t watchdog)
{
	const struct throttle_params p = {
		.kernels = 3, .period = 100, .periods = 2, .watchdog = watchdog, .count_w = 16, .commit_w = 9, .miss_w = 2};
	struct err e = {""};
	struct bench b;

	memset(&b, 0, sizeof b);
	cr_assert_eq(throttle_params_check(&p, &e), 0, "%s", e.text);
	throttle_reset(&b.t, &p);
	return b;
}

/* The next cycle. */
static void step(struct bench *b, struct throttle_in in)
{
	in.now = b->now++;
	throttle_eval(&b->t, &in, &b->out);
	throttle_tick(&b->t, &in);
}

/* So many commits a cycle up to cycle `end`. */
static void commit_until(struct bench *b, uint32_t end, uint32_t commits)
{
	while (b->now < end)
		step(b, (struct throttle_in){.commits = commits, .misses = 1});
}

static void begin(struct bench *b, uint32_t slot)
{
	step(b, (struct throttle_in){.beg_valid = 1, .beg_on = 1, .beg_slot = slot, .beg_most = 24});
}

static void order(struct bench *b, uint32_t slot, enum throttle_mode mode, uint8_t limit)
{
	step(b, (struct throttle_in){.ord_valid = 1, .ord_slot = slot, .ord_mode = (uint8_t)mode, .ord_limit = limit});
}

static void expect_message(struct bench *b, uint32_t slot, uint32_t commits, uint32_t misses)
{
	step(b, (struct throttle_in){.commits = 500});
	cr_assert(b->out.msg_valid && b->out.busy, "cycle %u", b->now - 1);
	cr_assert_eq(b->out.msg_slot, slot);
	cr_assert_eq(b->out.msg_commits, commits, "%u", b->out.msg_commits);
	cr_assert_eq(b->out.msg_misses, misses, "%u", b->out.msg_misses);
	cr_assert_eq(b->out.msg_most, 24);
}

/* The launch's message comes in cycle 1: the period ends in cycle 100. What is committed in that cycle is the next
 * period's. */
Test(throttle_twin, a_period_ends_after_its_cycles_and_is_reported)
{
	struct bench b = bench(0);

	step(&b, (struct throttle_in){.commits = 7});
	cr_assert_not(b.out.on);
	begin(&b, 1);
	commit_until(&b, 100, 3);
	cr_assert_not(b.out.msg_valid);
	cr_assert_eq(b.out.due, 100);
	expect_message(&b, 1, 98 * 3, 98);
	commit_until(&b, 200, 0);
	expect_message(&b, 1, 500, 99);
}

/* Two periods of sampling: one vote of all that was committed in both; then, without an answer in a period, no
 * limit. */
Test(throttle_twin, a_sampling_lasts_for_its_periods)
{
	struct bench b = bench(0);

	begin(&b, 0); /* in cycle 0: ends in 99, 199 .. */
	commit_until(&b, 99, 1);
	expect_message(&b, 0, 98, 98);
	order(&b, 0, THROTTLE_SAMPLE, 5);
	cr_assert_not(b.out.limited, "from the cycle after on");
	step(&b, (struct throttle_in){0});
	cr_assert(b.out.limited && b.out.hold);
	cr_assert_eq(b.out.limit, 5);
	commit_until(&b, 199, 1);
	step(&b, (struct throttle_in){.commits = 1});
	cr_assert(b.out.busy && !b.out.msg_valid);
	commit_until(&b, 299, 1);
	expect_message(&b, 0, 500 + (199 - 102) + 1 + 99, 97 + 99);
	cr_assert(b.out.limited, "until there is a winner");
	commit_until(&b, 399, 1);
	step(&b, (struct throttle_in){0});
	cr_assert_not(b.out.msg_valid);
	step(&b, (struct throttle_in){0});
	cr_assert_not(b.out.limited, "nobody answers");
	cr_assert_not(b.out.hold);
}

Test(throttle_twin, a_kernel_goes_on_where_it_stopped)
{
	struct bench b = bench(0);

	begin(&b, 0);
	commit_until(&b, 41, 2);
	begin(&b, 2); /* 41 cycles of kernel 0 have gone, 0 to 40 */
	cr_assert_eq(b.out.due, 99);
	commit_until(&b, 1000, 0);
	begin(&b, 0);
	step(&b, (struct throttle_in){0});
	cr_assert_eq(b.out.due, 1000 + 99 - 41);
	cr_assert_eq(b.out.msg_commits, 40 * 2);
	order(&b, 2, THROTTLE_SETTLED, 3);
	step(&b, (struct throttle_in){0});
	cr_assert_not(b.out.limited, "that was for the other one");
	begin(&b, 2);
	step(&b, (struct throttle_in){0});
	cr_assert_not(b.out.limited, "a launch begins without a limit");
	order(&b, 2, THROTTLE_SETTLED, 0);
	step(&b, (struct throttle_in){0});
	cr_assert(b.out.limited && b.out.limit == 1, "never 0");
	step(&b, (struct throttle_in){.beg_valid = 1});
	step(&b, (struct throttle_in){0});
	cr_assert(!b.out.on && !b.out.limited);
}

Test(throttle_twin, counters_stay_at_their_largest_value)
{
	struct bench b = bench(0);

	b.t.p.count_w = 8;
	begin(&b, 0);
	commit_until(&b, 99, 60);
	expect_message(&b, 0, 255, 98);
}

/* Three periods without a warp's end: a fourth without the limit. A warp that ends begins the count anew. */
Test(throttle_twin, a_limit_is_lifted_when_no_warp_ends_under_it)
{
	struct bench b = bench(3);

	begin(&b, 0);
	order(&b, 0, THROTTLE_SETTLED, 2);
	commit_until(&b, 250, 1);
	step(&b, (struct throttle_in){.exit = 1}); /* in the third period */
	commit_until(&b, 500, 1);		   /* ends in 299, 399, 499 */
	cr_assert(b.out.limited);
	step(&b, (struct throttle_in){0});
	cr_assert(!b.out.limited && b.out.open);
	commit_until(&b, 600, 1);
	cr_assert_not(b.out.limited);
	step(&b, (struct throttle_in){0});
	cr_assert(b.out.limited && !b.out.open);
}

/* ---- the coordinator ---- */

enum { SMS = 15 };

struct vote {
	uint32_t commits, misses;
};

static void coordinator_reset(struct throttle_coordinator *c, uint32_t sms, uint32_t n)
{
	const struct throttle_coordinator_params p = {
		.sms = sms, .kernels = 2, .n = n, .threshold = 10, .per_cycles = 0, .any = 0, .count_w = 32};
	struct err e = {""};

	cr_assert_eq(throttle_coordinator_params_check(&p, &e), 0, "%s", e.text);
	throttle_coordinator_reset(c, &p);
}

/* A batch of messages, one of each SM, and an order to each; the mode that was decided, and by SM the limit that was
 * ordered. */
static enum throttle_mode batch(struct throttle_coordinator *c, uint32_t slot, const struct vote *v, uint8_t most, uint8_t *limit)
{
	struct throttle_coordinator_out out;
	uint32_t orders = 0, cycles = 0;
	unsigned heard[THROTTLE_MAX_SMS] = {0}, answered[THROTTLE_MAX_SMS] = {0};
	enum throttle_mode mode = THROTTLE_MONITOR;

	while (orders < c->p.sms) {
		struct throttle_coordinator_in in = {.ord_ready = 1};

		throttle_coordinator_eval(c, &in, &out);
		if (out.msg_ready) {
			cr_assert_eq(heard[out.turn]++, 0);
			in.msg_valid = 1;
			in.msg_slot = slot;
			in.msg_commits = v[out.turn].commits;
			in.msg_misses = v[out.turn].misses;
			in.msg_most = most;
		}
		if (out.ord_valid) {
			cr_assert_eq(answered[out.turn]++, 0);
			orders++;
			cr_assert_eq(out.ord_slot, slot);
			limit[out.turn] = out.ord_limit;
			mode = out.ord_mode;
		}
		throttle_coordinator_tick(c, &in);
		cr_assert_leq(++cycles, 2 * c->p.sms + 2);
	}
	throttle_coordinator_eval(c, &(struct throttle_coordinator_in){0}, &out);
	cr_assert(out.msg_ready && !out.busy);
	return mode;
}

/* All SMs alike. */
static enum throttle_mode alike(struct throttle_coordinator *c, uint32_t commits, uint32_t misses, uint8_t *limit)
{
	struct vote v[THROTTLE_MAX_SMS];

	for (unsigned i = 0; i < c->p.sms; i++)
		v[i] = (struct vote){commits, misses};
	return batch(c, 0, v, 24, limit);
}

/* 10 misses in 1,000 are not above 10 in 1,000. Two periods on end; one below breaks the run. */
Test(coordinator_twin, two_periods_above_the_threshold_on_end_begin_a_sampling)
{
	struct throttle_coordinator c;
	uint8_t limit[SMS];

	coordinator_reset(&c, SMS, 2);
	cr_assert_eq(alike(&c, 1000, 10, limit), THROTTLE_MONITOR);
	cr_assert_eq(alike(&c, 1000, 11, limit), THROTTLE_WATCH);
	cr_assert_eq(alike(&c, 1000, 10, limit), THROTTLE_MONITOR);
	cr_assert_eq(alike(&c, 1000, 11, limit), THROTTLE_WATCH);
	cr_assert_eq(alike(&c, 1000, 11, limit), THROTTLE_SAMPLE);
	for (unsigned i = 0; i < SMS; i++)
		cr_assert_eq(limit[i], i + 1);
}

static void sample(struct throttle_coordinator *c, uint8_t *limit)
{
	cr_assert_eq(alike(c, 1000, 500, limit), c->p.n == 1 ? THROTTLE_SAMPLE : THROTTLE_WATCH);
	if (c->p.n > 1)
		cr_assert_eq(alike(c, 1000, 500, limit), THROTTLE_SAMPLE);
}

Test(coordinator_twin, the_last_number_leads_to_a_second_round_of_16_to_24)
{
	struct vote v[SMS];
	struct throttle_coordinator c;
	uint8_t limit[SMS];

	coordinator_reset(&c, SMS, 2);
	sample(&c, limit);
	for (unsigned i = 0; i < SMS; i++)
		v[i] = (struct vote){100 * (i + 1), 0};
	cr_assert_eq(batch(&c, 0, v, 24, limit), THROTTLE_SAMPLE);
	for (unsigned i = 0; i < SMS; i++)
		cr_assert_eq(limit[i], i < 9 ? 16 + i : 15, "SM %u: %u", i, limit[i]);
	/* The mean of the six SMs with 15 warps is 1,500; 20 warps have 1,501. */
	for (unsigned i = 0; i < SMS; i++)
		v[i].commits = i < 9 ? (i == 4 ? 1501 : 1000) : 1500;
	cr_assert_eq(batch(&c, 0, v, 24, limit), THROTTLE_SETTLED);
	for (unsigned i = 0; i < SMS; i++)
		cr_assert_eq(limit[i], 20);
	/* A later launch, a period above the threshold. */
	cr_assert_eq(alike(&c, 1000, 10, limit), THROTTLE_MONITOR);
	cr_assert_eq(alike(&c, 1000, 11, limit), THROTTLE_SETTLED);
	cr_assert_eq(limit[7], 20);
}

Test(coordinator_twin, the_winner_so_far_may_win_again)
{
	struct vote v[SMS];
	struct throttle_coordinator c;
	uint8_t limit[SMS];

	coordinator_reset(&c, SMS, 1);
	sample(&c, limit);
	for (unsigned i = 0; i < SMS; i++)
		v[i].commits = i == 14 ? 10 : 9;
	cr_assert_eq(batch(&c, 0, v, 24, limit), THROTTLE_SAMPLE);
	for (unsigned i = 0; i < SMS; i++)
		v[i].commits = i < 9 ? 1500 : 1501;
	cr_assert_eq(batch(&c, 0, v, 24, limit), THROTTLE_SETTLED);
	cr_assert_eq(limit[0], 15);
}

Test(coordinator_twin, of_equals_the_lowest_wins_and_sms_without_work_do_not_vote)
{
	struct vote v[SMS];
	struct throttle_coordinator c;
	uint8_t limit[SMS];

	coordinator_reset(&c, SMS, 1);
	sample(&c, limit);
	for (unsigned i = 0; i < SMS; i++)
		v[i].commits = i < 3 ? 0 : i == 5 || i == 9 ? 700 : 600;
	cr_assert_eq(batch(&c, 0, v, 24, limit), THROTTLE_SETTLED);
	cr_assert_eq(limit[0], 6);
	coordinator_reset(&c, SMS, 1);
	sample(&c, limit);
	memset(v, 0, sizeof v);
	cr_assert_eq(batch(&c, 0, v, 24, limit), THROTTLE_MONITOR, "nobody votes");
}

/* Never more than the warps that there are: with 4 of them three or four SMs have each number. */
Test(coordinator_twin, numbers_end_with_the_warps_that_there_are)
{
	struct vote v[SMS];
	struct throttle_coordinator c;
	uint8_t limit[SMS];

	coordinator_reset(&c, SMS, 1);
	for (unsigned i = 0; i < SMS; i++)
		v[i] = (struct vote){1000, 500};
	cr_assert_eq(batch(&c, 1, v, 4, limit), THROTTLE_SAMPLE);
	for (unsigned i = 0; i < SMS; i++)
		cr_assert_eq(limit[i], 1 + i % 4);
	for (unsigned i = 0; i < SMS; i++)
		v[i].commits = limit[i] == 4 ? 20 : limit[i] == 2 ? 19 : 1;
	cr_assert_eq(batch(&c, 1, v, 4, limit), THROTTLE_SETTLED, "four is all there is");
	cr_assert_eq(limit[0], 4);
}

/* A launch of five CTAs: of the numbers 1 to 4 each is tried on one of the five SMs that have work. */
Test(coordinator_twin, each_number_is_tried_where_there_is_work)
{
	struct vote v[SMS] = {{0}};
	struct throttle_coordinator c;
	uint8_t limit[SMS];

	coordinator_reset(&c, SMS, 1);
	for (unsigned i = 0; i < 5; i++)
		v[i] = (struct vote){1000, 500};
	cr_assert_eq(batch(&c, 0, v, 4, limit), THROTTLE_SAMPLE);
	for (unsigned i = 0; i < 5; i++)
		v[i].commits = 100 * limit[i];
	cr_assert_eq(batch(&c, 0, v, 4, limit), THROTTLE_SETTLED);
	cr_assert_eq(limit[0], 4);
}

/* Sums of 4 SMs beside sums of 3: SM j has 1 + j mod K, and the mean decides, by the rule written out. */
Test(coordinator_twin, the_best_mean_wins_against_the_rule_written_out)
{
	uint64_t seed = 5;
	unsigned ties = 0;

	for (unsigned n = 0; n < 3000; n++) {
		uint32_t sms = 2 + (uint32_t)(random_u64(&seed) % 20), most = 1 + (uint32_t)(random_u64(&seed) % 12), best = 0;
		uint64_t sum[32] = {0}, of[32] = {0};
		struct vote v[32];
		struct throttle_coordinator c;
		uint8_t limit[32];

		coordinator_reset(&c, sms, 1);
		for (unsigned i = 0; i < sms; i++)
			v[i] = (struct vote){1000, 500};
		cr_assert_eq(batch(&c, 0, v, (uint8_t)most, limit), THROTTLE_SAMPLE);
		for (unsigned i = 0; i < sms; i++) {
			cr_assert_eq(limit[i], 1 + i % (most < sms ? most : sms));
			v[i].commits = (uint32_t)(random_u64(&seed) % 4);
			sum[limit[i]] += v[i].commits;
			of[limit[i]] += v[i].commits != 0;
		}
		for (unsigned k = 1; k < 32; k++) {
			ties += best && of[k] && sum[k] * of[best] == sum[best] * of[k];
			if (of[k] && (!best || sum[k] * of[best] > sum[best] * of[k]))
				best = k;
		}
		if (!best || best < most)
			cr_assert(batch(&c, 0, v, (uint8_t)most, limit) == (!best	  ? THROTTLE_MONITOR
									    : best == sms ? THROTTLE_SAMPLE
											  : THROTTLE_SETTLED) &&
					  (!best || best == sms || limit[sms - 1] == best),
				  "%u SMs, %u warps: %u", sms, most, best);
	}
	cr_assert_gt(ties, 100);
}
