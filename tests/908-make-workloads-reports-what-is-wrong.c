/* 908: `make workloads` prints a line of figures a workload, and its status says whether all results were right. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <sys/stat.h>

#include "support/program.h"

/* A program in locus' place that lists right, mute and wrong: right gives figures, mute ones without a rate, wrong a
 * wrong result.
 */
static const char *stand_in(void)
{
	static const char text[] =
		"#!/bin/sh\n"
		"[ \"$1\" = list ] && { echo 'workloads suite'; for w in $LISTED; do echo \"  $w own\"; done; exit 0; }\n"
		"[ \"$2\" = wrong ] && { echo 'locus: c[0] is 1, the reference says 2' >&2; exit 1; }\n"
		"l1='\"l1.miss_rate\": 0.25,'; [ \"$2\" = mute ] && l1='\"l1.miss_rate\": null,'\n"
		"printf '{ \"stats\": {\\n\"cycles\": 1234567,\\n\"warp_insts\": 999,\\n\"ipc.warp\": 1.5,\\n%s\\n' \"$l1\" "
		">\"$6\"\n"
		"printf '\"l2.miss_rate\": 1.0\\n} }\\n' >>\"$6\"\n";
	static char path[256];
	FILE *f;

	snprintf(path, sizeof path, "%s/stand-in", program_tmp());
	f = fopen(path, "w");
	cr_assert_not_null(f);
	fputs(text, f);
	fclose(f);
	cr_assert_eq(chmod(path, 0755), 0);
	return path;
}

Test(make_workloads, prints_a_line_of_figures_for_each)
{
	struct program p = program_run("LISTED='right mute' scripts/workloads '%s'", stand_in());

	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect_str_eq(p.out, "workload         warp insts       cycles      IPC   L1 miss   L2 miss\n"
				"right                   999    1,234,567     1.50    25.0 %   100.0 %\n"
				"mute                    999    1,234,567     1.50         -   100.0 %\n"
				"2 of 2 agree with their references\n");
	program_free(&p);
}

Test(make_workloads, a_wrong_result_is_named_and_the_others_still_run)
{
	struct program p = program_run("LISTED='wrong right' scripts/workloads '%s'", stand_in());

	cr_expect_eq(p.status, 1);
	cr_expect_not_null(strstr(p.out, "wrong          WRONG: locus: c[0] is 1, the reference says 2\nright "), "%s", p.out);
	cr_expect_not_null(strstr(p.out, "1 of 2 agree"), "%s", p.out);
	program_free(&p);
}

Test(make_workloads, nothing_listed_is_no_success)
{
	struct program p = program_run("LISTED= scripts/workloads '%s'", stand_in());

	cr_expect_eq(p.status, 1);
	program_free(&p);
}

Test(make_workloads, all_that_there_is_agrees)
{
	struct program p = program_run("scripts/workloads \"$LOCUS_BUILD/locus\" | tail -1");
	struct program n = program_run("ls traces/*/host.c | wc -l");
	unsigned agree = 0, folders = 0;

	cr_expect_eq(sscanf(p.out, "%u agree", &agree), 1, "%s", p.out);
	cr_expect_eq(sscanf(n.out, "%u", &folders), 1);
	cr_expect_eq(agree, folders);
	program_free(&p);
	program_free(&n);
}

/* The invariants of the audit are part of a run's success, so this is also whether they hold on every machine. */
Test(make_workloads, some_run_on_every_machine)
{
	struct program n = program_run("ls csim/machines/*.yaml | wc -l");
	struct program p = program_run("ONLY='bfs histogram hotspot' scripts/workloads \"$LOCUS_BUILD/locus\" test all");
	char last[64];

	snprintf(last, sizeof last, "\n%d of %d agree with their references\n", 3 * atoi(n.out), 3 * atoi(n.out));
	cr_expect_eq(p.status, 0, "%s", p.out);
	cr_expect_not_null(strstr(p.out, last), "%s", p.out);
	cr_expect_not_null(strstr(p.out, "\nexascale25\n"), "%s", p.out);
	program_free(&n);
	program_free(&p);
}
