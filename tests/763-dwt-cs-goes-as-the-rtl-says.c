/* 763: whole programs under DWT-CS: golden twins, Verilog and both in lockstep give the same bytes; all blocks at once;
 * a fault is caught and replays; the wave shows both sides. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cosim_program.h"
#include "support/program.h"

#define KMEANS "kmeans --size test --l1-index pric --throttle dwt-cs:period=2000"

Test(throttled_programs, give_the_same_json_in_all_modes_to_the_byte)
{
	cosim_program_agrees("throttle", KMEANS);
	cosim_program_agrees("coordinator", KMEANS);
	cosim_program_agrees("throttle", "bfs --size test --throttle dwt-cs:period=500,threshold=1,unit=warp");
	/* Four banks: up to four misses a cycle. */
	cosim_program_agrees("throttle",
			     "sssp --size test --machine titanv-gs4 --set l1.bytes=1K --set l1.assoc=1 --l2-index linear "
			     "--throttle dwt-cs:period=2000,over=any --scheduler lrr");
}

Test(throttled_programs, run_with_all_blocks_in_lockstep)
{
	static const char *const block[] = {"throttle", "coordinator", "pric"};
	struct program p = program_run("locus cosim kmeans --size test --l1-index pric --throttle dwt-cs --l1-bypass streaming "
				       "--hw all=lockstep");

	cr_assert_eq(p.status, 0, "%s%s", p.out, p.err);
	for (unsigned i = 0; i < 3; i++) {
		char row[64];

		snprintf(row, sizeof row, "%-16s lockstep", block[i]);
		cr_assert(strstr(p.out, row), "%s", p.out);
	}
	program_free(&p);
	p = program_run("locus cosim kmeans --size test --throttle swt:4 --hw throttle=lockstep");
	cr_assert_null(strstr(p.out, "throttle         lockstep"), "a static limit has no such block");
	program_free(&p);
}

Test(throttled_programs, a_faulty_block_ends_with_status_1_a_report_and_a_bundle)
{
	cosim_program_catches("throttle", KMEANS, "s/ends \\&\\& tells;/ends;/", "output msg_valid_o");
}

Test(throttled_programs, a_wave_shows_both_sides_and_its_save_file_shows_decisions_first)
{
	static const char *const shown[] = {"TOP.cosim.msg_valid_i", "TOP.cosim.rtl.turn_o", "TOP.cosim.golden.dec_valid_o",
					    "TOP.cosim.rtl.best_q", "TOP.cosim.rtl.ord_limit_o"};
	char *wave = cosim_program_wave("coordinator", KMEANS, "");

	cosim_program_same(wave, "dec_valid_o", 4);
	cosim_program_same(wave, "best_q", 3);
	cosim_program_same(wave, "ord_limit_o", 10);
	cosim_program_same(wave, "base_q", 2);
	cosim_program_shows(shown, sizeof shown / sizeof shown[0]);
	cosim_program_hides("top_q");
	free(wave);
}
