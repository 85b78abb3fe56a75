/* 756: whole programs whose L1s prefetch by data structure: golden twin, Verilog and both in lockstep give the same
 * bytes; a fault is caught; the wave shows tiles, lines and decisions on both sides. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "support/cosim_program.h"
#include "support/program.h"

#define HISTO "histo --size test --plan ldesc-pref"

/* With physical addresses, with pages to translate, and beside a cache policy by descriptors. */
Test(prefetched_programs, give_the_same_json_in_all_modes_to_the_byte)
{
	cosim_program_agrees("prefetch_unit", HISTO);
	cosim_program_agrees("prefetch_unit", "histo --size test --plan ldesc --machine mcm4");
	cosim_program_agrees("prefetch_unit", "conv2d --size test --plan ldesc-cache+ldesc-pref");
}

Test(prefetched_programs, run_with_all_blocks_in_lockstep)
{
	struct program p = program_run("locus cosim histo --size test --plan ldesc --hw all=lockstep");

	cr_assert_eq(p.status, 0, "%s%s", p.out, p.err);
	cr_assert(strstr(p.out, "prefetch_unit    lockstep"), "%s", p.out);
	program_free(&p);
	p = program_run("locus cosim histo --size test --plan ldesc-cache --hw prefetch_unit=lockstep");
	cr_assert_null(strstr(p.out, "prefetch_unit    lockstep"), "a plan that prefetches nothing has no such block");
	program_free(&p);
}

Test(prefetched_programs, a_faulty_block_ends_with_status_1_a_report_and_a_bundle)
{
	cosim_program_catches("prefetch_unit", HISTO, "s/free_mshrs_i > MSHRS/free_mshrs_i >= MSHRS/", "output issue_o");
}

Test(prefetched_programs, a_wave_shows_both_sides_and_its_save_file_shows_decisions_first)
{
	static const char *const shown[] = {"TOP.cosim.acc_missed_i", "TOP.cosim.rtl.look_line_o", "TOP.cosim.golden.issue_o",
					    "TOP.cosim.rtl.why_o",    "TOP.cosim.cta_tile_i",	   "TOP.cosim.rtl.active_q"};
	char *wave = cosim_program_wave("prefetch_unit", HISTO, "");

	cosim_program_same(wave, "distance_q", 2);
	cosim_program_same(wave, "active_q", 3);
	cosim_program_same(wave, "residents_q", 3);
	cosim_program_same(wave, "waiting_q", 10);
	cosim_program_same(wave, "line_q", 10);
	cosim_program_same(wave, "issue_o", 4);
	free(wave);
	cosim_program_shows(shown, sizeof shown / sizeof shown[0]);
	cosim_program_hides("distance_q");
}
