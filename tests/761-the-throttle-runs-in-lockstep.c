/* 761: the Verilog of DWT-CS's hardware agrees with its golden twins in every output and register: periods, launches
 * and orders in any order, votes that lie close together, orders that have to wait, in every shape, within the protocol
 * and outside it; the three modes give the model the same. */
#include <criterion/criterion.h>

#include "lockstep/cosim.h"
#include "lockstep/scenario.h"
#include "support/throttle_stimulus.h"

enum { STEPS = 3000 };

static struct cosim *new_cosim(enum unit_mode mode)
{
	struct cosim_options o;

	cosim_options_init(&o, mode);
	return cosim_new(&o);
}

static void finish(struct cosim *c, enum unit_mode mode, const struct hw_block *b, uint64_t steps)
{
	struct err e = {""};

	cr_assert_eq(cosim_finish(c, &e), 0, "%s", e.text);
	if (mode == UNIT_LOCKSTEP) {
		cr_assert_eq(cosim_steps(c, b), steps + 1, "the reset and all steps");
		cr_assert_eq(cosim_mismatches(c, b), 0);
	}
	cosim_free(c);
}

static uint64_t mixed(uint64_t hash, uint64_t with)
{
	return (hash ^ with) * 0x9e3779b97f4a7c15;
}

/* Directed, as in test 667: a period's message, a sampling, its vote, and no answer. */
Test(throttle_lockstep, a_directed_sequence_agrees)
{
	static const struct throttle_params p = {2, 10, 2, 3, 8, 4, 2};
	struct cosim *c = new_cosim(UNIT_LOCKSTEP);
	struct hw_binder b = cosim_binder(c);
	struct throttle_port port;
	struct throttle_out o;
	struct err e = {""};
	unsigned messages = 0;

	cr_assert_eq(throttle_bind(&b, "test", &p, &port, &e), 0, "%s", e.text);
	for (uint32_t n = 0; n < 60; n++) {
		struct throttle_in in = {.now = n, .commits = n & 15};

		if (n == 0)
			in.beg_valid = in.beg_on = in.beg_slot = 1;
		in.ord_valid = n == 12;
		in.ord_slot = 1;
		in.ord_mode = THROTTLE_SAMPLE;
		in.ord_limit = 6;
		throttle_port_step(&port, n, &in, &o);
		messages += o.msg_valid;
		cr_assert_eq(o.msg_valid, n == 9 || n == 29 || n == 49 || n == 59, "%u", n);
		cr_assert_eq(o.limited, n > 12 && n <= 39, "%u", n);
	}
	cr_assert_eq(messages, 4);
	finish(c, UNIT_LOCKSTEP, &throttle_block, 60);
}

/* Counters of 32 bits are full after 2^20 cycles of the most commits, and stay so. */
Test(throttle_lockstep, counters_of_32_bits_stop_at_their_largest_value)
{
	enum { COMMITS = (1 << 12) - 1, FULL = UINT32_MAX / COMMITS, DUE = 6 };
	static const struct throttle_params p = {5, 7, 2, 0, 32, 12, 6};
	struct cosim *c = new_cosim(UNIT_LOCKSTEP);
	struct hw_binder b = cosim_binder(c);
	struct throttle_port port;
	struct throttle_out o;
	struct err e = {""};
	uint32_t n = 0;

	cr_assert_eq(throttle_bind(&b, "test", &p, &port, &e), 0, "%s", e.text);
	for (; n < FULL + 8; n++) { /* cycle DUE, in which the period ends, is passed over */
		struct throttle_in in = {.now = n ? 100 : 0, .commits = COMMITS, .beg_valid = !n, .beg_on = !n, .beg_most = 6};

		throttle_port_step(&port, n, &in, &o);
	}
	throttle_port_step(&port, n, &(struct throttle_in){.now = DUE}, &o);
	cr_assert(o.msg_valid);
	cr_assert_eq(o.msg_commits, UINT32_MAX);
	finish(c, UNIT_LOCKSTEP, &throttle_block, n + 1);
}

static uint64_t drive_throttle(enum unit_mode mode, const struct throttle_params *p, uint64_t seed)
{
	struct cosim *c = new_cosim(mode);
	struct hw_binder b = cosim_binder(c);
	struct throttle_stimulus s;
	struct throttle_port port;
	struct err e = {""};
	uint64_t hash = 0;

	cr_assert_eq(throttle_bind(&b, "test", p, &port, &e), 0, "%s", e.text);
	throttle_stimulus_init(&s, p, seed);
	s.wild = seed % 3 == 0;
	for (uint64_t n = 0; n < STEPS; n++) {
		struct throttle_in in = throttle_stimulus_next(&s);
		struct throttle_out o;

		throttle_port_step(&port, n, &in, &o);
		hash = mixed(hash,
			     o.msg_valid | o.limited << 1 | o.hold << 2 | (uint64_t)o.limit << 3 | (uint64_t)o.msg_commits << 32);
	}
	finish(c, mode, &throttle_block, STEPS);
	return hash;
}

static uint64_t drive_coordinator(enum unit_mode mode, const struct throttle_coordinator_params *p, uint64_t seed)
{
	struct cosim *c = new_cosim(mode);
	struct hw_binder b = cosim_binder(c);
	struct throttle_coordinator_port port;
	struct coordinator_stimulus s;
	struct err e = {""};
	uint64_t hash = 0;

	cr_assert_eq(throttle_coordinator_bind(&b, "test", p, &port, &e), 0, "%s", e.text);
	coordinator_stimulus_init(&s, p, seed);
	s.wild = seed % 3 == 0;
	for (uint64_t n = 0; n < STEPS; n++) {
		struct throttle_coordinator_in in = coordinator_stimulus_next(&s);
		struct throttle_coordinator_out o;

		throttle_coordinator_port_step(&port, n, &in, &o);
		hash = mixed(hash, o.turn | o.ord_valid << 8 | o.ord_mode << 9 | (uint64_t)o.ord_limit << 11 |
					   (uint64_t)o.dec_winner << 18);
	}
	finish(c, mode, &throttle_coordinator_block, STEPS);
	return hash;
}

Test(throttle_lockstep, random_steps_agree_and_give_the_model_the_same_in_all_modes)
{
	static const struct throttle_params t[] = {{8, 10000, 4, 256, 32, 9, 2}, {1, 2, 1, 0, 4, 1, 1}, {5, 50, 3, 2, 9, 5, 3}};
	static const struct throttle_coordinator_params k[] = {
		{15, 8, 2, 10, 0, 0, 32}, {2, 1, 1, 0, 0, 0, 4}, {5, 3, 3, 100, 1000, 0, 9}, {7, 5, 2, 30, 0, 1, 20}};

	for (uint64_t seed = 1; seed <= 3; seed++) {
		for (unsigned i = 0; i < sizeof t / sizeof t[0]; i++) {
			uint64_t golden = drive_throttle(UNIT_GOLDEN, &t[i], seed);

			cr_assert_eq(drive_throttle(UNIT_RTL, &t[i], seed), golden, "shape %u, seed %u", i, (unsigned)seed);
			cr_assert_eq(drive_throttle(UNIT_LOCKSTEP, &t[i], seed), golden, "shape %u, seed %u", i, (unsigned)seed);
		}
		for (unsigned i = 0; i < sizeof k / sizeof k[0]; i++) {
			uint64_t golden = drive_coordinator(UNIT_GOLDEN, &k[i], seed);

			cr_assert_eq(drive_coordinator(UNIT_RTL, &k[i], seed), golden, "shape %u, seed %u", i, (unsigned)seed);
			cr_assert_eq(drive_coordinator(UNIT_LOCKSTEP, &k[i], seed), golden, "shape %u, seed %u", i, (unsigned)seed);
		}
	}
}

static void runs_from_any_start(const struct hw_block *b, uint64_t seed)
{
	static const struct throttle_params tp = {3, 20, 2, 2, 8, 4, 3};
	static const struct throttle_coordinator_params kp = {4, 3, 2, 20, 0, 0, 8};
	struct throttle_stimulus t;
	struct coordinator_stimulus k;
	struct scenario s;
	struct bind_rtl lib;
	struct err e = {""};
	uint64_t words[32];

	scenario_init(&s, b, b == &throttle_block ? (const void *)&tp : &kp);
	s.seed = seed;
	s.unique_x = true;
	throttle_stimulus_init(&t, &tp, seed);
	coordinator_stimulus_init(&k, &kp, seed);
	for (uint64_t i = 0; i < 5000; i++) {
		struct throttle_in ti = throttle_stimulus_next(&t);
		struct throttle_coordinator_in ki = coordinator_stimulus_next(&k);

		bind_pack(&s.layout.side[HW_INPUT], b == &throttle_block ? (const void *)&ti : &ki, words);
		stim_append(&s.stim, i, i % 500 == 0, words);
	}
	cr_assert_eq(scenario_open(&s, &lib, &e), 0, "%s", e.text);
	cr_assert_not(scenario_run(&s, lib.abi, NULL).failed, "seed %u", (unsigned)seed);
	scenario_free(&s);
	bind_close(&lib);
}

Test(throttle_lockstep, random_steps_with_resets_between_agree_from_any_random_start)
{
	for (uint64_t seed = 1; seed <= 4; seed++) {
		runs_from_any_start(&throttle_block, seed);
		runs_from_any_start(&throttle_coordinator_block, seed);
	}
}
