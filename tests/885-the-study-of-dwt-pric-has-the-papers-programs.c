/* 885: `locus study cache` has a row for each application of dwt-pric's Table 2, in its groups, and beside them what
 * the paper prints; a run in which nothing changes anything gives 1.00 everywhere. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/study.h"
#include "support/program.h"

extern const struct study study_cache;

static const char metrics[] = "\"cycles\": 1000, \"ipc.thread\": 5, \"thread_insts\": 32000, \"warp_insts\": 1000, "
			      "\"l1.misses\": 320, \"l1.miss_rate\": 0.5, \"l1.fail.line\": 150, \"l1.fail.mshr_entry\": 15, "
			      "\"l1.fail.mshr_merge\": 0, \"l1.fail.miss_queue\": 0, \"throttle.kernel.syrk.winner\": 2, "
			      "\"throttle.kernel.gesummv.winner\": 0";

static char *tables(const char *figure)
{
	struct study_options o = {
		.program = program_fake(metrics), .dir = program_tmp(), .figure = figure, .size = "test", .jobs = 2};
	struct err e = {""};
	char *text;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	cr_assert_eq(study_run(&study_cache, &o, f, &e), 0, "%s", e.text);
	fclose(f);
	return text;
}

/* Table 2, without its suites. */
static const char *const names[] = {"BLK",	"Sprod", "VAdd", "FWT", "NW", "HS",   "CONV",	 "SRAD", "3DS",	   "2DCONV", "MM",
				    "SCLUSTER", "BFS",	 "SpMV", "IIX", "KM", "SYRK", "GESUMMV", "PEst", "B+tree", "BP",     "NN"};

Test(study_cache, has_the_22_applications_and_what_the_paper_says_of_them)
{
	char *text = tables("8"), *at = text, row[64];

	for (unsigned i = 0; i < 22; i++) {
		snprintf(row, sizeof row, "\n| %-21s |        1.00 |   1.00 |   1.00 |\n", names[i]);
		cr_assert_not_null(strstr(at, row), "no \"%s\" after those before it in\n%s", row + 1, text);
		at = strstr(at, row);
	}
	/* Abstract and section 5. */
	cr_expect_not_null(strstr(text, "| streaming             |        1.00 |"));
	cr_expect_not_null(strstr(text, "| published, streaming  |        1.20 |"));
	cr_expect_not_null(strstr(text, "| published, contention |        2.30 |"));
	cr_expect_not_null(strstr(text, "| published, all        |        1.54 |"));
	cr_expect_not_null(strstr(text, "| published, SYRK       |       21.00 |"));
	cr_expect_not_null(strstr(text, "| published, GESUMMV    |       16.80 |"));
}

/* By an SM of 15: 150 fails in 1000 cycles are 10; 320 misses of 32,000 instructions of threads, 1,000 of warps. */
Test(study_cache, counts_by_sm_and_by_instruction)
{
	char *text = tables("4");

	cr_expect_not_null(
		strstr(text, "| BLK                   |    10.0 |           1.0 |                      0.0 |             0.0 |  "
			     "    21.3 |                  10.0 |             320.0 |\n"),
		"%s", text);
}

Test(study_cache, has_table_3_and_no_winner_where_there_was_none)
{
	char *text = tables("table-3");

	/* Of limits that are all as good, the one that restrains least. */
	cr_expect_not_null(
		strstr(text,
		       "| SYRK          |   24 |             2 |            1 |      2 |                2 |            1 |\n"),
		"%s", text);
	cr_expect_not_null(
		strstr(text,
		       "| GESUMMV       |   24 |             1 |            1 |      - |                1 |            1 |\n"),
		"%s", text);
	cr_expect_not_null(
		strstr(text,
		       "| BFS           |   24 |             5 |            1 |      - |                7 |            1 |\n"),
		"%s", text);
}

/* Section 6: limits of warps gain twice what limits of CTAs do. A scheduler of gtx480 has 24 warps, an SM 8 CTAs. */
Test(study_cache, compares_limits_of_warps_with_limits_of_ctas)
{
	char *text = tables("cta-limits");

	cr_expect_not_null(strstr(text, "| SYRK           |    24 |            1 |    8 |            1 |               1 |\n"),
			   "%s", text);
	cr_expect_not_null(strstr(text, "| all            |     - |            1 |    - |            1 |               1 |\n"),
			   "%s", text);
	cr_expect_not_null(strstr(text, "| published, all |     - |            - |    - |            - |               2 |\n"),
			   "%s", text);
	free(text);
}
