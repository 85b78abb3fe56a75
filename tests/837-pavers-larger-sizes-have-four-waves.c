/* 837: PAVER's study looks for the smallest power of two at which a program's largest launch has four waves of CTAs,
 * and measures the program there. One that has as many with Table 2's CTAs stays as it is; one that cannot have them
 * has no values. The program here is a script: on a machine that runs 640 CTAs at a time, syrk has n x n / 256 of
 * them, tpacf one wave at any size, all others nine waves.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "study/study.h"
#include "support/program.h"

extern const struct study study_paver;

static const char fake[] =
	"#!/bin/sh\n"
	"n=256 cycles=3000 accesses=400 rounds=9\n"
	"for a; do\n"
	"	case $a in\n"
	"	n=*) n=${a#n=} ;;\n"
	"	paver-kway*) cycles=2000 ;;\n"
	"	paver-rb*) cycles=1500 accesses=100 ;;\n"
	"	esac\n"
	"	last=$a\n"
	"done\n"
	"case $2 in\n"
	"syrk) rounds=$((n * n / 256 / 640)) ;;\n"
	"tpacf) rounds=1 ;;\n"
	"esac\n"
	"echo \"{\\\"stats\\\": {\\\"cycles\\\": $cycles, \\\"l2.accesses\\\": $accesses, \\\"ctas.rounds\\\": $rounds}}\" "
	">\"$last\"\n";

static char *table(void)
{
	char path[256], *text;
	struct study_options o = {
		.program = path, .dir = program_tmp(), .figure = "waves-titanv-gs4", .size = "default", .jobs = 2};
	struct err e = {""};
	size_t n;
	FILE *f = open_memstream(&text, &n);

	snprintf(path, sizeof path, "%s/fake", program_tmp());
	program_file("fake", fake);
	cr_assert_eq(chmod(path, 0755), 0);
	cr_assert_eq(study_run(&study_paver, &o, f, &e), 0, "%s", e.text);
	fclose(f);
	return text;
}

static void has(const char *text, const char *row)
{
	cr_expect_not_null(strstr(text, row), "no%sin\n%s", row, text);
}

/* 512 x 512 / 256 / 640 are 1.6 waves, 1024 x 1024 / 256 / 640 are 6.4. */
Test(paver_waves, are_those_of_the_smallest_power_of_two_with_four)
{
	char *text = table();

	has(text, "\n| syrk --arg n=1024 --arg m=32 |  0.00 |     1.50 |  2.00 |                25.00 |          6.00 |     "
		  "1.50 |  2.00 |                25.00 |\n");
	has(text, "\n| btree                        |  9.00 |     1.50 |  2.00 |                25.00 |          9.00 |     "
		  "1.50 |  2.00 |                25.00 |\n");
	has(text, "\n| tpacf                        |  1.00 |     1.50 |  2.00 |                25.00 |             - |     "
		  "   - |     - |                    - |\n");
	/* Section 6.3: RB-TS 17.4 % on Volta. */
	has(text, "\n| all, published               |     - |        - |     - |                    - |             - |     "
		  "1.12 |  1.17 |                    - |\n");
}
