/* 754: the prefetch unit's Verilog agrees with its golden twin in every output and register, whatever holds its lines
 * back, in every shape, within the protocol and outside it; the three modes give the model the same. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "hw/twins/prefetch_unit.h"
#include "lockstep/cosim.h"
#include "support/prefetch_stimulus.h"

static const struct prefetch_unit_params shape[] = {{2, 1, 1, 8, 1, 2, 1, 0, 0},
						    {5, 3, 4, 12, 12, 32, 3, 1023, 1023},
						    {16, 8, 32, 48, 32, 128, 8, 8, 2},
						    {3, 5, 7, 64, 32, 128, 16, 3, 4}};
enum { SHAPES = sizeof shape / sizeof shape[0] };

static struct cosim *new_cosim(enum unit_mode mode)
{
	struct cosim_options o;

	cosim_options_init(&o, mode);
	return cosim_new(&o);
}

static struct prefetch_unit_port bound(struct cosim *c, const struct prefetch_unit_params *p)
{
	struct hw_binder b = cosim_binder(c);
	struct prefetch_unit_port port;
	struct err e = {""};

	cr_assert_eq(prefetch_unit_bind(&b, "test", p, &port, &e), 0, "%s", e.text);
	return port;
}

/* Directed: two distances, a tile, a miss by the first, a second tile, a miss by the second; an access and one that
 * waits hold them back; the first is issued, the second is there. */
static void direct(const struct prefetch_unit_port *port)
{
	static const struct prefetch_unit_in in[] = {
		{.wr_valid = 1, .wr_distance = 64},
		{.wr_valid = 1, .wr_slot = 1, .wr_distance = 32},
		{.cta_valid = 1, .cta_tile = 1},
		{.acc_valid = 1, .acc_missed = 1, .acc_prefetch = 2, .acc_addr = 8, .acc_bound = 200, .cta_valid = 1},
		{.acc_valid = 1, .acc_missed = 1, .acc_prefetch = 2, .acc_addr = 8, .acc_bound = 200},
		{.acc_wait = 1, .look_known = 1, .look_way = 1, .free_mshrs = 9, .free_queue = 9},
		{.look_known = 1, .look_way = 1, .free_mshrs = 9, .free_queue = 9, .cta_valid = 1, .cta_end = 1},
		{.look_known = 1, .look_there = 1, .look_way = 1, .free_mshrs = 9, .free_queue = 9},
		{.look_known = 1, .look_way = 1, .free_mshrs = 9, .free_queue = 9},
	};
	/* kept, look_valid, look_line, issue, drop */
	static const uint8_t want[][5] = {{0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, {1, 0, 0, 0, 0}, {1, 1, 4, 0, 0},
					  {0, 1, 4, 0, 0}, {0, 1, 4, 1, 0}, {0, 1, 2, 0, 1}, {0, 0, 2, 0, 0}};

	for (unsigned i = 0; i < sizeof in / sizeof in[0]; i++) {
		struct prefetch_unit_out o;

		prefetch_unit_port_step(port, i, &in[i], &o);
		cr_assert(o.acc_kept == want[i][0] && o.look_valid == want[i][1] && o.look_line == want[i][2] &&
				  o.issue == want[i][3] && o.drop == want[i][4],
			  "step %u", i);
	}
}

Test(prefetch_unit_lockstep, a_directed_sequence_agrees)
{
	static const struct prefetch_unit_params p = {3, 2, 4, 12, 8, 16, 2, 1, 1};

	for (int mode = 0; mode < 2; mode++) {
		struct cosim *c = new_cosim(mode ? UNIT_RTL : UNIT_LOCKSTEP);
		struct prefetch_unit_port port = bound(c, &p);
		struct err e = {""};

		direct(&port);
		cr_assert_eq(cosim_finish(c, &e), 0, "%s", e.text);
		cosim_free(c);
	}
}

static uint64_t drive(enum unit_mode mode, const struct prefetch_unit_params *p, uint64_t seed)
{
	struct cosim *c = new_cosim(mode);
	struct prefetch_unit_port port = bound(c, p);
	struct prefetch_stimulus s;
	struct err e = {""};
	uint64_t hash = 0;

	prefetch_stimulus_init(&s, p, seed);
	s.wild = seed % 3 == 0;
	for (uint64_t n = 0; n < 3000; n++) {
		struct prefetch_unit_in in = prefetch_stimulus_next(&s);
		struct prefetch_unit_out out;

		prefetch_unit_port_step(&port, n, &in, &out);
		hash = (hash ^ out.look_line ^ (uint64_t)(out.acc_kept | out.issue << 1 | out.drop << 2 | out.why << 3) << 58) *
		       0x9e3779b97f4a7c15;
	}
	cr_assert_eq(cosim_finish(c, &e), 0, "%s", e.text);
	if (mode == UNIT_LOCKSTEP) {
		cr_assert_eq(cosim_steps(c, &prefetch_unit_block), 3001, "the reset and all steps");
		cr_assert_eq(cosim_mismatches(c, &prefetch_unit_block), 0);
	}
	cosim_free(c);
	return hash;
}

Test(prefetch_unit_lockstep, random_steps_agree_and_give_the_model_the_same_in_all_modes)
{
	for (unsigned i = 0; i < SHAPES; i++)
		for (uint64_t seed = 1; seed <= 3; seed++) {
			uint64_t golden = drive(UNIT_GOLDEN, &shape[i], seed);

			cr_assert_eq(drive(UNIT_RTL, &shape[i], seed), golden, "shape %u, seed %u", i, (unsigned)seed);
			cr_assert_eq(drive(UNIT_LOCKSTEP, &shape[i], seed), golden, "shape %u, seed %u", i, (unsigned)seed);
		}
}

Test(prefetch_unit_lockstep, random_steps_with_resets_between_agree_from_any_random_start)
{
	static const struct prefetch_unit_params p = {3, 3, 3, 12, 9, 16, 3, 2, 1};

	for (uint64_t seed = 1; seed <= 5; seed++) {
		struct prefetch_stimulus t;
		uint64_t words[32];
		struct scenario s;
		struct bind_rtl lib;
		struct err e = {""};

		scenario_init(&s, &prefetch_unit_block, &p);
		s.seed = seed;
		s.unique_x = true;
		prefetch_stimulus_init(&t, &p, seed);
		t.wild = seed & 1;
		for (uint64_t i = 0; i < 5000; i++) {
			struct prefetch_unit_in in = prefetch_stimulus_next(&t);

			bind_pack(&s.layout.side[HW_INPUT], &in, words);
			stim_append(&s.stim, i, i % 500 == 0, words);
		}
		cr_assert_eq(scenario_open(&s, &lib, &e), 0, "%s", e.text);
		cr_assert_not(scenario_run(&s, lib.abi, NULL).failed, "seed %u", (unsigned)seed);
		scenario_free(&s);
		bind_close(&lib);
	}
}
