/* 914: neither a study's folder nor the names of its rows are taken for anything but names, by gnuplot, by a shell or
 * by the runs.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "study/study.h"
#include "support/program.h"

#define FOLDER "st `touch N1`$(touch N2)'\"| --json N3"

static void enter_tmp(void)
{
	cr_assert_eq(chdir(program_tmp()), 0);
}

static void expect_no_marker(void)
{
	struct program p = program_run("ls %s | grep -c '^N[0-9]'", program_tmp());

	cr_assert_str_eq(p.out, "0\n");
	program_free(&p);
}

static void rows(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"a`touch N4`", "it's", NULL};

	sweep_table_init(t, &c->arena, "figure-1", "T`touch N5`'\"", "workload", "u`touch N6`'", columns);
	sweep_table_row(t, SWEEP_MEASURED, "r`touch N7`'\"")[0] = 1;
	sweep_table_row(t, SWEEP_MEASURED, "below 90 %, 100%s")[0] = 1;
	sweep_table_row(t, SWEEP_MEASURED, "EOD\nset output '|touch N8'\n")[1] = 2;
	sweep_table_row(t, SWEEP_PUBLISHED, "published")[0] = 3;
}

Test(study_names, rows_and_titles_are_shown)
{
	static const struct study_figure figures[] = {{"1", rows}, {NULL, NULL}};
	static const struct study study = {"made up", "", figures};
	struct study_options o = {.program = "/bin/true", .dir = FOLDER, .size = "test", .jobs = 1};
	struct err e = {""};
	struct program p;
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	enter_tmp();
	cr_assert_eq(study_run(&study, &o, f, &e), 0, "%s", e.text);
	fclose(f);
	free(text);
	p = program_run("cd %s && grep -h -o 'T`touch N5`\\|u`touch N6`\\|r`touch N7`\\|a`touch N4`\\|EOD?set output .|touch "
			"N8\\|below 90 %%, 100%%s' "
			"*/figure-1.svg | "
			"sort",
			program_tmp());
	cr_assert_eq(strstr(p.out, "EOD?set output '|touch N8\n") != NULL, 1, "%s", p.out);
	cr_assert_not_null(strstr(p.out, "T`touch N5`\n"), "%s", p.out);
	cr_assert_not_null(strstr(p.out, "a`touch N4`\n"), "%s", p.out);
	cr_assert_not_null(strstr(p.out, "r`touch N7`\n"), "%s", p.out);
	cr_assert_not_null(strstr(p.out, "u`touch N6`\n"), "%s", p.out);
	cr_assert_not_null(strstr(p.out, "below 90 %, 100%s\n"), "%s", p.out);
	program_free(&p);
	expect_no_marker();
	p = program_run("cat %s/st*/figure-1.csv", program_tmp());
	cr_assert_not_null(strstr(p.out, "measured,\"r`touch N7`'\"\"\",1,\nmeasured,\"below 90 %, 100%s\",1,\nmeasured,\"EOD?set "
					 "output '|touch N8'?\",,2\n"),
			   "%s", p.out);
	program_free(&p);
}

/* Figure 5's runs draw pictures into it. */
Test(study_names, a_folder_is_a_folder)
{
	struct program p;

	p = program_run(
		"program=$(realpath \"${LOCUS_BUILD:-build}\")/locus; mkdir %s/f && cd %s/f && \"$program\" study paver --figure 5 "
		"--size test --dir 'st `touch N1`$(touch N2)'\\''\"| --json N3' && cd st* && "
		"ls figure-5.csv figure-5.json figure-5-matmul.svg",
		program_tmp(), program_tmp());
	cr_assert_eq(p.status, 0, "%s%s", p.out, p.err);
	program_free(&p);
	p = program_run("ls %s/f | grep -c '^N[0-9]'", program_tmp());
	cr_assert_str_eq(p.out, "0\n");
	program_free(&p);
}
