/* 834: `locus study coda` sets link.gbps, the bandwidth of a direction of a link, to the quotient that each reading of
 * the paper's section 6.3 asks for, and shows the two published speed-ups at their bandwidths. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/study.h"
#include "support/program.h"

extern const struct study study_coda;

static char *table(const char *figure)
{
	struct study_options o = {
		.program = program_fake("\"cycles\": 1000"), .dir = program_tmp(), .figure = figure, .size = "test", .jobs = 2};
	struct err e = {""};
	char *text;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	cr_assert_eq(study_run(&study_coda, &o, f, &e), 0, "%s", e.text);
	fclose(f);
	return text;
}

static unsigned count(const char *text, const char *what)
{
	unsigned n = 0;

	for (const char *at = text; (at = strstr(at, what)); at++)
		n++;
	return n;
}

/* Four stacks have 4 x 3 / 2 = 6 links and so 12 directions. 16, 64 and 256 GB/s by 12, 3, 2 and 1, to the three
 * decimals that the key takes; 16 itself is the machine's. Twenty programs under two planners each. */
Test(coda_bandwidth, is_divided_by_the_directions_of_each_reading)
{
	static const char *const quotient[] = {"1.333", "5.333", "21.333", "85.333", "8", "32", "64", "128", "256"};
	char *text, want[64];
	size_t n;
	FILE *f = open_memstream(&text, &n);

	study_list_runs(&study_coda, "test", f);
	fclose(f);
	for (unsigned i = 0; i < sizeof quotient / sizeof quotient[0]; i++) {
		snprintf(want, sizeof want, " --set link.gbps=%s\n", quotient[i]);
		cr_expect_eq(count(text, want), 40, "%s: %u runs", want, count(text, want));
	}
	free(text);
}

/* Section 6.3: 8 % at 256 GB/s; section 6.1: 31 % at the 16 GB/s of Table 1. */
Test(coda_bandwidth, stands_beside_the_two_published_speed_ups)
{
	char *text = table("10-readings");

	cr_expect_not_null(strstr(text, "| 16 GB/s          |                         1.00 |"), "%s", text);
	cr_expect_not_null(strstr(text, "|                    1.00 |      1.31 |\n| 64 GB/s "), "%s", text);
	cr_expect_not_null(strstr(text, "|                    1.00 |         - |\n| 256 GB/s "), "%s", text);
	cr_expect_not_null(strstr(text, "|                    1.00 |      1.08 |\n"), "%s", text);
	free(text);
}
