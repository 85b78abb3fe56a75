/* 744: the locality table's Verilog agrees with its golden twin in every output and register, whatever the
 * back-pressure; a program runs to the same bytes with either and with both, and the wave of a run shows the two
 * side by side. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hw/twins/locality_table.h"
#include "lockstep/cosim.h"
#include "support/locality_stimulus.h"
#include "support/program.h"
#include "support/vcd.h"

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

Test(locality_table_lockstep, a_program_runs_to_the_same_bytes_golden_in_rtl_and_in_lockstep, .timeout = 300)
{
	static const char *const model[] = {"histo --size test --plan ldesc-cache+ldesc-pref",
					    "histo --size test --plan ldesc --machine mcm4",
					    "transpose --size test --plan ldesc,l2=bypass --machine mcm4"};

	for (unsigned i = 0; i < 3; i++) {
		struct program p = program_run("cd %s && for m in golden rtl lockstep; do locus cosim %s --hw locality_table=$m "
					       "--json $m.json || exit 3; done && "
					       "locus run %s --json run.json && cmp golden.json rtl.json && cmp golden.json "
					       "lockstep.json && cmp golden.json "
					       "run.json",
					       program_tmp(), model[i], model[i]);
		const char *line = strstr(p.out, "locality_table   lockstep ");

		cr_assert_eq(p.status, 0, "%s%s", p.out, p.err);
		cr_assert(line && strchr(line, '\n')[-1] == '0' && strchr(line, '\n')[-2] == ' ', "%s", p.out);
		program_free(&p);
	}
}

Test(locality_table_lockstep, cycles_left_out_change_nothing)
{
	struct program p =
		program_run("cd %s && for m in '' --no-skip; do locus cosim histo --size test --plan ldesc-cache $m --hw "
			    "locality_table=lockstep --json r$m.json || exit 3; done && cmp r.json r--no-skip.json",
			    program_tmp());

	cr_assert_eq(p.status, 0, "%s%s", p.out, p.err);
	program_free(&p);
}

Test(locality_table_lockstep, a_faulty_block_ends_with_status_1_a_report_and_a_bundle)
{
	struct program p =
		program_run("cd %s && sed 's/caching_q\\[index/prefetch_q[index/' $OLDPWD/rtl/locality_table/locality_table.v "
			    ">locality_table.v; "
			    "locus cosim histo --size test --plan ldesc-cache --rtl locality_table=locality_table.v --hw "
			    "locality_table=lockstep",
			    program_tmp());
	cr_assert_eq(p.status, 1, "%s", p.err);
	cr_assert(strstr(p.out, "MISMATCH locality_table of sm"), "%s", p.out);
	program_free(&p);
	p = program_run("cd %s; locus replay mismatch-locality_table-*", program_tmp());
	cr_assert_eq(p.status, 1, "%s", p.err);
	program_free(&p);
}

/* ---- waves ---- */

/* The same changes at the same times on both sides, at least so many. */
static void same(const char *text, const char *name, unsigned least)
{
	char id[2][8], *change[2];
	unsigned n = 0;

	vcd_identifier(text, "golden", name, id[0]);
	vcd_identifier(text, "rtl", name, id[1]);
	cr_assert_str_neq(id[0], id[1], "two signals, not one under two names");
	for (int side = 0; side < 2; side++)
		change[side] = vcd_changes(text, id[side]);
	cr_assert_str_eq(change[0], change[1], "%s", name);
	for (const char *at = change[0]; (at = strchr(at, '\n')); at++)
		n++;
	cr_assert_geq(n, least, "%s changes %u times", name, n);
	free(change[0]);
	free(change[1]);
}

Test(locality_table_lockstep, waves_show_entries_and_answers_on_both_sides_and_open_where_they_are)
{
	struct program p =
		program_run("cd %s && locus cosim histo --size test --plan ldesc-cache --hw locality_table=lockstep --wave "
			    "w.fst && sed -n '/^.timestart/p; /^-overview/,/^-inputs/p' w.gtkw",
			    program_tmp());
	char path[4096], *text;
	static const char *const shown[] = {"[timestart] ", "TOP.cosim.look_addr_i[47:0]", "TOP.cosim.golden.ans_index_o[3:0]",
					    "TOP.cosim.rtl.ans_caching_o[1:0]", "TOP.cosim.wr_valid_i\n"};

	cr_assert_eq(p.status, 0, "%s", p.err);
	for (unsigned i = 0; i < sizeof shown / sizeof shown[0]; i++)
		cr_expect(strstr(p.out, shown[i]), "%s in %s", shown[i], p.out);
	program_free(&p);
	snprintf(path, sizeof path, "%s/w.fst", program_tmp());
	text = vcd_text(path);
	same(text, "used_q", 2);
	same(text, "bound_q", 2);
	same(text, "ans_valid_q", 20);
	same(text, "ans_match_o", 2);
	free(text);
}
