/* 753: whole programs whose L1s pin lines: golden twin, Verilog and both in lockstep give the same bytes; a fault is
 * caught; the wave shows pins at work. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "support/cosim_program.h"
#include "support/program.h"

#define HARD "bfs --size test --l1-pin buffers:hard=edge+row,soft=visited,timer=3000"
#define SOFT                                                                                                                       \
	"syrk --size test --machine titanx --l1-pin buffers:soft=A,timer=1000 --l1-prefetch next-line "                            \
	"--l1-bypass streaming:rate=30,period=500"
#define PLAN "spmv --size test --plan ldesc-cache --l1-pin buffers:hard=col,timer=2000"

Test(pinned_programs, give_the_same_json_in_all_modes_to_the_byte)
{
	cosim_program_agrees("pin_replacement", HARD);
	cosim_program_agrees("pin_replacement", SOFT);
	cosim_program_agrees("pin_replacement", PLAN);
}

static long long metric(const char *options, const char *name)
{
	struct program p = program_run("locus run bfs --size test %s --json %s/m.json >/dev/null && grep -m1 '\"%s\":' %s/m.json",
				       options, program_tmp(), name, program_tmp());
	const char *colon = strrchr(p.out, ':');
	long long n = colon ? strtoll(colon + 1, NULL, 10) : -1;

	program_free(&p);
	return n;
}

/* Hard pins end, and sets fill up with them, only where there are any; a timer beyond the run never ends them. */
Test(pinned_programs, have_full_sets_and_ends_of_pins)
{
	cr_assert_gt(metric("--l1-pin buffers:hard=edge+row,timer=3000", "l1.pin.full"), 0);
	cr_assert_gt(metric("--l1-pin buffers:hard=edge+row,timer=3000", "l1.pin.ended"), 0);
	cr_assert_eq(metric("--l1-pin buffers:hard=edge+row,timer=2000000000", "l1.pin.ended"), 0);
	cr_assert_eq(metric("--l1-pin buffers:soft=edge+row", "l1.pin.full"), 0);
	cr_assert_eq(metric("", "l1.pin.full"), -1, "a run without pins has no such metric");
}

Test(pinned_programs, a_faulty_block_ends_with_status_1_a_report_and_a_bundle)
{
	cosim_program_catches("pin_replacement", HARD, "s/elapsed >= PERIOD/elapsed > PERIOD/", "output unpin_o");
}

Test(pinned_programs, a_cache_that_the_block_cannot_serve_is_refused)
{
	struct program p = program_run("locus run " HARD " --set l1.assoc=32");

	cr_assert(program_is_clean_error(&p));
	cr_assert(strstr(p.err, "l1.pin: pin replacement: 32 ways"), "%s", p.err);
	program_free(&p);
}

Test(pinned_programs, a_wave_shows_pins_beside_the_twins_and_its_save_file_shows_them_first)
{
	static const char *const shown[] = {"TOP.cosim.req_set_i",   "TOP.cosim.rtl.rsp_way_o", "TOP.cosim.golden.rsp_way_o",
					    "TOP.cosim.rtl.unpin_o", "TOP.cosim.rtl.hard_q",	"TOP.cosim.rtl.reserved_q"};
	char *wave = cosim_program_wave("pin_replacement", HARD, "--wave-window 0:20000");

	cosim_program_same(wave, "hard_q", 10);
	cosim_program_same(wave, "soft_q", 2);
	cosim_program_same(wave, "reserved_q", 20);
	cosim_program_same(wave, "rank_q", 20);
	cosim_program_same(wave, "start_q", 1);
	free(wave);
	cosim_program_shows(shown, sizeof shown / sizeof shown[0]);
	cosim_program_hides("rank_q");
}
