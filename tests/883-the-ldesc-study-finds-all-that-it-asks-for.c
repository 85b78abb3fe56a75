/* 883: locus study ldesc at test size: no run fails, and no measured value is missing where each application has one.
 * What it and the study placement name is there: planners with their options, workloads, machines. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "plan/planner.h"
#include "study/study.h"
#include "support/program.h"

static struct program figure(const char *study, const char *id)
{
	struct program p = program_run("locus study %s --figure %s --size test --dir %s", study, id, program_tmp());

	cr_assert_eq(p.status, 0, "%s %s: %s", study, id, p.err);
	return p;
}

/* Rows that are not published ones; no value is missing in them. */
static unsigned complete_rows(const char *study, const char *id)
{
	struct program p = figure(study, id);
	unsigned rows = 0, rules = 0;

	for (char *save, *line = strtok_r(p.out, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (!strncmp(line, "| ---", 5))
			rules++;
		else if (rules && !strncmp(line, "| ", 2) && !strstr(line, "published")) {
			rows++;
			cr_expect_null(strstr(line, " - |"), "%s %s: %s", study, id, line);
		}
	}
	program_free(&p);
	return rows;
}

/* The number in a column of a row, from 1. */
static double cell(char *text, const char *row, unsigned column)
{
	char *at = strstr(text, row);

	cr_assert_not_null(at, "%s: %s", row, text);
	while (column--) {
		at = strchr(at, '|');
		cr_assert_not_null(at);
		at++;
	}
	return strtod(at, NULL);
}

Test(ldesc_study, has_a_value_for_each_application)
{
	cr_expect_eq(complete_rows("ldesc", "14"), 20, "16 applications; means of two classes and of all, and a maximum");
	cr_expect_eq(complete_rows("ldesc", "choice"), 16);
	cr_expect_eq(complete_rows("ldesc", "working-set"), 18);
	cr_expect_eq(complete_rows("ldesc", "pric"), 18);
}

/* Figure 11 by Table 2: what each application's data structures are decides what is done with them. */
Test(ldesc_study, shows_what_figure_11_chose)
{
	static const struct {
		const char *row;
		unsigned column; /* clusters, stride, next line, soft pin, hard pin, bypass */
	} some[] = {{"| syrk", 1},   {"| syrk", 2},  {"| syrk", 6},  {"| conv2d", 1},	 {"| conv2d", 3},    {"| spmv", 4},
		    {"| spmv", 5},   {"| libor", 5}, {"| histo", 1}, {"| histo", 2},	 {"| atax", 2},	     {"| atax", 6},
		    {"| lavamd", 2}, {"| lps", 5},   {"| dwt2d", 3}, {"| transpose", 6}, {"| pathfinder", 6}},
	  none[] = {{"| libor", 1}, {"| transpose", 1}, {"| transpose", 2}, {"| conv2d", 2}, {"| syrk", 4}, {"| libor", 6}};
	struct program p = figure("ldesc", "choice");

	for (unsigned i = 0; i < sizeof some / sizeof some[0]; i++)
		cr_expect_gt(cell(p.out, some[i].row, some[i].column + 1), 0, "%s %u", some[i].row, some[i].column);
	for (unsigned i = 0; i < sizeof none / sizeof none[0]; i++)
		cr_expect_eq(cell(p.out, none[i].row, none[i].column + 1), 0, "%s %u", none[i].row, none[i].column);
	program_free(&p);
}

/* Of 48 boxes those that the grid cuts to the same are run once: transpose has a grid of 8 x 8, histo's widest launch
 * 64 x 4, libor's CTA is one. */
Test(ldesc_study, counts_clusterings_that_differ)
{
	struct program p = figure("ldesc", "3");

	cr_expect_eq(cell(p.out, "| transpose", 2), 4 * 4 * 1);
	cr_expect_eq(cell(p.out, "| histo", 2), 4 * 3 * 1);
	cr_expect_eq(cell(p.out, "| libor", 2), 1);
	cr_expect_leq(cell(p.out, "| transpose", 3), 100);
	program_free(&p);
}

/* The two ends of Figure 18: a hash over four zones keeps a quarter local, and transpose is local by LDesc to the
 * walks of its pages (test 844 has none of it remote by the trace). */
Test(ldesc_study, has_access_efficiencies)
{
	struct program p = figure("ldesc", "18");

	cr_expect_float_eq(cell(p.out, "| transpose", 2), 25, 1);
	cr_expect_gt(cell(p.out, "| transpose", 4), 20);
	cr_expect_gt(cell(p.out, "| transpose", 5), 99);
	program_free(&p);
}

/* ---- what the studies name ---- */

/* A program that is not locus: writes down what it was asked for and answers at once with a grid of 2 x 2 x 2. */
static const char *fake(void)
{
	static char path[4096];
	char text[4096];

	snprintf(path, sizeof path, "%s/fake", program_tmp());
	snprintf(
		text, sizeof text,
		"#!/bin/sh\necho \"$@\" >>%s/asked\nfor last; do :; done\n"
		"echo '{\"stats\": {\"cycles\": 1, \"grid.x\": 2, \"grid.y\": 2, \"grid.z\": 2, \"working_set\": 1}}' >\"$last\"\n",
		program_tmp());
	program_file("fake", text);
	cr_assert_eq(chmod(path, 0755), 0);
	return path;
}

/* Each different word behind an option in what was asked for, a line each. */
static struct program asked_for(const char *option)
{
	return program_run("sed -n 's/.* %s \\([^ ]*\\).*/\\1/p' %s/asked | sort -u", option, program_tmp());
}

static void run_fake(const struct study *s)
{
	struct study_options o = {.program = fake(), .dir = program_tmp(), .size = "test", .jobs = 2};
	struct err e = {""};
	FILE *f = fopen("/dev/null", "w");

	cr_assert_geq(study_run(s, &o, f, &e), 0, "%s", e.text);
	fclose(f);
}

extern const struct study study_ldesc, study_placement;

static unsigned check_names(const struct study *s)
{
	struct program plans, names;
	unsigned n = 0;

	run_fake(s);
	plans = asked_for("--plan");
	for (char *save, *line = strtok_r(plans.out, "\n", &save); line; line = strtok_r(NULL, "\n", &save), n++) {
		struct planner_needs needs = {0};
		struct err e = {""};

		cr_expect_eq(planner_check(line, &needs, &e), 0, "%s", e.text);
	}
	program_free(&plans);
	names = program_run(
		"sed 's/^[a-z]* \\([^ ]*\\) .*/\\1/' %s/asked | sort -u | while read w; do [ -d traces/$w ] || echo $w; done; "
		"sed -n 's/.* --machine \\([^ ]*\\).*/\\1/p' %s/asked | sort -u | while read m; do [ -f csim/machines/$m.yaml ] || "
		"echo $m; done",
		program_tmp(), program_tmp());
	cr_expect_str_empty(names.out, "%s", names.out);
	program_free(&names);
	return n;
}

Test(ldesc_study, names_planners_workloads_and_machines_that_are_there)
{
	cr_expect_geq(check_names(&study_ldesc), 8 + 11, "clusterings of a grid of 2 x 2 x 2, and the planners of the figures");
}

Test(placement_study, names_planners_workloads_and_machines_that_are_there)
{
	cr_expect_eq(check_names(&study_placement), 11);
}
