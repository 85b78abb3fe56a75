/* 756: whole programs whose L1s prefetch by data structure: golden twin, Verilog and both in lockstep give the same
 * bytes; a fault is caught; the wave shows tiles, lines and decisions on both sides. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"
#include "support/vcd.h"

#define HISTO "histo --size test --plan ldesc-pref"

static void modes_agree(const char *model)
{
	struct program p =
		program_run("cd %s && for m in golden rtl lockstep; do locus cosim %s --hw prefetch_unit=$m --json $m.json "
			    ">$m.out || exit 3; done && locus run %s --json run.json >run.out && locus cosim %s --no-skip "
			    "--hw prefetch_unit=lockstep --json all.json >all.out && for m in rtl lockstep run all; do cmp "
			    "golden.json $m.json || exit 4; done; grep prefetch_unit lockstep.out",
			    program_tmp(), model, model, model);

	cr_assert_eq(p.status, 0, "%s: %s%s", model, p.out, p.err);
	cr_assert(strstr(p.out, " lockstep ") && strstr(p.out, " 0\n"), "%s", p.out);
	program_free(&p);
}

/* With physical addresses, with pages to translate, and beside a cache policy by descriptors. */
Test(prefetched_programs, give_the_same_json_in_all_modes_to_the_byte, .timeout = 600)
{
	modes_agree(HISTO);
	modes_agree("histo --size test --plan ldesc --machine mcm4");
	modes_agree("conv2d --size test --plan ldesc-cache+ldesc-pref");
}

Test(prefetched_programs, run_with_all_blocks_in_lockstep, .timeout = 300)
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
	struct program p = program_run("sed 's/free_mshrs_i > MSHRS/free_mshrs_i >= MSHRS/' rtl/prefetch_unit/prefetch_unit.v "
				       ">%s/prefetch_unit.v; cd %s; locus cosim " HISTO " --rtl prefetch_unit=prefetch_unit.v",
				       program_tmp(), program_tmp());

	cr_assert_eq(p.status, 1, "%s", p.err);
	cr_assert(strstr(p.out, "MISMATCH prefetch_unit of sm"), "%s", p.out);
	cr_assert(strstr(p.out, ": output issue_o\n"), "%s", p.out);
	program_free(&p);
	p = program_run("cd %s; locus replay mismatch-prefetch_unit-*", program_tmp());
	cr_assert_eq(p.status, 1, "%s", p.err);
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

Test(prefetched_programs, a_wave_shows_both_sides_and_its_save_file_shows_decisions_first)
{
	static const char *const shown[] = {"TOP.cosim.acc_missed_i", "TOP.cosim.rtl.look_line_o", "TOP.cosim.golden.issue_o",
					    "TOP.cosim.rtl.why_o",    "TOP.cosim.cta_tile_i",	   "TOP.cosim.rtl.active_q"};
	char path[256], *text, *end;
	struct program p = program_run("cd %s && locus cosim " HISTO " --hw prefetch_unit=lockstep --wave w.fst", program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	snprintf(path, sizeof path, "%s/w.fst", program_tmp());
	text = vcd_text(path);
	same(text, "distance_q", 2);
	same(text, "active_q", 3);
	same(text, "residents_q", 3);
	same(text, "waiting_q", 10);
	same(text, "line_q", 10);
	same(text, "issue_o", 4);
	free(text);
	p = program_run("sed -n '/^-overview/,$p' %s/w.gtkw", program_tmp());
	end = strstr(p.out, "-inputs\n");
	cr_assert_not_null(end);
	*end = '\0';
	for (unsigned i = 0; i < sizeof shown / sizeof shown[0]; i++)
		cr_assert(strstr(p.out, shown[i]), "%s in: %s", shown[i], p.out);
	cr_assert_null(strstr(p.out, "distance_q"));
	program_free(&p);
}
