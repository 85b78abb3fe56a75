/* 744: the locality table's Verilog agrees with its golden twin in every output and register, whatever the
 * back-pressure; a program runs to the same bytes with either and with both, and the wave of a run shows the two
 * side by side. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "hw/twins/locality_table.h"
#include "lockstep/cosim.h"
#include "support/cosim_program.h"
#include "support/locality_stimulus.h"

static struct cosim *new_cosim(enum unit_mode mode)
{
	struct cosim_options o;

	cosim_options_init(&o, mode);
	return cosim_new(&o);
}

static struct locality_table_port bound(struct cosim *c, const struct locality_table_params *p)
{
	struct hw_binder b = cosim_binder(c);
	struct locality_table_port port;
	struct err e = {""};

	cr_assert_eq(locality_table_bind(&b, "test", p, &port, &e), 0, "%s", e.text);
	return port;
}

/* Directed: write, ask twice and a third time in vain, rewrite while the answers wait, take them. */
static void direct(const struct locality_table_port *port)
{
	static const struct locality_table_in step[] = {
		{.wr_valid = 1,
		 .wr_index = 1,
		 .wr_used = 1,
		 .wr_base = 16,
		 .wr_bound = 32,
		 .wr_prio = 1,
		 .wr_caching = 2,
		 .wr_distance = 1},
		{.wr_valid = 1,
		 .wr_index = 0,
		 .wr_used = 1,
		 .wr_base = 24,
		 .wr_bound = 40,
		 .wr_prio = 1,
		 .wr_caching = 3,
		 .wr_prefetch = 1},
		{.look_valid = 1, .look_addr = 24},
		{.look_valid = 1, .look_addr = 40},
		{.look_valid = 1, .look_addr = 16},
		{.look_valid = 1, .look_addr = 16, .wr_valid = 1, .wr_index = 0},
		{.look_valid = 1, .look_addr = 16, .ans_ready = 1},
		{.look_valid = 1, .look_addr = 24, .ans_ready = 1},
		{.ans_ready = 1},
		{.ans_ready = 1},
	};
	struct locality_table_out out;
	static const uint8_t want[10][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {1, 1, 3}, {1, 1, 3},
					    {1, 1, 3}, {1, 1, 3}, {1, 0, 0}, {1, 1, 2}, {0, 0, 0}};

	for (unsigned i = 0; i < 10; i++) {
		locality_table_port_step(port, i, &step[i], &out);
		cr_assert_eq(out.ans_valid, want[i][0], "step %u", i);
		cr_assert(!out.ans_valid || (out.ans_match == want[i][1] && out.ans_caching == want[i][2]), "step %u", i);
	}
}

Test(locality_table_lockstep, a_directed_sequence_agrees_at_the_corner_shapes)
{
	static const struct locality_table_params shape[] = {{2, 8, 1, 1}, {5, 12, 3, 7}, {16, 48, 8, 32}, {32, 64, 8, 32}};

	for (unsigned i = 0; i < 4; i++)
		for (int mode = 0; mode < 2; mode++) {
			struct cosim *c = new_cosim(mode ? UNIT_RTL : UNIT_LOCKSTEP);
			struct locality_table_port port = bound(c, &shape[i]);
			struct err e = {""};

			direct(&port);
			cr_assert_eq(cosim_finish(c, &e), 0, "%s", e.text);
			cosim_free(c);
		}
}

/* A golden table beside the port gives the stimulus its entries. */
static uint64_t drive(enum unit_mode mode, const struct locality_table_params *p, uint64_t seed)
{
	struct cosim *c = new_cosim(mode);
	struct locality_table_port port = bound(c, p);
	struct locality_table t;
	struct err e = {""};
	uint64_t hash = 0;

	locality_table_reset(&t, p);
	for (uint64_t n = 0; n < 4000; n++) {
		struct locality_table_in in = locality_stimulus(&t, n, &seed);
		struct locality_table_out out;

		locality_table_port_step(&port, n, &in, &out);
		locality_table_tick(&t, &in);
		hash = (hash ^ out.ans_index ^ (uint64_t)out.ans_valid << 40 ^ (uint64_t)out.look_ready << 41 ^ out.ans_bound) *
		       0x9e3779b97f4a7c15;
	}
	cr_assert_eq(cosim_finish(c, &e), 0, "%s", e.text);
	if (mode == UNIT_LOCKSTEP) {
		cr_assert_eq(cosim_steps(c, &locality_table_block), 4001, "the reset and all steps");
		cr_assert_eq(cosim_mismatches(c, &locality_table_block), 0);
	}
	cosim_free(c);
	return hash;
}

Test(locality_table_lockstep, random_steps_agree_and_give_the_model_the_same_in_all_modes)
{
	static const struct locality_table_params shape[] = {{2, 8, 1, 1}, {5, 12, 3, 7}, {16, 48, 8, 32}, {32, 64, 8, 32}};

	for (unsigned i = 0; i < 4; i++)
		for (uint64_t seed = 1; seed <= 3; seed++) {
			uint64_t golden = drive(UNIT_GOLDEN, &shape[i], seed);

			cr_assert_eq(drive(UNIT_RTL, &shape[i], seed), golden, "shape %u, seed %lu", i, seed);
			cr_assert_eq(drive(UNIT_LOCKSTEP, &shape[i], seed), golden, "shape %u, seed %lu", i, seed);
		}
}

Test(locality_table_lockstep, random_steps_with_resets_between_agree_from_any_random_start)
{
	static const struct locality_table_params p = {3, 9, 2, 5};

	for (uint64_t seed = 1; seed <= 5; seed++) {
		uint64_t words[16], x = seed;
		struct locality_table t;
		struct scenario s;
		struct bind_rtl lib;
		struct err e = {""};

		locality_table_reset(&t, &p);
		scenario_init(&s, &locality_table_block, &p);
		s.seed = seed;
		s.unique_x = true;
		for (uint64_t i = 0; i < 5000; i++) {
			struct locality_table_in in = locality_stimulus(&t, i, &x);

			locality_table_tick(&t, &in);
			bind_pack(&s.layout.side[HW_INPUT], &in, words);
			stim_append(&s.stim, i, i % 500 == 0, words);
		}
		cr_assert_eq(scenario_open(&s, &lib, &e), 0, "%s", e.text);
		cr_assert_not(scenario_run(&s, lib.abi, NULL).failed, "seed %lu", seed);
		scenario_free(&s);
		bind_close(&lib);
	}
}

/* ---- at the L1s of a machine ---- */

Test(locality_table_lockstep, a_program_runs_to_the_same_bytes_golden_in_rtl_and_in_lockstep)
{
	cosim_program_agrees("locality_table", "histo --size test --plan ldesc-cache+ldesc-pref");
	cosim_program_agrees("locality_table", "histo --size test --plan ldesc --machine mcm4");
	cosim_program_agrees("locality_table", "transpose --size test --plan ldesc,l2=bypass --machine mcm4");
}

#define HISTO "histo --size test --plan ldesc-cache"

Test(locality_table_lockstep, a_faulty_block_ends_with_status_1_a_report_and_a_bundle)
{
	cosim_program_catches("locality_table", HISTO, "s/caching_q\\[index/prefetch_q[index/", NULL);
}

Test(locality_table_lockstep, waves_show_entries_and_answers_on_both_sides_and_open_where_they_are)
{
	static const char *const shown[] = {"TOP.cosim.look_addr_i[47:0]", "TOP.cosim.golden.ans_index_o[3:0]",
					    "TOP.cosim.rtl.ans_caching_o[1:0]", "TOP.cosim.wr_valid_i\n"};
	char *wave = cosim_program_wave("locality_table", HISTO, "");

	cosim_program_same(wave, "used_q", 2);
	cosim_program_same(wave, "bound_q", 2);
	cosim_program_same(wave, "ans_valid_q", 20);
	cosim_program_same(wave, "ans_match_o", 2);
	free(wave);
	cosim_program_shows(shown, sizeof shown / sizeof shown[0]);
}
