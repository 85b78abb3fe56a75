/* 883: locus study ldesc at test size: no run fails, and no measured value is missing where each application has one. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

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
