/* 751: pin_replacement's Verilog agrees with its golden twin in every output and register, under back-pressure, in
 * every shape, within the protocol and outside it; and the three modes give the model the same victims. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hw/twins/pin_replacement.h"
#include "lockstep/cosim.h"
#include "support/corner_scenario.h"
#include "support/pin_rule.h"
#include "support/program.h"

enum { STEPS = 4000 };

/* What the model sees of a run: the victims, the ends of pins. */
static uint64_t run(enum unit_mode mode, const struct pin_replacement_params *p, uint64_t seed, unsigned ready_in, bool gaps)
{
	static struct pin_traffic t;
	struct pin_replacement_port port;
	struct cosim_options o;
	struct hw_binder binder;
	struct err e = {""};
	struct cosim *c;
	uint64_t hash = 0;

	cosim_options_init(&o, mode);
	o.bundle_prefix = program_tmp();
	c = cosim_new(&o);
	binder = cosim_binder(c);
	cr_assert_eq(pin_replacement_bind(&binder, "sm0.l1", p, &port, &e), 0, "%s", e.text);
	pin_traffic_init(&t, p, seed, ready_in);
	t.gaps = gaps;
	for (unsigned i = 0; i < STEPS; i++) {
		struct pin_replacement_out out;

		pin_replacement_port_step(&port, t.cycle, &t.in, &out);
		hash = (hash ^ (out.rsp_valid * 0x100u | out.rsp_found * 0x80u | out.unpin * 0x40u | out.rsp_way)) *
		       0x9e3779b97f4a7c15u;
		pin_traffic_next(&t, &out);
	}
	cr_assert_eq(cosim_finish(c, &e), 0, "%u x %u, seed %llu: %s", p->sets, p->ways, (unsigned long long)seed, e.text);
	cr_assert_eq(cosim_mismatches(c, &pin_replacement_block), 0);
	if (mode == UNIT_LOCKSTEP)
		cr_assert_eq(cosim_steps(c, &pin_replacement_block), STEPS + 1, "the reset and each step");
	cosim_free(c);
	return hash;
}

Test(pin_replacement_lockstep, every_shape_agrees_whatever_the_back_pressure)
{
	static const struct pin_replacement_params shape[] = {{1, 1, 50},  {1, 2, 100},	    {1, 4, 300},  {1, 16, 400},
							      {4, 3, 200}, {32, 4, 100000}, {64, 6, 1000}};

	for (unsigned i = 0; i < sizeof shape / sizeof shape[0]; i++)
		for (uint64_t seed = 1; seed <= 6; seed++)
			run(UNIT_LOCKSTEP, &shape[i], seed, 1 + seed % 5, seed & 1);
}

Test(pin_replacement_lockstep, the_three_modes_give_the_model_the_same)
{
	static const struct pin_replacement_params p = {32, 4, 500};

	for (uint64_t seed = 1; seed <= 3; seed++) {
		uint64_t golden = run(UNIT_GOLDEN, &p, seed, 3, true);

		cr_assert_eq(run(UNIT_RTL, &p, seed, 3, true), golden);
		cr_assert_eq(run(UNIT_LOCKSTEP, &p, seed, 3, true), golden);
	}
}

/* ---- all inputs at random, in and out of the protocol, from random bits ---- */

Test(pin_replacement_lockstep, random_steps_with_resets_between_agree_from_any_random_start)
{
	static const struct pin_replacement_params shape[] = {{1, 1, 3}, {1, 3, 10}, {2, 4, 40}, {8, 5, 25}};

	for (uint64_t seed = 1; seed <= 8; seed++)
		corner_scenario_agrees_from_any_start(&pin_replacement_block, &shape[seed % 4], seed);
}
