/* 665: the bypass monitor: the counts that begin and end a bypass, by hand; its cycles; holds; no counter overflows;
 * and all of it against the rule written out over a log of whole cycles. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "hw/twins/bypass_monitor.h"
#include "support/bypass_stimulus.h"

struct bench {
	struct bypass_monitor u;
	struct bypass_monitor_out out; /* of the last step, before its edge */
	uint64_t cycle;
};

static struct bench bench(uint32_t rate, uint32_t period)
{
	struct bypass_monitor_params p = {rate, period};
	struct err e = {""};
	struct bench b;

	cr_assert_eq(bypass_monitor_params_check(&p, &e), 0, "%s", e.text);
	memset(&b, 0, sizeof b);
	bypass_monitor_reset(&b.u, &p);
	return b;
}

static void step(struct bench *b, bool load, bool miss, bool hold)
{
	uint32_t mask = (uint32_t)((UINT64_C(1) << bypass_monitor_bits(b->u.p.period)) - 1);
	struct bypass_monitor_in in = {(uint32_t)b->cycle++ & mask, load, miss, hold};

	bypass_monitor_eval(&b->u, &in, &b->out);
	bypass_monitor_tick(&b->u, &in);
}

/* A whole period, its misses first; hold: in all of its cycles. Then the outputs of the next one's first cycle. */
static void period(struct bench *b, uint32_t loads, uint32_t misses, bool hold)
{
	for (uint32_t i = 0; i < b->u.p.period; i++)
		step(b, i < loads, i < misses, hold);
	bypass_monitor_eval(&b->u, &(struct bypass_monitor_in){.hold = hold}, &b->out);
}

Test(bypass_monitor, begins_above_the_rate_and_not_at_it)
{
	static const struct {
		uint32_t rate, loads, misses;
		bool bypass;
	} known[] = {
		{90, 1000, 901, true}, {90, 1000, 900, false}, {90, 10, 9, false},  {90, 10, 10, true},
		{90, 1, 1, true},      {50, 2, 1, false},      {50, 3, 2, true},    {99, 100, 99, false},
		{99, 100, 100, true},  {1, 100, 1, false},     {1, 99, 1, true},    {33, 1000, 330, false},
		{33, 1000, 331, true}, {90, 0, 0, false},      {90, 999, 0, false}, {64, 25, 16, false},
	};

	for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++) {
		struct bench b = bench(known[i].rate, 1000);

		period(&b, known[i].loads, known[i].misses, false);
		cr_assert_eq(b.out.bypass, known[i].bypass, "%u misses of %u at %u %%", known[i].misses, known[i].loads,
			     known[i].rate);
	}
}

Test(bypass_monitor, the_last_cycle_of_a_period_is_part_of_it_and_the_next_one_goes_past)
{
	struct bench b = bench(90, 100);

	for (unsigned i = 0; i < 99; i++)
		step(&b, false, false, false);
	step(&b, true, true, false);
	cr_assert_eq(b.out.bypass, 0, "cycle 99");
	step(&b, true, false, false);
	cr_assert_eq(b.out.bypass, 1, "cycle 100");
	for (unsigned i = 0; i < 99; i++) {
		step(&b, false, false, false);
		cr_assert(b.out.bypass && !b.out.open, "cycle %u", 101 + i);
	}
	step(&b, true, false, false);
	cr_assert(!b.out.bypass && b.out.open && b.out.busy, "cycle 200: its only load hit");
	step(&b, true, false, false);
	cr_assert(!b.out.open && !b.out.busy, "once");
}

Test(bypass_monitor, a_period_without_loads_changes_nothing)
{
	struct bench b = bench(90, 100);

	period(&b, 0, 0, false);
	cr_assert_eq(b.out.bypass, 0);
	period(&b, 1, 1, false);
	for (unsigned i = 0; i < 3; i++) {
		period(&b, 0, 0, false);
		cr_assert(b.out.bypass && !b.out.open);
	}
}

Test(bypass_monitor, a_hold_opens_at_once_and_voids_its_periods)
{
	struct bench b = bench(90, 100);

	period(&b, 100, 100, false);
	step(&b, true, true, false);
	step(&b, true, true, true);
	cr_assert(!b.out.bypass && b.out.open, "in the cycle of the hold");
	step(&b, true, true, true);
	cr_assert(!b.out.open);
	for (unsigned i = 3; i < 100; i++)
		step(&b, true, true, false);
	period(&b, 100, 100, true);
	cr_assert_eq(b.out.bypass, 0);
	period(&b, 100, 100, false);
	cr_assert_eq(b.out.bypass, 1, "let go in its first cycle it is full");
}

/* A load in every cycle of a period of 2^k cycles: the sum has a bit more than the cycle's number. */
Test(bypass_monitor, a_full_period_overflows_no_counter)
{
	for (uint32_t p = 2; p <= 1024; p *= 2) {
		struct bench b = bench(99, p);

		for (uint32_t i = 0; i + 1 < p; i++) {
			step(&b, true, true, false);
			cr_assert_eq(b.u.loads, i + 1);
		}
		step(&b, true, true, false);
		cr_assert_eq(b.u.bypass, 1, "%u of %u", p, p);
		cr_assert_eq(b.u.loads, 0);
	}
}

/* ---- the rule, of a log of all cycles: nothing is left out in it ---- */

enum { CYCLES = 6000 };
struct logged {
	bool load, miss, held;
};

/* Whether the cache is bypassed in each cycle: by the last period before it that is judged, unless it has been held
 * since. */
static void rule(const struct logged *log, uint32_t rate, uint32_t period, bool *bypass)
{
	bool now = false;

	for (uint32_t c = 0; c < CYCLES; c++) {
		if (c && c % period == 0) {
			double loads = 0, misses = 0;
			bool held = false;

			for (uint32_t i = c - period; i < c; i++) {
				loads += log[i].load;
				misses += log[i].load && log[i].miss;
				held |= log[i].held;
			}
			if (loads > 0 && !held)
				now = misses * 100 > rate * loads;
		}
		now &= !log[c].held;
		bypass[c] = now;
	}
}

/* Cycles that the stimulus left out have no load, and are held as the one before. */
static unsigned agree(uint32_t rate, uint32_t period, uint64_t seed)
{
	struct logged *log = calloc(CYCLES, sizeof *log);
	bool *want = calloc(CYCLES, sizeof *want), held = false;
	struct bypass_monitor_params p = {rate, period};
	struct bypass_monitor_in in;
	struct bypass_stimulus s;
	unsigned changes = 0;

	bypass_stimulus_init(&s, &p, seed);
	for (uint64_t c = 0; c < CYCLES; c = s.cycle + 1) {
		in = bypass_stimulus_next(&s);
		for (; c < s.cycle && c < CYCLES; c++)
			log[c].held = held;
		held = in.hold;
		if (c < CYCLES)
			log[c] = (struct logged){in.acc_valid, in.acc_miss, in.hold};
	}
	rule(log, rate, period, want);
	bypass_stimulus_init(&s, &p, seed);
	for (;;) {
		struct bypass_monitor before = s.u;
		struct bypass_monitor_out out;

		in = bypass_stimulus_next(&s);
		if (s.cycle >= CYCLES)
			break;
		bypass_monitor_eval(&before, &in, &out);
		cr_assert_eq(out.bypass, want[s.cycle], "rate %u, period %u, seed %lu, cycle %lu", rate, period, seed, s.cycle);
		changes += s.cycle && want[s.cycle] != want[s.cycle - 1];
		if (s.cycle && want[s.cycle - 1] && !want[s.cycle])
			cr_assert(out.open, "cycle %lu", s.cycle);
	}
	free(log);
	free(want);
	return changes;
}

Test(bypass_monitor, does_in_every_cycle_what_the_rule_says)
{
	static const uint32_t rate[] = {1, 50, 90, 99}, period[] = {2, 7, 64, 100};
	unsigned changes = 0;

	for (unsigned r = 0; r < 4; r++)
		for (unsigned p = 0; p < 4; p++)
			for (uint64_t seed = 1; seed <= 5; seed++)
				changes += agree(rate[r], period[p], seed);
	cr_assert_gt(changes, 1000);
}
