/* 751: pin_replacement's Verilog agrees with its golden twin in every output and register, under back-pressure, in
 * every shape, within the protocol and outside it; and the three modes give the model the same victims. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hw/twins/pin_replacement.h"
#include "lockstep/cosim.h"
#include "support/pin_rule.h"
#include "support/program.h"
#include "support/random.h"

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

Test(pin_replacement_lockstep, every_shape_agrees_whatever_the_back_pressure, .timeout = 600)
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

static void random_in(struct pin_replacement_in *in, uint64_t *x, const struct pin_replacement_params *p, uint32_t *now)
{
	uint64_t r = random_u64(x), s = random_u64(x);
	uint32_t sets = (1u << pin_replacement_bits(p->sets)) - 1, ways = (1u << pin_replacement_bits(p->ways)) - 1;

	*now += s % 64 ? 1 : (uint32_t)(s >> 32); /* the counter may jump */
	*in = (struct pin_replacement_in){
		.now = *now,
		.req_valid = r & 1,
		.req_set = (uint32_t)(r >> 1) & sets,
		.req_bypass = (r >> 56 & 7) == 0,
		.rsp_ready = r >> 10 & 1,
		.op_valid = (r >> 11 & 3) != 0,
		.op_kind = r >> 13 & 31 ? (uint8_t)((r >> 18 & 7) % 3) : PIN_OP_DROP_ALL,
		.op_set = (uint32_t)(r >> 21) & sets,
		.op_way = (uint32_t)(r >> 30) & ways,
		.op_reserve = r >> 35 & 1,
		.op_pin = r >> 36 & 3,
		.fill_valid = r >> 38 & 1,
		.fill_set = (uint32_t)(r >> 39) & sets,
		.fill_way = (uint32_t)(r >> 50) & ways,
		.fill_drop = r >> 55 & 1,
	};
}

Test(pin_replacement_lockstep, random_steps_with_resets_between_agree_from_any_random_start, .timeout = 300)
{
	static const struct pin_replacement_params shape[] = {{1, 1, 3}, {1, 3, 10}, {2, 4, 40}, {8, 5, 25}};

	for (uint64_t seed = 1; seed <= 8; seed++) {
		const struct pin_replacement_params *p = &shape[seed % 4];
		uint64_t words[64], x = seed;
		uint32_t now = UINT32_MAX - 3000;
		struct scenario s;
		struct bind_rtl lib;
		struct err e = {""};
		struct pin_replacement_in in;

		scenario_init(&s, &pin_replacement_block, p);
		s.seed = seed;
		s.unique_x = true;
		for (uint64_t i = 0; i < 10000; i++) {
			random_in(&in, &x, p, &now);
			bind_pack(&s.layout.side[HW_INPUT], &in, words);
			stim_append(&s.stim, i, i % 2000 == 0, words);
		}
		cr_assert_eq(scenario_open(&s, &lib, &e), 0, "%s", e.text);
		cr_assert_not(scenario_run(&s, lib.abi, NULL).failed, "seed %llu", (unsigned long long)seed);
		scenario_free(&s);
		bind_close(&lib);
	}
}
