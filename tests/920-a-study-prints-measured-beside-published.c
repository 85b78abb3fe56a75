/* 920: a study's tables have the means of the textbook; its runs are made once, kept, and made again for another
 * program. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "study/study.h"
#include "support/program.h"

/* A program that is not locus: counts its calls in a file and answers with the number of its arguments. */
static const char *fake(void)
{
	static char path[4096];
	char text[4096];

	snprintf(path, sizeof path, "%s/fake", program_tmp());
	snprintf(text, sizeof text,
		 "#!/bin/sh\necho call >>%s/calls\nfor last; do :; done\n[ \"$1\" != fail ] || { echo 'no such thing' >&2; exit 2; "
		 "}\n"
		 "echo \"{\\\"stats\\\": {\\\"cycles\\\": $2}}\" >\"$last\"\n",
		 program_tmp());
	program_file("fake", text);
	cr_assert_eq(chmod(path, 0755), 0);
	return path;
}

static unsigned calls(void)
{
	struct program p = program_run("wc -l <%s/calls 2>/dev/null || echo 0", program_tmp());
	unsigned n = (unsigned)atoi(p.out);

	program_free(&p);
	return n;
}

static void figure(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"a", "b", NULL};
	double *v;

	sweep_table_init(t, &c->arena, "figure-1", "Figure 1", "workload", "cycles", columns);
	v = sweep_table_row(t, SWEEP_MEASURED, "x");
	v[0] = study_value(c, "cycles", "run 1");
	v[1] = study_value(c, "cycles", "run 2 --machine titanv --no-skip");
	v = sweep_table_row(t, SWEEP_MEASURED, "y");
	v[0] = study_value(c, "cycles", "run 4");
	/* Known only after the first. */
	v[1] = study_value(c, "cycles", isnan(v[0]) ? "run 4" : "run 8 --machine titan");
	sweep_table_mean(t, SWEEP_ARITHMETIC, "arithmetic", NULL);
	sweep_table_mean(t, SWEEP_GEOMETRIC, "geometric", NULL);
	sweep_table_mean(t, SWEEP_HARMONIC, "harmonic", NULL);
	v = sweep_table_row(t, SWEEP_PUBLISHED, "published");
	v[0] = 3;
}

static void failing(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"a", NULL};

	sweep_table_init(t, &c->arena, "figure-2", "Figure 2", "workload", "cycles", columns);
	sweep_table_row(t, SWEEP_MEASURED, "x")[0] = study_value(c, "cycles", "fail 1");
}

static const struct study_figure figures[] = {{"1", figure}, {"2", failing}, {NULL, NULL}};
static const struct study study = {"fake", "a study of nothing", figures};

static int run(const char *only, char **text)
{
	struct study_options o = {.program = fake(), .dir = program_tmp(), .figure = only, .size = "test", .jobs = 2};
	struct err e = {""};
	size_t size;
	FILE *f = open_memstream(text, &size);
	int rc = study_run(&study, &o, f, &e);

	fclose(f);
	cr_assert_geq(rc, 0, "%s", e.text);
	return rc;
}

Test(study, tables_have_the_means_of_the_textbook)
{
	char *text;

	cr_assert_eq(run("1", &text), 0);
	/* 1 and 4: 2.5, 2, 1.6; 2 and 8: 5, 4, 3.2 */
	cr_expect_not_null(strstr(text,
				  "| x          | 1.00 | 2.00 |\n| y          | 4.00 | 8.00 |\n| arithmetic | 2.50 | 5.00 |\n"
				  "| geometric  | 2.00 | 4.00 |\n| harmonic   | 1.60 | 3.20 |\n| published  | 3.00 |    - |\n"),
			   "%s", text);
	free(text);
}

Test(study, names_the_machines_of_a_tables_runs_under_it)
{
	char *text;

	run("1", &text);
	cr_expect_not_null(strstr(text, " |\n\nMachines: gtx480, titanv, titan.\n\n"), "%s", text);
	free(text);
	run("2", &text);
	cr_expect_not_null(strstr(text, " |\n\nMachine: gtx480.\n\n"), "%s", text);
	free(text);
}

Test(study, writes_csv_json_and_a_plot)
{
	struct program p;
	char *text, path[4096];
	json_t *all;

	run("1", &text);
	free(text);
	p = program_run("cat %s/figure-1.csv", program_tmp());
	cr_expect_not_null(strstr(p.out, "measured,\"y\",4,8\nmean,\"arithmetic\",2.5,5\n"), "%s", p.out);
	cr_expect_not_null(strstr(p.out, "published,\"published\",3,\n"), "%s", p.out);
	program_free(&p);
	snprintf(path, sizeof path, "%s/figure-1.json", program_tmp());
	all = json_load_file(path, 0, NULL);
	cr_assert_not_null(all);
	cr_expect_eq(json_array_size(json_object_get(all, "rows")), 6);
	json_decref(all);
	p = program_run("grep -c '<path' %s/figure-1.svg", program_tmp());
	cr_expect_gt(atoi(p.out), 12, "a bar a value: %s", p.out);
	program_free(&p);
}

Test(study, makes_a_run_once_and_keeps_it)
{
	char *text;

	run("1", &text);
	free(text);
	cr_assert_eq(calls(), 4);
	run("1", &text);
	free(text);
	cr_assert_eq(calls(), 4, "nothing was left to do");
}

Test(study, a_run_that_fails_is_counted_and_tried_again)
{
	char *text;

	cr_assert_eq(run("2", &text), 1);
	cr_expect_not_null(strstr(text, "| x        |    - |\n"), "%s", text);
	free(text);
	cr_assert_eq(run("2", &text), 1);
	free(text);
	cr_assert_eq(calls(), 2);
}

/* Makes one figure at test size: no run fails, and of what the options after it name no measured value is missing:
 * every program, planner, option and figure that the study names is there. Returns the number of rows that are not
 * published ones. */
static unsigned complete_rows(const char *name, const char *figure)
{
	struct program p = program_run("locus study %s --figure %s --size test --dir %s", name, figure, program_tmp());
	unsigned rows = 0, rules = 0;

	cr_assert_eq(p.status, 0, "%s %s: %s", name, figure, p.err);
	for (char *save, *line = strtok_r(p.out, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (!strncmp(line, "| ---", 5))
			rules++;
		else if (rules && !strncmp(line, "| ", 2) && !strstr(line, "published")) {
			rows++;
			cr_expect_null(strstr(line, " - |"), "%s %s: %s", name, figure, line);
		}
	}
	cr_expect_eq(rules, 1);
	program_free(&p);
	return rows;
}

Test(study, coda_finds_all_that_it_asks_for)
{
	cr_expect_eq(complete_rows("coda", "9"), 24, "20 programs, means of 3 categories and of all");
}

Test(study, paver_finds_all_that_it_asks_for)
{
	cr_expect_eq(complete_rows("paver", "13-gtx480-gs4"), 22, "18 programs, means of 3 classes and of all");
	cr_expect_eq(complete_rows("paver", "jit"), 18);
	cr_expect_eq(complete_rows("paver", "cache-fit"), 3);
	cr_expect_eq(complete_rows("paver", "misses"), 22);
}

/* Figure 5's pictures are files of their own, and are drawn again if they are not there. */
Test(study, paver_draws_adjacency)
{
	struct program p;

	for (unsigned i = 0; i < 2; i++) {
		p = program_run("locus study paver --figure 5 --size test --dir %s && grep -c '<rect\\|<path\\|<image' "
				"%s/figure-5-matmul.svg",
				program_tmp(), program_tmp());
		cr_assert_eq(p.status, 0, "%s", p.err);
		/* 4 x 4 CTAs in tiles: each shares with 3 in its row and 3 in its column; 48 of 120 pairs */
		cr_expect_not_null(strstr(p.out, "| matmul       |      0 |   16 |               48 |                   40 |"),
				   "%s", p.out);
		program_free(&p);
		p = program_run("rm %s/figure-5-matmul.svg", program_tmp());
		program_free(&p);
	}
}

Test(study, tafe_finds_all_that_it_asks_for)
{
	cr_expect_eq(complete_rows("tafe", "14-multichip8"), 15, "12 programs, means of 2 kinds and of all");
	cr_expect_eq(complete_rows("tafe", "14-application-multichip8"), 15, "as 14-multichip8");
	cr_expect_eq(complete_rows("tafe", "table-4"), 12);
}

/* Table 5 from the list of registers: docs/studies/tafe.md counts them by hand. */
Test(study, tafe_counts_registers)
{
	struct program p = program_run("locus study tafe --figure table-5 --size test --dir %s", program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_expect_not_null(strstr(p.out, "| comparator table |  496.0 |  62.0 |    68.0 |"), "%s", p.out);
	cr_expect_not_null(strstr(p.out, "| all              | 2302.0 | 287.8 |   311.0 |"), "%s", p.out);
	program_free(&p);
}

Test(study, bad_input_gets_one_line)
{
	static const char *const lines[] = {"locus study cachek", "locus study cache --figure 99", "locus study cache --size huge",
					    "locus study cache -j 0", "locus study cache --figure 12 --dir /dev/null/x"};

	for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		struct program p = program_run("%s", lines[i]);

		cr_expect(program_is_clean_error(&p), "%s", lines[i]);
		program_free(&p);
	}
}
