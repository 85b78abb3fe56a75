/* 753: whole programs whose L1s pin lines: golden twin, Verilog and both in lockstep give the same bytes; a fault is
 * caught; the wave shows pins at work. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"
#include "support/vcd.h"

#define HARD "bfs --size test --l1-pin buffers:hard=edge+row,soft=visited,timer=3000"
#define SOFT                                                                                                                       \
	"syrk --size test --machine titanx --l1-pin buffers:soft=A,timer=1000 --l1-prefetch next-line "                            \
	"--l1-bypass streaming:rate=30,period=500"
#define PLAN "spmv --size test --plan ldesc-cache --l1-pin buffers:hard=col,timer=2000"

static void modes_agree(const char *model)
{
	struct program p = program_run(
		"cd %s && for m in golden rtl lockstep; do locus cosim %s --hw pin_replacement=$m --json $m.json >$m.out || exit "
		"3; "
		"done && locus run %s --json run.json >run.out && locus cosim %s --no-skip --hw pin_replacement=lockstep --json "
		"all.json >all.out && for m in rtl lockstep run all; do cmp golden.json $m.json || exit 4; done; "
		"grep pin_replacement lockstep.out",
		program_tmp(), model, model, model);

	cr_assert_eq(p.status, 0, "%s%s", p.out, p.err);
	cr_assert(strstr(p.out, " lockstep ") && strstr(p.out, " 0\n"), "%s", p.out);
	program_free(&p);
}

Test(pinned_programs, give_the_same_json_in_all_modes_to_the_byte, .timeout = 300)
{
	modes_agree(HARD);
	modes_agree(SOFT);
	modes_agree(PLAN);
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
	struct program p = program_run(
		"sed 's/elapsed >= PERIOD/elapsed > PERIOD/' rtl/pin_replacement/pin_replacement.v >%s/pin_replacement.v; "
		"cd %s; locus cosim " HARD " --rtl pin_replacement=pin_replacement.v",
		program_tmp(), program_tmp());

	cr_assert_eq(p.status, 1, "%s", p.err);
	cr_assert(strstr(p.out, "MISMATCH pin_replacement of sm"), "%s", p.out);
	cr_assert(strstr(p.out, ": output unpin_o\n"), "%s", p.out);
	program_free(&p);
	p = program_run("cd %s; locus replay mismatch-pin_replacement-*", program_tmp());
	cr_assert_eq(p.status, 1, "%s", p.err);
	program_free(&p);
}

Test(pinned_programs, a_cache_that_the_block_cannot_serve_is_refused)
{
	struct program p = program_run("locus run " HARD " --set l1.assoc=32");

	cr_assert(program_is_clean_error(&p));
	cr_assert(strstr(p.err, "l1.pin: pin replacement: 32 ways"), "%s", p.err);
	program_free(&p);
}

/* ---- waves ---- */

static unsigned changes(const char *text, const char *scope, const char *name, char **list)
{
	char id[8];
	unsigned n = 0;

	vcd_identifier(text, scope, name, id);
	*list = vcd_changes(text, id);
	for (const char *at = *list; (at = strchr(at, '\n')); at++)
		n++;
	return n;
}

static void same(const char *text, const char *name, unsigned least)
{
	char *golden, *rtl;
	unsigned n = changes(text, "golden", name, &golden);

	changes(text, "rtl", name, &rtl);
	cr_assert_str_eq(golden, rtl, "%s", name);
	cr_assert_geq(n, least, "%s changes %u times", name, n);
	free(golden);
	free(rtl);
}

Test(pinned_programs, a_wave_shows_pins_beside_the_twins_and_its_save_file_shows_them_first)
{
	static const char *const shown[] = {"TOP.cosim.req_set_i",   "TOP.cosim.rtl.rsp_way_o", "TOP.cosim.golden.rsp_way_o",
					    "TOP.cosim.rtl.unpin_o", "TOP.cosim.rtl.hard_q",	"TOP.cosim.rtl.reserved_q"};
	char path[256], *text, *end;
	struct program p = program_run(
		"cd %s && locus cosim " HARD " --hw pin_replacement=lockstep --wave w.fst --wave-window 0:20000", program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	snprintf(path, sizeof path, "%s/w.fst", program_tmp());
	text = vcd_text(path);
	same(text, "hard_q", 10);
	same(text, "soft_q", 2);
	same(text, "reserved_q", 20);
	same(text, "rank_q", 20);
	same(text, "start_q", 1);
	free(text);
	p = program_run("sed -n '/^-overview/,$p' %s/w.gtkw", program_tmp());
	end = strstr(p.out, "-inputs\n");
	cr_assert_not_null(end);
	*end = '\0';
	for (unsigned i = 0; i < sizeof shown / sizeof shown[0]; i++)
		cr_assert(strstr(p.out, shown[i]), "%s in: %s", shown[i], p.out);
	cr_assert_null(strstr(p.out, "rank_q"));
	program_free(&p);
}
