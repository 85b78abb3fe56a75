/* 707: locus cosim: the same figures in any mode, one line a block, status 1 on a difference, waves where they were
 * asked for. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

#define MODEL "vectoradd --size test --l1-index pric --l2-index pric --set l1.monitor=true"

Test(cosim, the_three_modes_give_the_same_json_to_the_byte)
{
	struct program p = program_run("cd %s && for m in golden rtl lockstep; do locus cosim " MODEL
				       " --hw all=$m --json $m.json || exit 3; done && locus run " MODEL
				       " --json run.json && " PROGRAM_WITHOUT_BLOCKS
				       " && cmp golden.json rtl.json && cmp golden.json lockstep.json && cmp golden.json run.json",
				       program_tmp());

	cr_assert_eq(p.status, 0, "%s%s", p.out, p.err);
	program_free(&p);
}

Test(cosim, one_run_mixes_modes)
{
	struct program p = program_run("locus cosim " MODEL " --hw pric=golden,set_monitor=lockstep");

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert(strstr(p.out, "set_monitor      lockstep "), "%s", p.out);
	cr_assert_null(strstr(p.out, "pric             lockstep "));
	program_free(&p);
}

/* A line of the table of blocks: its last figure. */
static long mismatches(const char *out, const char *block)
{
	char opening[64];
	const char *line, *end;

	snprintf(opening, sizeof opening, "\n  %-16s lockstep ", block);
	line = strstr(out, opening);
	cr_assert(line, "no line of %s in:\n%s", block, out);
	end = strchr(line + 1, '\n');
	while (end[-1] != ' ')
		end--;
	return strtol(end, NULL, 10);
}

Test(cosim, both_blocks_are_compared_and_nothing_differs)
{
	struct program p = program_run("locus cosim " MODEL);

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_eq(mismatches(p.out, "pric"), 0);
	cr_assert_eq(mismatches(p.out, "set_monitor"), 0);
	program_free(&p);
}

Test(cosim, a_faulty_block_ends_with_status_1_a_report_and_a_bundle)
{
	struct program p =
		program_run("sed 's/assign tag_o = addr_i/assign tag_o = 1 ^ addr_i/' rtl/pric/pric_index.v >%s/pric_index.v; "
			    "cd %s; locus cosim " MODEL " --rtl pric=pric_index.v",
			    program_tmp(), program_tmp());

	cr_assert_eq(p.status, 1, "%s", p.err);
	cr_assert_gt(mismatches(p.out, "pric") + (strstr(p.out, "pric_index.v") != NULL), 0);
	cr_assert(strstr(p.out, "MISMATCH pric of sm0.l1, cycle "), "%s", p.out);
	cr_assert(strstr(p.out, ": output tag_o\n"), "%s", p.out);
	program_free(&p);
	p = program_run("cd %s; locus replay mismatch-pric-*", program_tmp());
	cr_assert_eq(p.status, 1, "%s", p.err);
	program_free(&p);
}

Test(cosim, a_wave_of_each_block_is_written)
{
	struct program p = program_run("cd %s && locus cosim " MODEL " --wave w.fst --wave-window 0:500 && ls w*", program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert(strstr(p.out, "\nw-set_monitor.fst\nw-set_monitor.gtkw\nw.fst\nw.gtkw\n"), "%s", p.out);
	program_free(&p);
	p = program_run("locus cosim " MODEL " --wave /nonexistent/w.fst");
	cr_assert(program_is_clean_error(&p));
	program_free(&p);
}

/* The steps that were compared, of the set monitor's line: instances and steps are its first two figures. */
static long monitor_steps(const char *out)
{
	const char *line = strstr(out, "\n  set_monitor ");
	char steps[32] = "", *to = steps;
	int instances = 0;

	cr_assert(line && sscanf(line, " set_monitor lockstep %d %31s", &instances, steps) == 2, "%s", out);
	for (const char *c = steps; *c; c++)
		if (*c != ',')
			*to++ = *c;
	*to = '\0';
	return strtol(steps, NULL, 10);
}

/* What a block's busy_o promises: a cycle without input and with busy low changes nothing, so leaving it out changes
 * nothing. */
Test(cosim, stepping_every_cycle_compares_more_and_gives_the_same_json_to_the_byte)
{
	struct program skip = program_run("locus cosim " MODEL " --json %s/skip.json", program_tmp());
	struct program all = program_run("locus cosim " MODEL " --no-skip --json %s/all.json && cd %s && " PROGRAM_WITHOUT_BLOCKS
					 " && cmp skip.json all.json",
					 program_tmp(), program_tmp());

	cr_assert_eq(skip.status, 0, "%s", skip.err);
	cr_assert_eq(all.status, 0, "%s%s", all.out, all.err);
	cr_assert_eq(mismatches(all.out, "set_monitor"), 0);
	cr_assert_gt(monitor_steps(all.out), monitor_steps(skip.out));
	program_free(&skip);
	program_free(&all);
}
