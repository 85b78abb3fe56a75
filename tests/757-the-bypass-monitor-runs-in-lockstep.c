/* 757: the bypass monitor's Verilog agrees with its golden twin in every output and register, in every shape, whatever
 * cycles are left out, within the protocol and outside it; the three modes give the model the same. */
#include <criterion/criterion.h>

#include "lockstep/cosim.h"
#include "lockstep/scenario.h"
#include "support/bypass_stimulus.h"

static const struct bypass_monitor_params shape[] = {{1, 2}, {50, 64}, {99, 7}, {90, 10000}, {90, 1u << 30}};
enum { SHAPES = sizeof shape / sizeof shape[0] };

static struct cosim *new_cosim(enum unit_mode mode)
{
	struct cosim_options o;

	cosim_options_init(&o, mode);
	return cosim_new(&o);
}

static struct bypass_monitor_port bound(struct cosim *c, const struct bypass_monitor_params *p)
{
	struct hw_binder b = cosim_binder(c);
	struct bypass_monitor_port port;
	struct err e = {""};

	cr_assert_eq(bypass_monitor_bind(&b, "test", p, &port, &e), 0, "%s", e.text);
	return port;
}

/* Directed, periods of 4: two misses of two; a hit of one, which opens; a miss; a hold within it; a hold let go with a
 * period; a miss in that period's last cycle. Cycles 9, 10 and 25 are left out. */
static void direct(const struct bypass_monitor_port *port)
{
	static const struct {
		uint64_t cycle;
		bool load, miss, hold, bypass, open;
	} at[] = {
		{0, 1, 1, 0, 0, 0},  {1, 0, 1, 0, 0, 0},  {2, 1, 1, 0, 0, 0},  {3, 0, 0, 0, 0, 0},  {4, 0, 0, 0, 1, 0},
		{5, 1, 0, 0, 1, 0},  {7, 0, 0, 0, 1, 0},  {8, 1, 1, 0, 0, 1},  {11, 0, 0, 0, 0, 0}, {12, 0, 0, 0, 1, 0},
		{13, 1, 1, 1, 0, 1}, {14, 1, 1, 0, 0, 0}, {15, 1, 1, 0, 0, 0}, {16, 1, 1, 0, 0, 0}, {19, 0, 0, 1, 0, 0},
		{20, 1, 1, 0, 0, 0}, {23, 1, 1, 0, 0, 0}, {24, 0, 0, 0, 1, 0}, {27, 1, 0, 0, 1, 0}, {28, 0, 0, 1, 0, 1},
	};

	for (unsigned i = 0; i < sizeof at / sizeof at[0]; i++) {
		struct bypass_monitor_in in = {at[i].cycle % 4, at[i].load, at[i].miss, at[i].hold};
		struct bypass_monitor_out out;

		bypass_monitor_port_step(port, at[i].cycle, &in, &out);
		cr_assert(out.bypass == at[i].bypass && out.open == at[i].open, "cycle %lu", at[i].cycle);
	}
}

Test(bypass_monitor_lockstep, a_directed_sequence_agrees)
{
	static const struct bypass_monitor_params p = {50, 4};

	for (int mode = 0; mode < 2; mode++) {
		struct cosim *c = new_cosim(mode ? UNIT_RTL : UNIT_LOCKSTEP);
		struct bypass_monitor_port port = bound(c, &p);
		struct err e = {""};

		direct(&port);
		cr_assert_eq(cosim_finish(c, &e), 0, "%s", e.text);
		cosim_free(c);
	}
}

static uint64_t drive(enum unit_mode mode, const struct bypass_monitor_params *p, uint64_t seed)
{
	struct cosim *c = new_cosim(mode);
	struct bypass_monitor_port port = bound(c, p);
	struct bypass_stimulus s;
	struct err e = {""};
	uint64_t hash = 0;

	bypass_stimulus_init(&s, p, seed);
	s.wild = seed % 3 == 0;
	for (uint64_t n = 0; n < 3000; n++) {
		struct bypass_monitor_in in = bypass_stimulus_next(&s);
		struct bypass_monitor_out out;

		bypass_monitor_port_step(&port, s.cycle, &in, &out);
		hash = (hash ^ (uint64_t)(out.bypass | out.open << 1 | out.busy << 2)) * 0x9e3779b97f4a7c15;
	}
	cr_assert_eq(cosim_finish(c, &e), 0, "%s", e.text);
	if (mode == UNIT_LOCKSTEP) {
		cr_assert_eq(cosim_steps(c, &bypass_monitor_block), 3001, "the reset and all steps");
		cr_assert_eq(cosim_mismatches(c, &bypass_monitor_block), 0);
	}
	cosim_free(c);
	return hash;
}

Test(bypass_monitor_lockstep, random_steps_agree_and_give_the_model_the_same_in_all_modes)
{
	for (unsigned i = 0; i < SHAPES; i++)
		for (uint64_t seed = 1; seed <= 3; seed++) {
			uint64_t golden = drive(UNIT_GOLDEN, &shape[i], seed);

			cr_assert_eq(drive(UNIT_RTL, &shape[i], seed), golden, "shape %u, seed %lu", i, seed);
			cr_assert_eq(drive(UNIT_LOCKSTEP, &shape[i], seed), golden, "shape %u, seed %lu", i, seed);
		}
}

Test(bypass_monitor_lockstep, random_steps_with_resets_between_agree_from_any_random_start)
{
	static const struct bypass_monitor_params p = {75, 12};

	for (uint64_t seed = 1; seed <= 5; seed++) {
		struct bypass_stimulus t;
		uint64_t words[8];
		struct scenario s;
		struct bind_rtl lib;
		struct err e = {""};

		scenario_init(&s, &bypass_monitor_block, &p);
		s.seed = seed;
		s.unique_x = true;
		bypass_stimulus_init(&t, &p, seed);
		t.wild = seed & 1;
		for (uint64_t i = 0; i < 5000; i++) {
			struct bypass_monitor_in in = bypass_stimulus_next(&t);

			bind_pack(&s.layout.side[HW_INPUT], &in, words);
			stim_append(&s.stim, t.cycle, i % 500 == 0, words);
		}
		cr_assert_eq(scenario_open(&s, &lib, &e), 0, "%s", e.text);
		cr_assert_not(scenario_run(&s, lib.abi, NULL).failed, "seed %lu", seed);
		scenario_free(&s);
		bind_close(&lib);
	}
}
