/* 965: `make scaling` fits the exponent of what its runs cost: of costs made up as n and its square root, of costs that
 * are all the same; a run that fails ends it. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/program.h"

/* In the place of scripts/cost.c: a CPU second for each element or step, the square root in MB; a second and an MB of
 * what has neither. */
static const char fake[] = "#!/bin/sh\n"
			   "for word; do case $word in n=*|steps=*) n=${word#*=} ;; esac; done\n"
			   "awk -v n=\"${n:-1}\" 'BEGIN { printf \"%.4f %.4f\\n\", n, sqrt(n) }'\n";

static struct program scaling(const char *cost)
{
	char path[4200];

	program_file("cost", cost);
	snprintf(path, sizeof path, "%s/cost", program_tmp());
	cr_assert_eq(chmod(path, 0755), 0);
	return program_run("scripts/scaling true %s", path);
}

static void expect_row(const char *text, const char *begins, const char *ends)
{
	const char *row = strstr(text, begins), *line = row ? strchr(row, '\n') : NULL;

	cr_assert(line, "%s\n%s", begins, text);
	cr_expect(strncmp(line - strlen(ends), ends, strlen(ends)) == 0, "%.*s", (int)(line - row), row);
}

Test(scaling, fits_the_exponents_of_its_points)
{
	struct program p = scaling(fake);

	cr_assert_eq(p.status, 0, "%s", p.err);
	expect_row(p.out, "| tracked stores | 442,368 | 7,077,888 |", "| 1.00 | 0.50 |");
	expect_row(p.out, "| warp instructions", "| 1.00 | 0.50 |");
	expect_row(p.out, "| CTAs (of a warp) | 100,000 | 10,000,000 |", "| 0.00 | 0.00 |");
	expect_row(p.out, "| 7,077,888 | 262144.00 |", " 512.0 |");
	program_free(&p);
}

Test(scaling, ends_with_a_run_that_fails)
{
	struct program p = scaling("#!/bin/sh\nexit 1\n");

	cr_assert(p.status != 0 && !*p.out, "%s", p.out);
	program_free(&p);
}
