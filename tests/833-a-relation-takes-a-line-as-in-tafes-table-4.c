/* 833: a relation that a program registers takes a 64-byte line of TAFE's access pattern directory, and the storage
 * that Table 4 of the paper prints for programs without data-dependent arrays is that of their relations' lines. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/study.h"
#include "support/program.h"

extern const struct study study_tafe;

enum { LINE = 64 };

static double relations(const char *workload)
{
	json_t *stats = program_stats("locus footprint %s --size test --machine mcm4", workload);
	double n = program_stat(stats, "footprint.relations");

	json_decref(stats);
	return n;
}

/* Table 4 prints 128 bytes for NN and 192 for Pathfinder, Hotspot and Lud. */
Test(tafe_table_4, is_a_line_for_each_relation)
{
	cr_expect_eq(LINE * relations("nn"), 128);
	cr_expect_eq(LINE * relations("pathfinder"), 192);
	cr_expect_eq(LINE * relations("hotspot"), 192);
	cr_expect_eq(LINE * relations("lud"), 192);
}

/* Srad: 768 bytes are twelve lines. The paper's program has four arrays of slopes, this one a single array of four
 * planes with a single relation: three lines fewer. */
Test(tafe_table_4, has_three_lines_more_for_srads_four_arrays_of_slopes)
{
	cr_expect_eq(LINE * (relations("srad") + 3), 768);
}

/* The column of the study, from a program that registers three relations and four arrays. */
Test(tafe_table_4, shows_the_lines_in_use_beside_the_printed_bytes)
{
	struct study_options o = {.program = program_fake("\"footprint.relations\": 3, \"footprint.metadata\": 1088"),
				  .dir = program_tmp(),
				  .figure = "table-4",
				  .size = "test",
				  .jobs = 2};
	struct err e = {""};
	char *text;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	cr_assert_eq(study_run(&study_tafe, &o, f, &e), 0, "%s", e.text);
	fclose(f);
	cr_expect_not_null(strstr(text, "| benchmark | lines in use | storage, an extent a CTA | an extent a module | printed |"),
			   "%s", text);
	cr_expect_not_null(strstr(text, "| Lud       |          192 |                     1088 |               1088 |     192 |"),
			   "%s", text);
	cr_expect_not_null(strstr(text, "| Srad      |          192 |                     1088 |               1088 |     768 |"),
			   "%s", text);
	free(text);
}
